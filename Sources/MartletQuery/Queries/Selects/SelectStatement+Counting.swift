import MartletAST

/// Counts of a query's rows, whatever clauses it has.
extension SelectStatement {
  /// `count(*)`, per group if there are groups. Of a query with DISTINCT, a limit or an aggregate: of the rows that
  /// it returns.
  public func count() -> Select<Int, Sources> { counted(filter: nil) }

  /// `count(*) FILTER (WHERE condition)`: of the rows for which the condition holds; behind a limit, of those within
  /// it. Of an aggregate it is refused: the rows that it is made of are not the query's.
  public func count<E: QueryExpression>(filter: (Sources.Columns) -> E) -> Select<Int, Sources>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    counted(filter: ColumnPlace.open { filter(Sources.placedColumns(in: $0)).queryFragment })
  }

  private func counted(filter: QueryFragment?) -> Select<Int, Sources> {
    var select = asSelect().changed { $0 = $0.scoped }
    let isCut = select.parts.limit != nil || select.parts.offset != nil
    let mayBeOneRow = select.parts.mayBeOneRow || (filter == nil && select.parts.hasSubquery)
    guard isCut || select.parts.distinct || mayBeOneRow else {
      let call = QueryFragment(.function(FunctionCall(name: "count", star: true, filter: filter)))
      // One row needs no order; the rows of groups do.
      if select.parts.group.isEmpty { select.parts.order = [] }
      return select.retyped([call])
    }
    guard let filter else { return Select<Int, Sources>(parts: .count(of: StatementFragment(select.complete))) }
    if isCut || select.parts.makesRows { return select.countedWithin(filter) }
    select.parts.predicates.append(filter)
    return Select<Int, Sources>(parts: .count(of: StatementFragment(select.complete)))
  }
}

extension SelectParts {
  /// True if an aggregate may make one row of all.
  fileprivate var mayBeOneRow: Bool {
    group.isEmpty && (columns.contains(where: \.mayMakeOneRow) || order.contains(where: \.fragment.mayMakeOneRow))
  }

  /// True if a subquery may have an aggregate of its rows.
  fileprivate var hasSubquery: Bool { group.isEmpty && columns.contains(where: \.hasSubquery) }

  /// True if each of its rows is made of several.
  fileprivate var makesRows: Bool { mayBeOneRow || !group.isEmpty || !having.isEmpty }
}

extension Select {
  /// Counts the rows within the limit for which the condition holds. The condition is computed inside of the limited
  /// query, and tested outside.
  fileprivate func countedWithin(_ filter: QueryFragment) -> Select<Int, Sources> {
    let holds = "holds"
    let rows: Select<Bool, Sources> = retyped([QueryFragment(.aliased(filter, name: holds))])
    var count = SelectParts.count(of: StatementFragment(rows.complete))
    count.predicates = [.column(holds, table: "")]
    if parts.distinct || parts.makesRows {
      let reason =
        "Which rows a filter is asked of, an aggregate and a limit of groups or of distinct rows do not say. "
        + "Write the condition with 'where' or 'having', and 'count()'."
      count.predicates = [.bind(.invalid(QueryBindingFailure(reason)))]
    }
    return Select<Int, Sources>(parts: count)
  }
}
