import MartletAST
import MartletClient
import MartletValues

/// A column of a table at a server, and what a statement may do with it.
///
/// Always true: it is asked for as a tree, so that a client that may not send SQL text may ask, too.
struct RemoteColumn: Sendable {
  /// What SQLite calls hidden.
  enum Kind {
    case settable
    /// A virtual table's own, which takes values and is no part of `*`.
    case hidden
    case generated
  }

  var name: String
  var kind: Kind

  /// The columns in their order; none if there is no such table, or if whoever asks may not ask.
  static func all(of table: String, through executor: any StatementExecutor) async -> [RemoteColumn] {
    guard let query = try? RemoteStatement(.select(["name", "hidden"], ofNamed: "pragma_table_xinfo")),
      let rows = try? await executor.fetchAll(query, [.text(table)])
    else { return [] }
    return rows.compactMap { row in
      guard let name = try? row.get(String.self, 0), let hidden = try? row.get(Int.self, 1) else { return nil }
      return RemoteColumn(name: name, kind: hidden == 0 ? .settable : hidden == 1 ? .hidden : .generated)
    }
  }

  /// The INTEGER PRIMARY KEY of a table, which takes whole numbers alone; nil if there is none, or if the table's
  /// triggers may have written to another one's, or if whoever asks may not ask.
  static func integerKey(of table: String, through executor: any StatementExecutor) async -> String? {
    let triggers = ASTStatement.select(
      ["name"], from: .table("sqlite_schema"),
      where: .call(
        .and, .call(.equal, .column("type"), .literal("trigger")),
        .call(.equal, .function("lower", .column("tbl_name")), .literal(table.lowercasedASCII))))
    guard let query = try? RemoteStatement(.select(["name", "type", "pk"], ofNamed: "pragma_table_info")),
      let rows = try? await executor.fetchAll(query, [.text(table)]),
      let found = try? await executor.fetchAll(RemoteStatement(triggers)), found.isEmpty
    else { return nil }
    let keys = rows.filter { (try? $0.get(Int.self, 2)) ?? 0 > 0 }
    guard keys.count == 1, (try? keys[0].get(String.self, 1))?.lowercasedASCII == "integer" else { return nil }
    return try? keys[0].get(String.self, 0)
  }
}
