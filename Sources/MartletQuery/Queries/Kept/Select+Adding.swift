/// Queries of one table that are added to one another: `flagged + Reminder.order(by: \.title)`.
///
/// Always true: conditions of both hold, and clauses of the second stand behind those of the first. If one of both has
/// the default scope, so has the result. What one statement cannot say is refused when it is built.
extension Select where Sources: SingleTable, QueryValue == Sources.Row {
  /// The clauses of both queries of a table's rows.
  public static func + (left: Select, right: Select) -> Select {
    left.changed { $0 = left.unchosen.parts.adding(right.unchosen.parts, of: Sources.First.self) }
  }

  /// The clauses of a query of a table's rows, before those of one that chose columns, or of a join.
  @_disfavoredOverload
  public static func + <Value, Tables: TableSources>(
    left: Select, right: Select<Value, Tables>
  ) -> Select<Value, Tables> where Tables.First.QueryUnwrapped == Sources.First {
    right.changed { $0 = left.unchosen.parts.adding($0, of: Sources.First.self) }
  }
}

extension Select {
  /// The clauses of a query of a table's rows, behind those of any query that begins with the table.
  @_disfavoredOverload
  public static func + <Query: SelectStatementOf>(left: Select, right: Query) -> Select
  where Query.From == Sources.First.QueryUnwrapped {
    left.changed { $0 = $0.adding(right.unchosen.parts, of: Query.From.self) }
  }
}

extension Where {
  /// The conditions, before the clauses of any query that begins with the table.
  public static func + <Value, Tables: TableSources>(
    left: Where, right: Select<Value, Tables>
  ) -> Select<Value, Tables> where Tables.First.QueryUnwrapped == From {
    right.changed { $0 = left.asSelect().parts.adding($0, of: From.self) }
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
