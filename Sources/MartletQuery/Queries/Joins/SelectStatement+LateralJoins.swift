import MartletAST
import MartletValues

/// Joins with rows that are made of each row, such as the elements of its JSON: `Reminder.join { $0.tags.jsonEach() }`.
///
/// Always true: the closure gets the columns of the tables before it.
extension SelectStatement {
  /// `JOIN json_each(...)`: each row with each of the rows that are made of it.
  public consuming func join<A: Table, B: Table>(
    _ rows: (A.TableColumns) -> some JoinableStatement<B>
  ) -> Select<(A, B), Tables2<A, B>> where Sources == Tables1<A>, QueryValue == Sources.Row {
    joined(.inner, LateralRows.open { rows(A.placedColumns(in: $0)) }, on: nil)
  }

  /// Joins rows that are made of two tables' rows.
  public consuming func join<A: Table, B: Table, C: Table>(
    _ rows: (A.TableColumns, B.TableColumns) -> some JoinableStatement<C>
  ) -> Select<(A, B, C), Tables3<A, B, C>> where Sources == Tables2<A, B>, QueryValue == Sources.Row {
    joined(.inner, LateralRows.open { rows(A.placedColumns(in: $0), B.placedColumns(in: $0)) }, on: nil)
  }

  /// Joins rows that are made of three tables' rows.
  public func join<A: Table, B: Table, C: Table, D: Table>(
    _ rows: (A.TableColumns, B.TableColumns, C.TableColumns) -> some JoinableStatement<D>
  ) -> Select<(A, B, C, D), Tables4<A, B, C, D>> where Sources == Tables3<A, B, C>, QueryValue == Sources.Row {
    joined(
      .inner, LateralRows.open { rows(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) },
      on: nil)
  }

  /// Rows that have none stay, with nil; the conditions of the closure's query are the join's, so that rows stay whose
  /// rows do not satisfy them: `Reminder.leftJoin { $0.tags.jsonEach().where { $0.value.neq("") } }`.
  public consuming func leftJoin<A: Table, B: Table>(
    _ rows: (A.TableColumns) -> some JoinableStatement<B>
  ) -> Select<(A, B.QueryOptional), Tables2<A, B.QueryOptional>>
  where Sources == Tables1<A>, QueryValue == Sources.Row {
    leftJoined(LateralRows.open { rows(A.placedColumns(in: $0)) })
  }

  /// The same of two tables' rows.
  public consuming func leftJoin<A: Table, B: Table, C: Table>(
    _ rows: (A.TableColumns, B.TableColumns) -> some JoinableStatement<C>
  ) -> Select<(A, B, C.QueryOptional), Tables3<A, B, C.QueryOptional>>
  where Sources == Tables2<A, B>, QueryValue == Sources.Row {
    leftJoined(LateralRows.open { rows(A.placedColumns(in: $0), B.placedColumns(in: $0)) })
  }

  /// There is no other place for the condition of such a join than the query of its rows.
  private consuming func leftJoined<Value, Joined: TableSources, Row: Table>(
    _ rows: LateralRows<Row>
  ) -> Select<Value, Joined> {
    var query = rows
    let conditions = query.takeConditions()
    return joined(.left, query, on: QueryFragment.all(of: conditions) ?? .literal(integer: 1))
  }
}

extension Table {
  /// Joins this table with rows that are made of each row.
  public static func join<B: Table>(
    _ rows: (TableColumns) -> some JoinableStatement<B>
  ) -> Select<(Self, B), Tables2<Self, B>> {
    Where<Self>().join(rows)
  }

  /// The same, in which rows that have none stay, with nil.
  public static func leftJoin<B: Table>(
    _ rows: (TableColumns) -> some JoinableStatement<B>
  ) -> Select<(Self, B.QueryOptional), Tables2<Self, B.QueryOptional>> {
    Where<Self>().leftJoin(rows)
  }
}

/// Rows that a closure made of the tables' rows.
private struct LateralRows<Joined: Table>: JoinableStatement {
  private(set) var joinedParts: JoinedQuery

  /// Takes the conditions out of the query, but for those of a default scope, which the join places.
  mutating func takeConditions() -> [QueryFragment] {
    var parts = joinedParts.parts
    parts.becomeJoinable(Joined.self)
    defer { joinedParts = JoinedQuery(parts: parts) }
    defer { parts.predicates = [] }
    return parts.predicates
  }

  static func open(_ rows: (ColumnPlace) -> some JoinableStatement<Joined>) -> LateralRows {
    LateralRows(joinedParts: JoinedQuery(parts: ColumnPlace.open { rows($0).joinedParts.parts }))
  }
}
