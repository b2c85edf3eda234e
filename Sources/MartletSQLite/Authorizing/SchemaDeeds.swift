import CSQLite

/// What SQLite does in the name of a statement because the schema is as it is: it looks after foreign keys, and reads
/// the tables behind a full-text index or an R-tree when it opens one.
///
/// Always true: names are in lower case. It describes the schema as it was when it was read.
package struct SchemaDeeds: Sendable, Equatable {
  /// Virtual tables. Each has tables behind it whose names begin with its own.
  private var virtualTables: Set<String> = []
  private var views: Set<String> = []
  private var readColumns = ReadColumns()
  private var updatedColumns: [String: Set<String>] = [:]
  private var emptied: Set<String> = []

  package init() {}

  /// Without foreign keys.
  init(virtualTables: Set<String>, views: Set<String>) {
    self.virtualTables = virtualTables
    self.views = views
  }

  package func isVirtual(_ table: String) -> Bool { virtualTables.contains(table) }
  package var hasVirtualTables: Bool { !virtualTables.isEmpty }
  package func isView(_ table: String) -> Bool { views.contains(table) }

  func reads(_ table: String, _ column: String) -> Bool {
    readColumns.contains(table, column) || isBehindVirtualTable(table)
      || (!virtualTables.isEmpty && table == Self.counts)
  }

  func writes(_ action: Int32, _ table: String, _ column: String) -> Bool {
    if isBehindVirtualTable(table) { return true }
    return switch action {
    case SQLITE_UPDATE: updatedColumns[table]?.contains(column) ?? false
    case SQLITE_DELETE: emptied.contains(table)
    default: false
    }
  }

  func asksPragma(_ name: String) -> Bool { !virtualTables.isEmpty && name == "page_size" }

  /// What an R-tree reads to estimate its size.
  private static let counts = "sqlite_stat1"

  private func isBehindVirtualTable(_ table: String) -> Bool {
    guard !virtualTables.isEmpty, let end = table.lastIndex(of: "_") else { return false }
    return Self.endings.contains(String(table[end...])) && virtualTables.contains(String(table[..<end]))
  }

  private static let endings: Set<String> = [
    "_config", "_content", "_data", "_docsize", "_idx", "_segdir", "_segments", "_stat", "_node", "_parent", "_rowid",
  ]

  // MARK: - Foreign keys

  /// A foreign key, as the schema has it.
  struct ForeignKey {
    var child: String
    var parent: String
    var from: String
    /// Empty: the parent's primary key.
    var to: String
  }

  /// SQLite looks after a foreign key, because one of its tables is written to. `changesChild`: that may change or
  /// delete rows of the child.
  mutating func look(after key: ForeignKey, parentColumns: [String], changesChild: Bool) {
    for column in parentColumns { readColumns.insert(key.parent, column) }
    readColumns.insert(key.child, key.from)
    guard changesChild else { return }
    updatedColumns[key.child, default: []].insert(key.from)
    emptied.insert(key.child)
  }
}
