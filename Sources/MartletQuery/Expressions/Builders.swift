/// What closures of `where`, `having`, `order` and `group` may hold: several terms, `if`, `switch` and `for`.
///
/// Always true: a branch that is not taken adds nothing.
@resultBuilder
public enum PredicateBuilder {
  public static func buildExpression(_ expression: SQLQueryExpression<Bool>) -> [QueryFragment] {
    [expression.queryFragment]
  }

  public static func buildExpression<E: QueryExpression>(_ expression: E) -> [QueryFragment]
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    [expression.queryFragment]
  }

  /// `nil`: NULL, which is true of no row.
  public static func buildExpression(_ nothing: NullCondition) -> [QueryFragment] { [.null] }

  @_disfavoredOverload
  @available(*, unavailable, message: "A condition is true or false. Compare this with something.")
  public static func buildExpression<Other: QueryExpression>(_ expression: Other) -> [QueryFragment] { [] }

  public static func buildBlock(_ parts: [QueryFragment]...) -> [QueryFragment] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [QueryFragment]?) -> [QueryFragment] { part ?? [] }
  public static func buildEither(first: [QueryFragment]) -> [QueryFragment] { first }
  public static func buildEither(second: [QueryFragment]) -> [QueryFragment] { second }
  public static func buildArray(_ parts: [[QueryFragment]]) -> [QueryFragment] { parts.flatMap { $0 } }
  public static func buildLimitedAvailability(_ part: [QueryFragment]) -> [QueryFragment] { part }
}

/// A condition that is `nil`.
public struct NullCondition: ExpressibleByNilLiteral, Sendable {
  /// The compiler calls it for `nil`.
  public init(nilLiteral: ()) {}
}

/// A number of rows, with `if` and `switch` around it; nil if no branch is taken.
@resultBuilder
public enum BoundBuilder {
  public static func buildExpression(_ count: some QueryExpression<Int>) -> QueryFragment? { count.queryFragment }
  public static func buildBlock() -> QueryFragment? { nil }
  public static func buildBlock(_ count: QueryFragment?) -> QueryFragment? { count }
  public static func buildOptional(_ count: QueryFragment??) -> QueryFragment? { count ?? nil }
  public static func buildEither(first: QueryFragment?) -> QueryFragment? { first }
  public static func buildEither(second: QueryFragment?) -> QueryFragment? { second }
}

/// Columns and expressions: one, a tuple of several, or one after the other.
@resultBuilder
public enum ColumnsBuilder {
  public static func buildExpression<E: QueryExpression>(_ expression: E) -> [QueryFragment] {
    expression.undirectedColumns
  }

  public static func buildExpression<each E: QueryExpression>(_ tuple: (repeat each E)) -> [QueryFragment] {
    var fragments: [QueryFragment] = []
    for expression in repeat each tuple { fragments += expression.undirectedColumns }
    return fragments
  }

  public static func buildBlock(_ parts: [QueryFragment]...) -> [QueryFragment] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [QueryFragment]?) -> [QueryFragment] { part ?? [] }
  public static func buildEither(first: [QueryFragment]) -> [QueryFragment] { first }
  public static func buildEither(second: [QueryFragment]) -> [QueryFragment] { second }
  public static func buildArray(_ parts: [[QueryFragment]]) -> [QueryFragment] { parts.flatMap { $0 } }
}

/// Terms of ORDER BY; a plain expression is ascending.
@resultBuilder
public enum OrderBuilder {
  public static func buildExpression<E: QueryExpression>(_ expression: E) -> [OrderingTerm] {
    OrderingTerm.terms(of: expression)
  }

  public static func buildExpression<each E: QueryExpression>(_ tuple: (repeat each E)) -> [OrderingTerm] {
    var terms: [OrderingTerm] = []
    for expression in repeat each tuple { terms += OrderingTerm.terms(of: expression) }
    return terms
  }

  public static func buildBlock(_ parts: [OrderingTerm]...) -> [OrderingTerm] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [OrderingTerm]?) -> [OrderingTerm] { part ?? [] }
  public static func buildEither(first: [OrderingTerm]) -> [OrderingTerm] { first }
  public static func buildEither(second: [OrderingTerm]) -> [OrderingTerm] { second }
  public static func buildArray(_ parts: [[OrderingTerm]]) -> [OrderingTerm] { parts.flatMap { $0 } }
}

/// What the closure of `select`, of a join and of their like says: one expression, or several in parentheses.
///
/// Always true: it is what the closure says, with its type, and nothing is made of it. But of a closure with a builder
/// the compiler finds out what is said by itself, and then whether that fits. Of one without it would try every
/// operator for each function that may be meant, all columns at once: four computed ones were too many.
@resultBuilder
public enum ChoiceBuilder {
  @inlinable
  public static func buildBlock<Choice>(_ choice: Choice) -> Choice { choice }
  @inlinable
  public static func buildEither<Choice>(first choice: Choice) -> Choice { choice }
  @inlinable
  public static func buildEither<Choice>(second choice: Choice) -> Choice { choice }
  @inlinable
  public static func buildLimitedAvailability<Choice>(_ choice: Choice) -> Choice { choice }

  @available(*, unavailable, message: "Say one expression; several columns stand in parentheses: '{ ($0.a, $0.b) }'.")
  public static func buildBlock<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other
  ) -> First {
    first
  }

  @available(*, unavailable, message: "Say an expression: a condition, a column, or several columns in parentheses.")
  public static func buildBlock() {}
}

/// What the closure of a query's `map` says: one expression, or several in parentheses, which become one.
///
/// Always true: as of a closure with `ChoiceBuilder`, the compiler finds out what is said by itself. Several columns
/// are an expression too, so that one function takes both: of a function for several, whose closure takes several
/// columns as well, it would try every operator of all of them at once.
@resultBuilder
public enum ChosenColumnsBuilder {
  // Not of `buildExpression`, for which the compiler would try every operator of all columns at once. The type of what
  // a block has is known.
  @inlinable
  public static func buildBlock<E: QueryExpression>(_ expression: E) -> E { expression }
  public static func buildBlock<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    _ columns: (First, Second, repeat each Other)
  ) -> ChosenColumns<First, Second, repeat each Other> {
    // Version 6.3 stops with a failed assertion where the tuple itself, and no closure's, becomes a pack.
    ChosenColumns(columnFragments: fragments { columns })
  }
  @inlinable
  public static func buildEither<Choice>(first choice: Choice) -> Choice { choice }
  @inlinable
  public static func buildEither<Choice>(second choice: Choice) -> Choice { choice }
  @inlinable
  public static func buildLimitedAvailability<Choice>(_ choice: Choice) -> Choice { choice }

  @available(*, unavailable, message: "Say one expression; several columns stand in parentheses: '{ ($0.a, $0.b) }'.")
  public static func buildBlock<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other
  ) -> First {
    first
  }

  @available(*, unavailable, message: "Say an expression: a column, or several columns in parentheses.")
  public static func buildBlock() {}

  private static func fragments<each E: QueryExpression>(_ columns: () -> (repeat each E)) -> [QueryFragment] {
    var fragments: [QueryFragment] = []
    for column in repeat each columns() { fragments += column.columnFragments }
    return fragments
  }
}

/// Several columns that a closure chose: `($0.a, $0.b)`.
public struct ChosenColumns<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>:
  QueryExpression
{
  public typealias QueryValue = (First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)

  public let columnFragments: [QueryFragment]
  public var queryFragment: QueryFragment { QueryFragment(.tuple(columnFragments)) }

  fileprivate init(columnFragments: [QueryFragment]) { self.columnFragments = columnFragments }
}

extension QueryFragment {
  /// The columns of the expressions that a closure chooses, in their order.
  ///
  /// The closures of `select` and its like name two types before the pack. If the tuple could be empty, the compiler
  /// would choose `()`, and so nothing, when the types do not fit. Version 6.3 lets such a value become a pack only as
  /// a closure, not as a tuple.
  static func columns<Source, each E: QueryExpression>(
    _ choice: (Source) -> (repeat each E), of source: (ColumnPlace) -> Source
  ) -> [QueryFragment] {
    ColumnPlace.open { place in
      var fragments: [QueryFragment] = []
      for expression in repeat each choice(source(place)) { fragments += expression.undirectedColumns }
      return fragments
    }
  }

  /// The same of a closure that is optional only so that its function ranks behind another. Nil chooses no column, and
  /// so is refused.
  static func columns<Source, each E: QueryExpression>(
    _ choice: ((Source) -> (repeat each E))?, of source: (ColumnPlace) -> Source
  ) -> [QueryFragment] {
    guard let choice else { return [.noChoice] }
    let chosen: [QueryFragment] = columns({ choice($0) }, of: source)
    return chosen
  }

  /// What stands for the columns of a closure that is nil.
  static var noChoice: QueryFragment {
    .bind(.invalid(QueryBindingFailure("The closure that chooses the columns is nil. Hand over one.")))
  }
}
