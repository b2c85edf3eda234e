import MartletAST

/// A query as a side of a join, and two of them as one.
///
/// Always true: the default scope of a table holds for its rows, whichever side a join may leave out.
extension SelectParts {
  /// Ready to be joined: with the clauses of its default scope, whose conditions are placed later. If the scope chooses
  /// among rows, the table becomes a query of its own.
  mutating func becomeJoinable<T: Table>(_ table: T.Type) {
    guard joins.isEmpty, source?.joins.isEmpty == true, source?.pending == nil else { return }
    guard let own = table.scopeParts else { return addScope() }
    let isScoped = scope != nil && !isNone
    guard isScoped || isAsScope(own) else { return addScope() }
    if !own.isNone { addScope() }
    if own.choosesRows, !own.isNone {
      self = asWhole(table)
      return
    }
    scope = nil
    isNone = false
    if own.isNone, !isScoped { limit = nil }
    let count = own.isNone ? 0 : own.predicates.count
    let conditions = Array(predicates.prefix(count))
    source?.pending = PendingScope(conditions: conditions, isNone: own.isNone, columns: table.ownColumns)
    predicates.removeFirst(count)
  }

  /// True if a query has what the scope has: it begins with the scope's conditions, and chooses rows if the scope does;
  /// or both are empty. A type's own `all` is a query like any other.
  private func isAsScope(_ own: SelectParts) -> Bool {
    if isNone || own.isNone { return isNone && own.isNone }
    return scope == nil && begins(with: own.predicates) && (choosesRows || !own.choosesRows)
  }

  /// Adds what is joined, with its clauses. `self` and `other` are ready to be joined.
  mutating func add(_ kind: ASTJoin.Kind, _ other: consuming SelectParts, on condition: QueryFragment?) {
    var joined = other
    joined.move(behind: predicates.count)
    var on = condition
    switch kind {
    case .left: on = QueryFragment.all(of: condition, joined.takeConditions())
    case .right: on = QueryFragment.all(of: condition, takeConditions())
    case .full:
      placeQueries()
      joined.placeQueries()
    default: break
    }
    if let source = joined.source { join(kind, source, on: on) }
    joins += joined.joins
    distinct = distinct || joined.distinct
    isNone = isNone || joined.isNone
    windows += joined.windows
    columns += joined.columns
    predicates += joined.predicates
    group += joined.group
    having += joined.having
    order += joined.order
    limit(
      by: joined,
      orRefuse:
        "Both queries of a join have a limit, and the join can have one. Say 'limit' behind the join, or make a "
        + "common table of one of them.")
  }

  /// One statement has one limit.
  mutating func limit(by joined: SelectParts, orRefuse reason: String) {
    guard joined.limit != nil || joined.offset != nil else { return }
    guard limit == nil, offset == nil else {
      limit = .bind(.invalid(QueryBindingFailure(reason)))
      return
    }
    limit = joined.limit
    offset = joined.offset
  }

  /// The conditions that have no place yet, for the join that may leave out everything so far.
  private mutating func takeConditions() -> [QueryFragment] {
    var conditions: [QueryFragment] = []
    eachSource { conditions += $0.takeCondition() }
    return conditions
  }

  /// Its scopes as queries in the places of their tables.
  private mutating func placeQueries() { eachSource { $0.placeQuery() } }
}

extension SourceFragment {
  fileprivate mutating func takeCondition() -> [QueryFragment] {
    guard let scope = pending, !scope.isPlaced else { return [] }
    pending?.isPlaced = true
    return scope.all
  }

  fileprivate mutating func placeQuery() {
    guard let scope = pending, !scope.isPlaced else { return }
    var rows = SelectParts()
    rows.source = first
    rows.predicates = scope.all
    rows.columns = scope.columns
    let joins = joins
    self = asQuery(rows)
    self.joins = joins
    pending?.isPlaced = true
  }
}
