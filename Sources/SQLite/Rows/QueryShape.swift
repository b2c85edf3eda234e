internal import MartletQuery

/// A query as it runs: with a marker between the columns of its tables, so that each column's table is known.
///
/// Always true: SQLite says from which table a column comes, and not under which name the query reads it; of a table
/// that is joined with itself only the place tells. So a column of NULL stands behind each `*` but the last.
struct QueryShape: Sendable {
  /// No program calls a column so.
  private static let markerName = "martlet | martlet"

  private let items: [Node]
  private let clauses: QueryClauses

  init(_ query: QueryClauses) {
    var clauses = query
    // A union's queries have equal columns; nothing can be added to one of them.
    guard query.unions.isEmpty, query.columns.contains(where: \.isStar), Self.needsMarkers(query) else {
      items = query.columns
      self.clauses = clauses
      return
    }
    var items: [Node] = []
    for column in query.columns {
      if case .star(nil) = column.kind {
        items += ([query.from] + query.joins.map(\.query.from)).map { Node(.star(table: .column($0.alias ?? $0.name))) }
      } else {
        items.append(column)
      }
    }
    clauses.columns = []
    for (index, item) in items.enumerated() {
      clauses.columns.append(item)
      if item.isStar, index < items.count - 1 {
        clauses.columns.append(Node(.alias(.null, name: Self.markerName)))
      }
    }
    self.items = items
    self.clauses = clauses
  }

  private static func needsMarkers(_ query: QueryClauses) -> Bool {
    query.columns.count > 1 || !query.joins.isEmpty
  }

  var serialized: SerializedStatement { Node(.statement(clauses)).serialized }

  /// Where the columns of its result are.
  func layout(_ columns: [ResultColumn]) -> RowLayout {
    var tables = [String](repeating: "", count: columns.count)
    var selected: [Node]? = items.contains(where: \.isStar) ? nil : items
    if columns.contains(where: { $0.name == Self.markerName }) {
      var index = 0
      var nodes: [Node] = []
      for item in items {
        guard item.isStar else {
          nodes.append(item)
          index += 1
          continue
        }
        while index < columns.count, columns[index].name != Self.markerName {
          tables[index] = item.starTable
          nodes.append(Node(.column(schema: "", table: item.starTable, name: columns[index].name)))
          index += 1
        }
        if index < columns.count {
          nodes.append(Node(.raw("", [])))
          index += 1
        }
      }
      selected = nodes
    } else if selected == nil {
      let name = clauses.from.alias ?? clauses.from.name
      tables = tables.map { _ in name }
    }
    return RowLayout(columns, selected: selected, tables: tables)
  }
}

extension Node {
  var isStar: Bool { if case .star = kind { true } else { false } }

  fileprivate var starTable: String {
    if case .star(let table?) = kind { table.columnName ?? "" } else { "" }
  }
}
