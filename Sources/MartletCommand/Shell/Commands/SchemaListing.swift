import MartletAST
import MartletClient
import MartletValues

/// What `.tables` and `.schema` show of a database.
///
/// Always true: the tables that SQLite and its modules keep for themselves are not shown.
enum SchemaListing {
  private static let statement = ASTStatement.select(
    ["type", "name", "tbl_name", "sql"], from: .table("sqlite_schema"), orderBy: ["tbl_name", "type", "name"])

  struct Entry: Equatable {
    var type: String
    var name: String
    var table: String
    var sql: String
  }

  static func entries(of database: some StatementExecutor) async throws -> [Entry] {
    let rows = try await database.fetchAll(RemoteStatement(statement))
    return try rows.map { row in
      Entry(
        type: try row.get(String.self, 0), name: try row.get(String.self, 1), table: try row.get(String.self, 2),
        sql: try row.get(String?.self, 3) ?? "")
    }
  }

  /// Of the server's SQLite.
  static func libraryVersion(of database: any StatementExecutor) async throws -> String {
    let statement = try RemoteStatement(.values([[.function("sqlite_version")]]))
    return try await database.fetchOne(statement)?.get(String.self, 0) ?? ""
  }

  /// The tables and their columns, for completion.
  static func words(of database: any StatementExecutor) async throws -> CompletionWords {
    var words = CompletionWords(commands: DotCommand.names)
    let columns = try RemoteStatement(.select(["name"], ofNamed: "pragma_table_info"))
    // A schema of thousands of tables is not worth the wait.
    let tables = visible(try await entries(of: database)).filter { ["table", "view"].contains($0.type) }
    let deadline = Duration.seconds(CommandLimits.completedTableSeconds)
    for entry in tables.prefix(CommandLimits.completedTablesMax) {
      let rows = try await database.fetchAll(columns, [.text(entry.name)], deadline: deadline)
      words.tables.append((entry.name, try rows.map { try $0.get(String.self, 0) }))
    }
    return words
  }

  /// Tables and views; those whose name is LIKE `pattern` if there is one.
  static func tables(_ entries: [Entry], pattern: String? = nil, types: Set<String> = ["table", "view"]) -> String {
    let names = tableNames(entries, types: types)
    let wanted = names.filter { name in pattern.map { LikePattern.matches(name, $0) } ?? true }
    return wanted.sorted().map { CellText.escaped($0) + "\n" }.joined()
  }

  static func tableNames(_ entries: [Entry], types: Set<String> = ["table", "view"]) -> [String] {
    visible(entries).filter { types.contains($0.type) }.map(\.name)
  }

  /// The table or pattern that a person means: the database has one schema, whose name, SQLite's or that of others, may
  /// stand before the table's. A table that is called so comes first.
  static func meant(by name: String, _ entries: [Entry]) -> String {
    let isThere = entries.contains { $0.name.lowercasedASCII == name.lowercasedASCII }
    let schema = ["main.", "public.", "*.", "%."].first { name.lowercasedASCII.hasPrefix($0) && name != $0 }
    guard !isThere, let schema else { return name }
    return String(name.dropFirst(schema.count))
  }

  static func indexes(_ entries: [Entry], table: String?) -> String {
    let indexes = visible(entries).filter { entry in
      entry.type == "index" && (table.map { $0.lowercasedASCII == entry.table.lowercasedASCII } ?? true)
    }
    return indexes.map { CellText.escaped($0.name) + "\n" }.sorted().joined()
  }

  /// The statements that make the schema, or one table with its indexes and triggers. Empty if there is no such
  /// table.
  static func schema(_ entries: [Entry], table: String?) -> String {
    if let table, ["sqlite_schema", "sqlite_master"].contains(table.lowercasedASCII) {
      return "CREATE TABLE \(table.lowercasedASCII)(type TEXT, name TEXT, tbl_name TEXT, rootpage INT, sql TEXT);\n"
    }
    let rank = ["table": 0, "index": 1, "view": 2, "trigger": 3]
    let wanted = visible(entries).filter { entry in
      guard let table else { return true }
      if table.contains("%") { return LikePattern.matches(entry.table, table) }
      return table.lowercasedASCII == entry.table.lowercasedASCII
    }
    let sorted = wanted.enumerated().sorted { left, right in
      let ranks = (rank[left.element.type] ?? 4, rank[right.element.type] ?? 4)
      return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 < ranks.1
    }
    return sorted.map { EndedStatement.text(of: $0.element.sql) + "\n" }.joined()
  }

  private static func visible(_ entries: [Entry]) -> [Entry] {
    let modules = entries.filter { $0.sql.uppercased().hasPrefix("CREATE VIRTUAL") }.map(\.name)
    return entries.filter { entry in
      let isShadow =
        entry.type == "table"
        && modules.contains { module in
          entry.table.hasPrefix(module + "_")
            && shadowSuffixes.contains(String(entry.table.dropFirst(module.count + 1)))
        }
      return !entry.name.hasPrefix("sqlite_") && !entry.sql.isEmpty && !isShadow
    }
  }

  /// What FTS and R-tree tables call the tables behind them.
  private static let shadowSuffixes: Set<String> = [
    "data", "idx", "content", "docsize", "config", "segments", "segdir", "stat", "node", "rowid", "parent",
  ]
}
