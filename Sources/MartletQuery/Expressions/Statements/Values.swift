/// `SELECT 1, 'x'`, or `VALUES (...), (...)`: a query of rows that the program holds.
///
/// Always true: every row has as many columns as the first.
public struct Values<QueryValue>: Statement, Sendable, CustomStringConvertible {
  var parts: ValuesParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }

  /// One row of one column.
  public init<E: QueryExpression>(_ expression: E) where QueryValue == E.QueryValue {
    parts = ValuesParts(rows: [expression.columnFragments])
  }

  /// One row of several columns.
  @_disfavoredOverload
  public init<each E: QueryExpression>(_ expression: repeat each E) where QueryValue == (repeat (each E).QueryValue) {
    var row: [QueryFragment] = []
    for column in repeat each expression { row += column.columnFragments }
    parts = ValuesParts(rows: [row])
  }

  /// Another row of one column, or of a selection.
  public func row<E: QueryExpression>(_ expression: E) -> Values where QueryValue == E.QueryValue {
    var result = self
    result.parts.rows.append(expression.columnFragments)
    return result
  }

  /// Another row of the same columns.
  @_disfavoredOverload
  public func row<each E: QueryExpression>(_ expression: repeat each E) -> Values
  where QueryValue == (repeat (each E).QueryValue) {
    var row: [QueryFragment] = []
    for column in repeat each expression { row += column.columnFragments }
    var result = self
    result.parts.rows.append(row)
    return result
  }
}
