/// The conditions of default scopes that have yet to find their place, and queries in the places of tables.
///
/// Always true: a query in a table's place returns the table's own columns, under the names that they had.
extension SelectParts {
  /// With those conditions in WHERE that have no place yet.
  var settled: SelectParts {
    var parts = self
    parts.settle()
    return parts
  }

  /// With its columns named, and everything in its place.
  mutating func settleAll() {
    if hasNamesOnly { return }
    settle()
    nameRows()
  }

  mutating func settle() {
    guard hasSource(where: { $0.pending?.isPlaced == false }) else { return }
    var waiting: [PendingScope] = []
    eachSource { source in
      guard let pending = source.pending, !pending.isPlaced else { return }
      waiting.append(pending)
      source.pending?.isPlaced = true
    }
    // From the last place to the first, so that inserting conditions does not move a place that is still to come.
    let places = waiting.indices.sorted { (waiting[$0].position, $0) > (waiting[$1].position, $1) }
    for pending in places.map({ waiting[$0] }) {
      predicates.insert(contentsOf: pending.conditions, at: min(pending.position, predicates.count))
      isNone = isNone || pending.isNone
    }
  }

  /// Where the conditions of its scopes are among those of the query that it is joined to.
  mutating func move(behind count: Int) {
    guard count > 0, hasSource(where: { $0.pending != nil }) else { return }
    eachSource { $0.pending?.position += count }
  }

  mutating func eachSource(_ change: (inout SourceFragment) -> Void) {
    source?.each(change)
    if joins.isEmpty { return }
    for index in joins.indices { joins[index].source.each(change) }
  }

  /// If it chooses among the rows of one table, that choice becomes a query in the table's place.
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
}

extension SourceFragment {
  /// A query of the table's rows in its place.
  func asQuery(_ rows: SelectParts) -> SourceFragment {
    var source = self
    // A query is in no schema. Columns that name a schema get other names when the statement is written.
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
  /// The columns that a query in the table's place returns.
  static var ownColumns: [QueryFragment] { TableColumns.allColumns.map { .column($0.name, of: Self.self) } }
}
