import MartletAST

/// The conditions of a table's default scope where the table is joined.
///
/// Always true: a join sees the rows of the scope and no others, and a side that it may leave out is left out, not the
/// other side's rows with it. So the conditions stand in WHERE only while no join may leave their table out; behind a
/// join that does they are part of its ON, and of a full join a query in the table's place.
struct PendingScope: Sendable {
  var conditions: [QueryFragment]
  /// How many of the query's own conditions stand before them.
  var position = 0
  /// The scope has no rows.
  var isNone = false
  /// They have their place, outside of WHERE.
  var isPlaced = false
  /// The columns that its table has.
  var columns: [QueryFragment]

  /// What holds for its rows, where something is in its way in WHERE.
  fileprivate var all: [QueryFragment] { isNone ? [.literal(integer: 0)] : conditions }
}

extension SelectParts {
  /// Ready to be joined: with the clauses of its default scope, of which the conditions have yet to find their place.
  /// A scope that chooses among rows makes a query of its own of the table.
  func joinable<T: Table>(_ table: T.Type) -> SelectParts {
    guard joins.isEmpty, source?.joins.isEmpty == true, source?.pending == nil else { return self }
    guard let own = table.defaultScope.parts else { return withScope }
    let isScoped = scope != nil && !isNone
    guard isScoped || isAsScope(own) else { return withScope }
    if own.choosesRows, !own.isNone { return withScope.asWhole(table) }
    var parts = own.isNone ? self : withScope
    parts.scope = nil
    parts.isNone = false
    if own.isNone { parts.limit = isScoped ? limit : nil }
    let count = own.isNone ? 0 : own.predicates.count
    parts.source?.pending = PendingScope(
      conditions: Array(parts.predicates.prefix(count)), isNone: own.isNone, columns: table.ownColumns)
    parts.predicates.removeFirst(count)
    return parts
  }

  /// A type's own 'all' is a query as any other, which begins with the conditions of the scope, and chooses rows if it
  /// does, or is as empty.
  private func isAsScope(_ own: SelectParts) -> Bool {
    if isNone || own.isNone { return isNone && own.isNone }
    return scope == nil && begins(with: own.predicates) && (choosesRows || !own.choosesRows)
  }

  /// With those conditions in WHERE that have no place yet.
  var settled: SelectParts {
    guard hasSource(where: { $0.pending?.isPlaced == false }) else { return self }
    var waiting: [PendingScope] = []
    var parts = self
    parts.eachSource { source in
      guard let pending = source.pending, !pending.isPlaced else { return }
      waiting.append(pending)
      source.pending?.isPlaced = true
    }
    // From the last place to the first, so that no place moves before its conditions are there.
    let places = waiting.indices.sorted { (waiting[$0].position, $0) > (waiting[$1].position, $1) }
    for pending in places.map({ waiting[$0] }) {
      parts.predicates.insert(contentsOf: pending.conditions, at: min(pending.position, parts.predicates.count))
      parts.isNone = parts.isNone || pending.isNone
    }
    return parts
  }

  /// The conditions that have no place yet, for the join that may leave out everything so far.
  fileprivate mutating func takeConditions() -> [QueryFragment] {
    var conditions: [QueryFragment] = []
    eachSource { conditions += $0.takeCondition() }
    return conditions
  }

  /// Its scopes as queries in the places of their tables.
  fileprivate mutating func placeQueries() { eachSource { $0.placeQuery() } }

  /// Where the conditions of its scopes stand among those of the query that it is joined to.
  mutating func move(behind count: Int) { eachSource { $0.pending?.position += count } }

  private mutating func eachSource(_ change: (inout SourceFragment) -> Void) {
    source?.each(change)
    for index in joins.indices { joins[index].source.each(change) }
  }

  /// What chooses among the rows of one table as a query in its place, within which the columns are looked for.
  func asWhole(_ table: any Table.Type) -> SelectParts {
    var parts = self
    parts.predicates = []
    parts.group = []
    parts.having = []
    parts.limit = nil
    parts.offset = nil
    var rows = self
    rows.windows = []
    rows.distinct = false
    rows.columns = table.ownColumns
    parts.source = source?.asQuery(rows)
    return parts
  }

  /// Adds what is joined, with its clauses. `self` and `other` are ready to be joined.
  mutating func add(_ kind: ASTJoin.Kind, _ other: SelectParts, on condition: QueryFragment?) {
    var joined = other
    joined.move(behind: predicates.count)
    var conditions = [condition].compactMap { $0 }
    switch kind {
    case .left: conditions += joined.takeConditions()
    case .right: conditions += takeConditions()
    case .full:
      placeQueries()
      joined.placeQueries()
    default: break
    }
    if let source = joined.source { join(kind, source, on: QueryFragment.all(of: conditions)) }
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
}

extension SourceFragment {
  /// It, and what is joined to it within parentheses.
  fileprivate mutating func each(_ change: (inout SourceFragment) -> Void) {
    change(&self)
    for index in joins.indices { joins[index].source.each(change) }
  }

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

  /// A query of the table's rows in its place.
  func asQuery(_ rows: SelectParts) -> SourceFragment {
    var source = self
    // A query is in no schema. Columns that name one are called otherwise when the statement is written.
    let schema = alias == nil && fragment == nil ? schema ?? "" : ""
    source.schema = schema.isEmpty ? nil : schema
    source.alias = schema.isEmpty ? qualifier : "\(schema).\(name)"
    source.subquery = StatementFragment(rows.namingRows)
    source.fragment = nil
    source.arguments = nil
    source.hint = nil
    return source
  }
}

extension Table {
  /// The columns that a query in the table's place gives.
  static var ownColumns: [QueryFragment] { TableColumns.allColumns.map { .column($0.name, of: Self.self) } }
}
