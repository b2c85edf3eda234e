import MartletAST
import MartletClient
import MartletValues

/// The other tables whose foreign keys refer to one table.
///
/// Always true: it is asked for as trees, so that a client that may not send SQL text may ask, too; a table that refers
/// to itself is none of them, since all of its rows go.
struct ReferringTables {
  /// One foreign key of another table.
  struct Key: Equatable {
    var table: String
    var columns: [String]
    /// What SQLite does to the key's rows when those that it refers to are deleted.
    var onDelete: String

    /// A plain key only refuses the DELETE, and changes no row of its table.
    var changesRows: Bool { ["CASCADE", "SET NULL", "SET DEFAULT"].contains(onDelete) }
  }

  private(set) var keys: [Key] = []

  init(to table: String, through executor: any StatementExecutor) async throws {
    let rows = try await executor.fetchAll(RemoteStatement(Self.allKeys))
    var last: (table: String, id: Int64)?
    for row in rows {
      let child = try row.get(String.self, 0)
      guard try row.get(String.self, 2).lowercasedASCII == table.lowercasedASCII,
        child.lowercasedASCII != table.lowercasedASCII
      else { continue }
      let (id, column) = (try row.get(Int64.self, 1), try row.get(String.self, 3))
      if let last, last == (child, id) {
        keys[keys.count - 1].columns.append(column)
      } else {
        keys.append(Key(table: child, columns: [column], onDelete: try row.get(String.self, 4)))
      }
      last = (child, id)
    }
  }

  /// The columns of each foreign key of each table behind each other.
  private static var allKeys: ASTStatement {
    .select {
      $0.columns = [
        .expression(.column("child", "name")), .expression(.column("key", "id")),
        .expression(.column("key", "table")), .expression(.column("key", "from")),
        .expression(.column("key", "on_delete")),
      ]
      $0.from = .table("sqlite_schema", as: "child")
      $0.joins = [.join(.inner, .function("pragma_foreign_key_list", [.column("child", "name")], as: "key"))]
      $0.where = .call(.equal, .column("child", "type"), .literal("table"))
      $0.orderBy = [.by(.column("child", "name")), .by(.column("key", "id")), .by(.column("key", "seq"))]
    }
  }

  /// Whether a row refers to another by the key: none of its columns is NULL then.
  static func hasRows(_ key: Key, through executor: any StatementExecutor) async throws -> Bool {
    let isSet = key.columns.map { ASTExpression.call(.isNot, .column($0), .keyword(.null)) }
    let statement = ASTStatement.select {
      $0.columns = [.expression(.literal(Int64(1)))]
      $0.from = .table(key.table)
      $0.where = isSet.count == 1 ? isSet[0] : .call(.and, isSet)
      $0.limit = .literal(Int64(1))
    }
    return try await !executor.fetchAll(RemoteStatement(statement)).isEmpty
  }
}
