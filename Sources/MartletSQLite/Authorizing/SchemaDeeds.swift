import CSQLite

/// What SQLite does in the name of a statement because the schema is as it is: it looks after foreign keys, and reads
/// the tables behind a full-text index or an R-tree when it opens one.
///
/// Always true: names are in lower case. It is what the schema was when it was read.
package struct SchemaDeeds: Sendable, Equatable {
  /// Each has tables behind it whose names begin with its own.
  private var virtualTables: Set<String> = []
  private var views: Set<String> = []
  private var readColumns = ReadColumns()
  private var updatedColumns: [String: Set<String>] = [:]
  private var emptied: Set<String> = []

  package init() {}

  /// The virtual tables and views alone.
  package init(on connection: Connection) throws(SQLiteError) {
    let statement = try connection.prepare(FixedSQL.virtualTablesAndViews, for: .engine)
    while try statement.step() {
      let name = statement.name(at: 0)
      if statement.name(at: 1) == "view" { views.insert(name) } else { virtualTables.insert(name) }
    }
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

  private struct Key {
    var child: String
    var parent: String
    var from: String
    /// Empty: the parent's primary key.
    var to: String
  }

  /// The same with what the foreign keys do of tables that are written to, and of those that these write to.
  func following(keysOf tables: Set<String>, on connection: Connection) throws(SQLiteError) -> SchemaDeeds {
    var keys: [Key] = []
    let statement = try connection.prepare(FixedSQL.foreignKeys, for: .engine)
    while try statement.step() {
      keys.append(
        Key(
          child: statement.name(at: 0), parent: statement.name(at: 1), from: statement.name(at: 2),
          to: statement.name(at: 3)))
    }
    var deeds = self
    var waiting = Array(tables)
    var known = tables
    while let table = waiting.popLast() {
      for key in keys where key.child == table || key.parent == table {
        let columns =
          key.to.isEmpty ? try Self.primaryKey(of: key.parent, on: connection) : [key.to]
        for column in columns { deeds.readColumns.insert(key.parent, column) }
        deeds.readColumns.insert(key.child, key.from)
        guard key.parent == table else { continue }
        deeds.updatedColumns[key.child, default: []].insert(key.from)
        deeds.emptied.insert(key.child)
        if known.insert(key.child).inserted { waiting.append(key.child) }
      }
    }
    return deeds
  }

  private static func primaryKey(of table: String, on connection: Connection) throws(SQLiteError) -> [String] {
    let statement = try connection.prepare(FixedSQL.primaryKey, for: .engine)
    try statement.bindText(table, at: 1)
    var columns: [String] = []
    while try statement.step() { columns.append(statement.name(at: 0)) }
    return columns
  }
}

extension Connection {
  /// All columns of a table or view, hidden ones too, in lower case; none if it is not there.
  package func columnNames(of table: String) throws(SQLiteError) -> [String] {
    let statement = try prepare(FixedSQL.columnNames, for: .engine)
    try statement.bindText(table, at: 1)
    var names: [String] = []
    while try statement.step() { names.append(statement.name(at: 0)) }
    return names
  }
}

extension Statement {
  /// A name in the current row, in lower case; empty for NULL.
  fileprivate func name(at index: Int) -> String {
    let bytes = value(at: index).textBytes
    return String(decoding: bytes.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
