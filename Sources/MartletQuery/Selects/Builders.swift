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
