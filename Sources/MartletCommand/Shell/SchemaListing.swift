/// What `.tables` and `.schema` show of a database.
///
/// Always true: the tables that SQLite and its modules keep for themselves are not shown.
import MartletAST
import MartletClient

enum SchemaListing {
  private static let statement = Tree.select(
    ["type", "name", "tbl_name", "sql"], from: "sqlite_schema", orderBy: ["tbl_name", "type", "name"])

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

  static func tables(_ entries: [Entry]) -> String {
    let names = visible(entries).filter { $0.type == "table" || $0.type == "view" }.map { CellText.escaped($0.name) }
    return names.sorted().map { $0 + "\n" }.joined()
  }

  /// The statements that make the schema, or one table with its indexes and triggers. Empty where there is no such
  /// table.
  static func schema(_ entries: [Entry], table: String?) -> String {
    let rank = ["table": 0, "index": 1, "view": 2, "trigger": 3]
    let wanted = visible(entries).filter { entry in
      table.map { $0.lowercased() == entry.table.lowercased() } ?? true
    }
    let sorted = wanted.enumerated().sorted { left, right in
      let ranks = (rank[left.element.type] ?? 4, rank[right.element.type] ?? 4)
      return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 < ranks.1
    }
    return sorted.map { $0.element.sql + ";\n" }.joined()
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
