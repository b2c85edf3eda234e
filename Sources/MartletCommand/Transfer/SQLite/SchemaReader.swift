import MartletAST
import MartletClient
import MartletValues

/// A database that a schema can be read from.
protocol SchemaSource {
  func rows(of statement: ASTStatement, _ parameters: [Value]) async throws -> [[Value]]
}

/// A server's database or an open transaction on it.
struct RemoteSchemaSource<Executor: StatementExecutor>: SchemaSource {
  let executor: Executor

  func rows(of statement: ASTStatement, _ parameters: [Value]) async throws -> [[Value]] {
    try await executor.fetchAll(RemoteStatement(statement), parameters).map { try $0.values() }
  }
}

/// Reads a database's schema with trees, so that a file and a server are read alike.
///
/// Always true: names reach SQLite as parameters, never inside SQL text.
struct SchemaReader<Source: SchemaSource> {
  let source: Source

  private static var objects: ASTStatement {
    .select(["type", "name", "tbl_name", "sql"], from: .table("sqlite_schema"), orderBy: ["rowid"])
  }

  /// What SQLite tells of the whole database.
  private static func whole(_ pragma: String, _ columns: [String]) -> ASTStatement {
    .select(columns, from: .function("pragma_" + pragma, []))
  }

  func read() async throws -> DatabaseSchema {
    var schema = DatabaseSchema()
    var kinds: [String: (type: String, isWithoutRowID: Bool)] = [:]
    let list = Self.whole("table_list", ["schema", "name", "type", "wr"])
    for row in try await source.rows(of: list, []) where row[0] == "main" {
      kinds[row[1].name] = (row[2].name, row[3] == 1)
    }
    for row in try await source.rows(of: Self.objects, []) {
      let name = row[1].name
      let sql = row[3].name
      if name == "sqlite_sequence" { schema.hasSequence = true }
      if Statistics.names.contains(name) { schema.statistics.append(name) }
      guard !name.hasPrefix("sqlite_"), !sql.isEmpty else { continue }
      if row[0] == "table" {
        let kind = kinds[name] ?? ("table", false)
        guard kind.type != "shadow" else { continue }
        schema.tables.append(try await table(name, sql: sql, type: kind.type, isWithoutRowID: kind.isWithoutRowID))
      } else if let kind = DatabaseSchema.Object.Kind(rawValue: row[0].name) {
        schema.objects.append(DatabaseSchema.Object(kind: kind, name: name, table: row[2].name, sql: sql))
      }
    }
    schema.header = DatabaseSchema.Header(
      userVersion: try await number("user_version"), applicationID: try await number("application_id"))
    return schema
  }

  private func number(_ pragma: String) async throws -> Int64 {
    guard
      case .integer(let number)? = try await source.rows(of: Self.whole(pragma, [pragma]), []).first?.first
    else { return 0 }
    return number
  }

  private func table(
    _ name: String, sql: String, type: String, isWithoutRowID: Bool
  ) async throws -> DatabaseSchema.Table {
    var table = DatabaseSchema.Table(name: name, sql: sql)
    let columns = try await source.rows(
      of: .select(["name", "type", "pk", "hidden"], ofNamed: "pragma_table_xinfo"), [.text(name)])
    table.columns = columns.filter { $0[3] == 0 }.map { $0[0].name }
    let allNames = Set(columns.map { $0[0].name.lowercased() })
    let freeName = ["rowid", "_rowid_", "oid"].first { !allNames.contains($0) }
    if type == "virtual" {
      table.kind = .virtual
      let declaration = VirtualTableDeclaration(sql: sql)
      table.fill = declaration.fill
      table.rowIDName = declaration.hasHiddenRowID ? freeName : nil
      return table
    }
    // Rows are sent by the names of their columns, and a statement has no empty name.
    if table.columns.contains("") { table.fill = .impossible(reason: "it has a column without a name") }
    if isWithoutRowID {
      table.kind = .withoutRowID
    } else if try await !hasRowIDColumn(name, columns) {
      table.rowIDName = freeName
    }
    let keys = try await source.rows(of: .select(["table"], ofNamed: "pragma_foreign_key_list"), [.text(name)])
    var seen: Set<String> = []
    table.parents = keys.map { $0[0].name }.filter { seen.insert($0).inserted }
    return table
  }

  /// Whether a column is the rowid: the one column of the primary key, an INTEGER, with no index of its own (which
  /// `INTEGER PRIMARY KEY DESC` has).
  private func hasRowIDColumn(_ name: String, _ columns: [[Value]]) async throws -> Bool {
    let key = columns.filter { $0[2] != 0 }
    guard key.count == 1, key[0][1].name.lowercased() == "integer" else { return false }
    let indexes = try await source.rows(of: .select(["origin"], ofNamed: "pragma_index_list"), [.text(name)])
    return !indexes.contains { $0[0] == "pk" }
  }
}

extension Value {
  /// A name out of a schema; empty if there is none.
  fileprivate var name: String {
    if case .text(let text) = self { return text }
    return ""
  }
}
