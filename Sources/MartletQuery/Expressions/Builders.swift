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
    expression.columnFragments
  }

  public static func buildExpression<each E: QueryExpression>(_ tuple: (repeat each E)) -> [QueryFragment] {
    var fragments: [QueryFragment] = []
    for expression in repeat each tuple { fragments += expression.columnFragments }
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
      for expression in repeat each choice(source(place)) { fragments += expression.columnFragments }
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
