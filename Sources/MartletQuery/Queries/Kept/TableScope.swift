/// A query that a table keeps as a static property: what may stand in the middle of a chain, behind conditions, an
/// order, a limit or a join.
public protocol TableScope {
  /// The table whose rows the query reads.
  associatedtype ScopedTable
  /// The query behind clauses of another one.
  associatedtype Continuation

  /// Its clauses, without its types.
  var keptClauses: JoinedQuery { get }
  /// The query of those rows only that `scope` has.
  func narrowed<Base: Table>(by scope: Where<Base>) -> Self
  /// The query with other clauses in the place of its own.
  func replacing(_ clauses: JoinedQuery) -> Continuation
}

extension Where: TableScope {
  /// The table itself.
  public typealias ScopedTable = From

  /// The clauses of the SELECT that it is.
  public var keptClauses: JoinedQuery { asSelect().joinedParts }

  /// The rows that both have: the other scope's filters come first.
  public func narrowed<Base: Table>(by scope: Where<Base>) -> Where {
    var result = self
    result.predicates = QueryFragment.merged(scope.predicates, predicates)
    result.isScoped = scope.isScoped && isScoped
    result.isNone = scope.isNone || isNone
    result.hint = scope.hint ?? hint
    result.commonName = scope.commonName ?? commonName
    result.isBare = scope.isBare && isBare
    return result
  }

  /// Conditions behind an order or a limit are a SELECT.
  public func replacing(_ clauses: JoinedQuery) -> SelectOf<From> { SelectOf<From>(parts: clauses.parts) }
}

extension Select: TableScope {
  /// The first table of a right join is optional.
  public typealias ScopedTable = Sources.First.QueryUnwrapped

  /// Its own clauses.
  public var keptClauses: JoinedQuery { JoinedQuery(parts: parts) }

  /// The query, with the scope's filters before its own. An unscoped query stays unscoped.
  public consuming func narrowed<Base: Table>(by scope: Where<Base>) -> Select {
    changed { parts in
      let isJoined = !parts.joins.isEmpty
      // A default scope that chooses among rows has chosen those of the join already.
      let hasChosen = isJoined && parts.source?.pending == nil && parts.source?.subquery != nil
      parts.predicates = QueryFragment.merged(hasChosen ? scope.restriction : scope.predicates, parts.predicates)
      if !scope.isScoped, !isJoined { parts.scope = nil }
      parts.isNone = parts.isNone || scope.isNone
      if let hint = scope.hint { parts.source?.hint = hint.tree }
    }
  }

  /// A SELECT of the same rows with these clauses.
  public func replacing(_ clauses: JoinedQuery) -> Select { Select(parts: clauses.parts) }
}

// MARK: - Behind a query

extension Select where Sources: SingleTable, QueryValue == Sources.Row {
  /// A query that the table keeps, behind this one: `Reminder.order(by: \.title).withTags`.
  public subscript<Query: TableScope>(dynamicMember path: KeyPath<QueryValue.Type, Query>) -> Query.Continuation
  where Query.ScopedTable == QueryValue {
    let kept = QueryValue.self[keyPath: path]
    let parts = unchosen.parts.continued(by: kept.keptClauses.parts, of: Sources.First.self)
    return kept.replacing(JoinedQuery(parts: parts))
  }
}

extension Select {
  /// A query of the first table's rows that the table keeps, behind a join or chosen columns, which stay.
  @_disfavoredOverload
  public subscript<First: Table, Query: TableScope>(
    dynamicMember path: KeyPath<First.Type, Query>
  ) -> Select where First == Sources.First.QueryUnwrapped, Query.Continuation == SelectOf<First> {
    let kept = First.self[keyPath: path].keptClauses.parts
    return changed { $0 = $0.continued(by: kept.withoutWholeRows(First.columns.columnFragments), of: First.self) }
  }

  /// A join that the table keeps, behind another one.
  @_disfavoredOverload
  public subscript<First: Table, A: Table, B: Table, C: Table>(
    dynamicMember path: KeyPath<First.Type, Select<(First, C), Tables2<First, C>>>
  ) -> Select<(A, B, C), Tables3<A, B, C>>
  where Sources == Tables2<A, B>, QueryValue == (A, B), First == A.QueryUnwrapped {
    Select<(A, B, C), Tables3<A, B, C>>(parts: joined(to: First.self[keyPath: path].parts, of: First.self))
  }

  /// A join of three tables that the table keeps, behind one of two.
  @_disfavoredOverload
  public subscript<First: Table, A: Table, B: Table, C: Table, D: Table>(
    dynamicMember path: KeyPath<First.Type, Select<(First, C, D), Tables3<First, C, D>>>
  ) -> Select<(A, B, C, D), Tables4<A, B, C, D>>
  where Sources == Tables2<A, B>, QueryValue == (A, B), First == A.QueryUnwrapped {
    Select<(A, B, C, D), Tables4<A, B, C, D>>(
      parts: joined(to: First.self[keyPath: path].parts, of: First.self))
  }

  /// A join of two tables that the table keeps, behind one of three.
  @_disfavoredOverload
  public subscript<First: Table, A: Table, B: Table, C: Table, D: Table>(
    dynamicMember path: KeyPath<First.Type, Select<(First, D), Tables2<First, D>>>
  ) -> Select<(A, B, C, D), Tables4<A, B, C, D>>
  where Sources == Tables3<A, B, C>, QueryValue == (A, B, C), First == A.QueryUnwrapped {
    Select<(A, B, C, D), Tables4<A, B, C, D>>(
      parts: joined(to: First.self[keyPath: path].parts, of: First.self))
  }
}

extension Select {
  private func joined<First: Table>(to kept: SelectParts, of table: First.Type) -> SelectParts {
    unchosen.parts.continued(by: kept, of: table)
  }
}

extension Select where Sources.First: TableDraft {
  /// A scope of the drafts' table: `Reminder.Draft.all.order(by: \.title).incomplete`.
  public subscript(
    dynamicMember path: KeyPath<Sources.First.PrimaryTable.Type, Where<Sources.First.PrimaryTable>>
  ) -> Select {
    let kept = Sources.First.PrimaryTable.self[keyPath: path].keptClauses.parts
    return changed { $0 = $0.continued(by: kept, of: Sources.First.self) }
  }
}
