/// Queries of one table that are added to one another: `flagged + Reminder.order(by: \.title)`.
///
/// Always true: conditions of both hold, and clauses of the second stand behind those of the first. If one of both has
/// the default scope, so has the result. What one statement cannot say is refused when it is built.
extension Select {
  /// The clauses of a query of a table's rows, before those of any query that begins with the table.
  public static func + <Query: SelectStatementOf>(left: Query, right: Select) -> Select
  where Query.From == Sources.First.QueryUnwrapped {
    right.changed { $0 = left.unchosen.parts.adding($0, of: Query.From.self) }
  }

  /// The clauses of a query of a table's rows, behind those of any query that begins with the table.
  @_disfavoredOverload
  public static func + <Query: SelectStatementOf>(left: Select, right: Query) -> Select
  where Query.From == Sources.First.QueryUnwrapped {
    left.changed { $0 = $0.adding(right.unchosen.parts, of: Query.From.self) }
  }

  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "Add queries of one table of which one chose columns at most. Choose them behind: (a + b).select { … }."
  )
  /// Never compiles: the columns that two queries chose make no one `SELECT`.
  public static func + <Value, Tables: TableSources>(left: Select, right: Select<Value, Tables>) -> Select {
    fatalError("because it is unavailable, nothing calls this")
  }
}

extension SelectParts {
  fileprivate func adding<T: Table>(_ other: SelectParts, of table: T.Type) -> SelectParts {
    var (first, second) = (self, other)
    if joins.isEmpty, other.joins.isEmpty {
      first.scope = scope ?? other.scope
      second.scope = first.scope
    } else if first.isUnscoped(table) != second.isUnscoped(table) {
      let reason =
        "Of a join and another query of '\(T.tableName)' one is unscoped, and the other is not. Say 'unscoped' in "
        + "both, or in none."
      first.predicates.append(.bind(.invalid(QueryBindingFailure(reason))))
    }
    return first.continued(by: second, of: table)
  }
}
