import MartletAST
import MartletValues

/// IN and NOT IN: values and subqueries.
///
/// Always true: values of a list are one parameter, however many they are; an empty list has no members.
extension QueryFragment {
  /// Plain values as one list parameter; anything else as a list of expressions.
  static func membership(_ symbol: ASTOperator, _ operand: QueryFragment, _ members: [QueryFragment]) -> QueryFragment {
    .operation(symbol, operand, list(of: members, for: operand) ?? QueryFragment(.elements(members)))
  }

  private static func list(of members: [QueryFragment], for operand: QueryFragment) -> QueryFragment? {
    var width = 1
    // The operand tells the width, since a list may be empty.
    if case .tuple(let elements) = operand.node { width = elements.count }
    var batch = RowBatch(columnCount: width)
    var failure: QueryBindingFailure?
    for member in members {
      var columns = [member]
      if case .tuple(let elements) = member.node { columns = elements }
      var values: [Value] = []
      for column in columns {
        guard let binding = column.binding else { return nil }
        failure = failure ?? binding.failure
        values.append(binding.value)
      }
      batch.append(values)
    }
    return QueryFragment(.list(batch, failure))
  }
}

extension QueryExpression where QueryValue: QueryRepresentable {
  /// `self IN (...)`: one of some values, which travel as one parameter. No value is in an empty list.
  public func `in`<Members: Sequence>(_ members: Members) -> SQLQueryExpression<Bool>
  where Members.Element == QueryValue.QueryUnwrapped.QueryOutput {
    isMember(.in, of: members)
  }

  /// `self NOT IN (...)`: none of some values. If one of them is NULL, or `self` is, it is never true.
  public func notIn<Members: Sequence>(_ members: Members) -> SQLQueryExpression<Bool>
  where Members.Element == QueryValue.QueryUnwrapped.QueryOutput {
    isMember(.notIn, of: members)
  }

  /// `self IN (1, NULL)`: one of some values, of which some may be nil. As in SQL, nil is equal to nothing, so that it
  /// finds no row; of values with several members, such as those of an enum with cases, NULL is NULL.
  @_disfavoredOverload
  public func `in`<Members: Sequence>(_ members: Members) -> SQLQueryExpression<Bool>
  where Members.Element == QueryValue.QueryUnwrapped.QueryOutput? {
    isMember(.in, of: members)
  }

  /// `self NOT IN (1, NULL)`: none of some values, of which some may be nil. As in SQL, it is never true if one is.
  @_disfavoredOverload
  public func notIn<Members: Sequence>(_ members: Members) -> SQLQueryExpression<Bool>
  where Members.Element == QueryValue.QueryUnwrapped.QueryOutput? {
    isMember(.notIn, of: members)
  }

  // The members are optional only so that these functions rank behind those above: values are expressions too.

  /// `self IN (a, b)`: one of some expressions, such as columns.
  @_disfavoredOverload
  public func `in`<Members: Sequence>(_ members: Members?) -> SQLQueryExpression<Bool>
  where
    Members.Element: QueryExpression, Members.Element.QueryValue: QueryRepresentable,
    Members.Element.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped
  {
    SQLQueryExpression(QueryValue.membership(.in, queryFragment, members?.map(\.queryFragment) ?? []))
  }

  /// `self NOT IN (a, b)`: none of some expressions. If one of them is NULL, or `self` is, it is never true.
  @_disfavoredOverload
  public func notIn<Members: Sequence>(_ members: Members?) -> SQLQueryExpression<Bool>
  where
    Members.Element: QueryExpression, Members.Element.QueryValue: QueryRepresentable,
    Members.Element.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped
  {
    SQLQueryExpression(QueryValue.membership(.notIn, queryFragment, members?.map(\.queryFragment) ?? []))
  }

  /// `self IN (SELECT ...)`: one of a query's values.
  public func `in`<Query: Statement>(_ query: Query) -> SQLQueryExpression<Bool>
  where Query.QueryValue: QueryRepresentable, Query.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    SQLQueryExpression(QueryValue.membership(.in, queryFragment, query))
  }

  /// `self NOT IN (SELECT ...)`: never true if the query returns a NULL.
  public func notIn<Query: Statement>(_ query: Query) -> SQLQueryExpression<Bool>
  where Query.QueryValue: QueryRepresentable, Query.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    SQLQueryExpression(QueryValue.membership(.notIn, queryFragment, query))
  }

  // Of `#sql` without a type, which these functions give it.

  /// `self IN (SELECT ...)`, of a query in SQL: `$0.id.in(#sql("SELECT …"))`.
  public func `in`(_ query: SQLQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(QueryValue.membership(.in, queryFragment, query))
  }

  /// `self NOT IN (SELECT ...)`, of a query in SQL.
  public func notIn(_ query: SQLQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(QueryValue.membership(.notIn, queryFragment, query))
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "The query must give one column, of the type of what is looked for in it.")
  public func `in`<Query: Statement>(_ query: Query) -> SQLQueryExpression<Bool> {
    .operation(.in, queryFragment, query.queryFragment)
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "The query must give one column, of the type of what is looked for in it.")
  public func notIn<Query: Statement>(_ query: Query) -> SQLQueryExpression<Bool> {
    .operation(.notIn, queryFragment, query.queryFragment)
  }

  private func isMember<Members: Sequence>(_ symbol: ASTOperator, of members: Members) -> SQLQueryExpression<Bool>
  where Members.Element == QueryValue.QueryUnwrapped.QueryOutput {
    let values = members.map { QueryValue.QueryUnwrapped.fragment(of: $0) }
    return SQLQueryExpression(QueryValue.membership(symbol, queryFragment, values))
  }

  private func isMember<Members: Sequence>(_ symbol: ASTOperator, of members: Members) -> SQLQueryExpression<Bool>
  where Members.Element == QueryValue.QueryUnwrapped.QueryOutput? {
    let values = members.map { Optional<QueryValue.QueryUnwrapped>.fragment(of: $0) }
    guard QueryValue.columnWidth == 1 else {
      return SQLQueryExpression(QueryValue.membership(symbol, queryFragment, values))
    }
    return SQLQueryExpression(.membership(symbol, queryFragment, values))
  }
}

extension Sequence where Element: QueryBindable {
  /// `[1, 2].contains($0.id)`.
  @_disfavoredOverload
  public func contains<E: QueryExpression>(_ element: E) -> SQLQueryExpression<Bool>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Element.QueryUnwrapped {
    SQLQueryExpression(.membership(.in, element.queryFragment, map(\.queryFragment)))
  }
}
