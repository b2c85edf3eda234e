import MartletAST

/// Adds a table's default scope to a query.
///
/// Always true: the clauses of the scope come first, and what both have is there once.
extension SelectParts {
  /// With the clauses of its default scopes, each in its place.
  var scoped: SelectParts { withScope.settled }

  /// With the clauses of the first table's default scope.
  var withScope: SelectParts {
    var parts = self
    parts.addScope()
    return parts
  }

  mutating func addScope() {
    if scope != nil { addScope(clausesOfScope) }
  }

  /// Adds what `clausesOfScope` returned.
  mutating func addScope(_ own: SelectParts?) {
    let table = scope
    scope = nil
    guard let own, let table else { return }
    self = own.hasLimitOfRows && gathersRows ? gathering(own, of: table) : adding(own)
  }

  /// What its default scope still has to add to it; nil if that is nothing.
  var clausesOfScope: SelectParts? { isNone ? nil : scope?.scopeParts }

  /// True if these conditions are its first ones.
  func begins(with conditions: [QueryFragment]) -> Bool {
    predicates.prefix(conditions.count).map(PredicateIdentity.init) == conditions.map(PredicateIdentity.init)
  }

  private func adding(_ own: SelectParts) -> SelectParts {
    var parts = own
    parts.distinct = own.distinct || distinct
    if !columns.isEmpty { parts.columns = columns }
    // A scope of rows that the program holds has a source of its own.
    if own.source?.subquery == nil, let source {
      parts.source = source
      parts.source?.hint = source.hint ?? own.source?.hint
    }
    parts.joins += joins
    parts.predicates = QueryFragment.merged(own.predicates, predicates)
    parts.group = QueryFragment.merged(own.group, group)
    parts.having = QueryFragment.merged(own.having, having)
    parts.windows += windows
    parts.order = OrderingTerm.merged(own.order, order)
    parts.limit = limit ?? own.limit
    parts.offset = offset ?? own.offset
    parts.isNone = own.isNone || isNone
    return parts
  }

  /// For groups, aggregates, windows and distinct rows of a scope with a limit: the limit must choose the table's rows
  /// first, and not limit the groups. A table without a key, such as a view, becomes a query in its place.
  private func gathering(_ own: SelectParts, of table: any Table.Type) -> SelectParts {
    var chosen = SelectParts()
    chosen.source = source
    chosen.predicates = predicates
    chosen = chosen.adding(own)
    var parts = self
    if table.rowKeyNames == ["rowid"] {
      parts.source = chosen.asWhole(table).source
      parts.predicates = []
    } else {
      parts.source?.hint = source?.hint ?? own.source?.hint
      parts.predicates = chosen.restriction(of: table)
    }
    parts.distinct = own.distinct || distinct
    parts.windows = own.windows + windows
    parts.order = OrderingTerm.merged(own.order, order)
    return parts
  }

  private var hasLimitOfRows: Bool {
    (limit != nil || offset != nil) && group.isEmpty && having.isEmpty && source?.subquery == nil
  }

  /// True if its rows, or values in them, are made from several rows of its table.
  private var gathersRows: Bool {
    let expressions = columns + order.map(\.fragment)
    return distinct || !group.isEmpty || !having.isEmpty || expressions.contains(where: \.mayReadManyRows)
  }

  /// True if its rows depend on more than conditions.
  var choosesRows: Bool {
    limit != nil || offset != nil || !group.isEmpty || !having.isEmpty || source?.subquery != nil || !joins.isEmpty
  }

  /// Conditions for exactly the rows that it returns of one table: its own conditions, or that a row's key is among the
  /// keys of its rows.
  func restriction<Base: Table>(of table: Base.Type) -> [QueryFragment] {
    guard choosesRows, !isNone else { return allPredicates }
    let key = Base.rowKeyNames.map { QueryFragment.column($0, of: Base.self) }
    var rows = self
    rows.columns = key
    rows.distinct = false
    return [.operation(.in, .row(key), QueryFragment(.subquery(StatementFragment(rows))))]
  }
}
