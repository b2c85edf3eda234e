import MartletAST
import MartletClient
import MartletSQLite
import MartletValues

/// Reads a database's schema with trees, so that a file and a server are read alike.
///
/// Always true: names reach SQLite as parameters, never inside SQL text; no view is compiled, which has no bound.
struct SchemaReader<Source: SchemaSource> {
  let source: Source

  private static var objects: ASTStatement {
    .select(["type", "name", "tbl_name", "sql", "rootpage"], from: .table("sqlite_schema"), orderBy: ["rowid"])
  }

  /// What SQLite tells of the whole database.
  private static func whole(_ pragma: String, _ columns: [String]) -> ASTStatement {
    .select(columns, from: .function("pragma_" + pragma, []))
  }

  func read() async throws -> DatabaseSchema {
    var schema = DatabaseSchema()
    let rows = try await source.rows(of: Self.objects, [])
    let insides = Self.insides(rows)
    let indexes = Set(rows.filter { $0[0] == "index" }.map { $0[1].name })
    for row in rows {
      let name = row[1].name
      let sql = row[3].name
      if name == "sqlite_sequence" { schema.hasSequence = true }
      if Statistics.names.contains(name) { schema.statistics.append(name) }
      guard !name.hasPrefix("sqlite_"), !sql.isEmpty else { continue }
      if row[0] == "table" {
        if insides.contains(name.lowercasedASCII) { continue }
        schema.tables.append(try await table(name, sql: sql, isVirtual: row[4] == 0, indexes))
      } else if let kind = DatabaseSchema.Object.Kind(rawValue: row[0].name) {
        schema.objects.append(DatabaseSchema.Object(kind: kind, name: name, table: row[2].name, sql: sql))
      }
    }
    schema.header = DatabaseSchema.Header(
      userVersion: try await number("user_version"), applicationID: try await number("application_id"))
    return schema
  }

  /// The tables in which virtual tables keep their data, in lower case.
  private static func insides(_ objects: [[Value]]) -> Set<String> {
    var insides: Set<String> = []
    for row in objects where row[0] == "table" && row[4] == 0 {
      for ending in VirtualTable(sql: row[3].name).reserved {
        insides.insert("\(row[1].name.lowercasedASCII)_\(ending)")
      }
    }
    return insides
  }

  private func number(_ pragma: String) async throws -> Int64 {
    guard
      case .integer(let number)? = try await source.rows(of: Self.whole(pragma, [pragma]), []).first?.first
    else { return 0 }
    return number
  }

  private func table(
    _ name: String, sql: String, isVirtual: Bool, _ indexes: Set<String>
  ) async throws -> DatabaseSchema.Table {
    var table = DatabaseSchema.Table(name: name, sql: sql)
    let columns = try await source.rows(
      of: .select(["name", "type", "pk", "hidden"], ofNamed: "pragma_table_xinfo"), [.text(name)])
    table.columns = columns.filter { $0[3] == 0 }.map { $0[0].name }
    let allNames = Set(columns.map { $0[0].name.lowercased() })
    let freeName = ["rowid", "_rowid_", "oid"].first { !allNames.contains($0) }
    if isVirtual {
      table.kind = .virtual
      let declaration = VirtualTableDeclaration(sql: sql)
      table.fill = declaration.fill
      table.rowIDName = declaration.hasHiddenRowID ? freeName : nil
      return table
    }
    // Rows are sent by the names of their columns, and a statement has no empty name.
    if table.columns.contains("") { table.fill = .impossible(reason: "it has a column without a name") }
    let named = try await source.rows(of: .select(["name", "origin"], ofNamed: "pragma_index_list"), [.text(name)])
    // A key whose index is no object of the schema is that of a table WITHOUT ROWID: the index is the table itself.
    let keyIndexes = named.filter { $0[1] == "pk" }.map { $0[0].name }
    if keyIndexes.contains(where: { !indexes.contains($0) }) {
      table.kind = .withoutRowID
    } else if !keyIndexes.isEmpty || !Self.hasRowIDColumn(columns) {
      table.losesRowIDs = table.columns.count >= CommandLimits.columnsMax
      table.rowIDName = table.losesRowIDs ? nil : freeName
    }
    let keys = try await source.rows(of: .select(["table"], ofNamed: "pragma_foreign_key_list"), [.text(name)])
    var seen: Set<String> = []
    table.parents = keys.map { $0[0].name }.filter { seen.insert($0).inserted }
    return table
  }

  /// Whether a column is the rowid, unless it has an index of its own (which `INTEGER PRIMARY KEY DESC` has): the one
  /// column of the primary key, an INTEGER.
  private static func hasRowIDColumn(_ columns: [[Value]]) -> Bool {
    let key = columns.filter { $0[2] != 0 }
    return key.count == 1 && key[0][1].name.lowercased() == "integer"
  }
}

/// A database that a schema can be read from: its rows are as wide as a statement asks.
protocol SchemaSource {
  func rows(of statement: ASTStatement, _ parameters: [Value]) async throws -> [[Value]]
}

/// A server's database or an open transaction on it.
struct RemoteSchemaSource<Executor: StatementExecutor>: SchemaSource {
  let executor: Executor

  func rows(of statement: ASTStatement, _ parameters: [Value]) async throws -> [[Value]] {
    try await executor.rows(of: statement, parameters)
  }
}

extension Value {
  /// A name out of a schema; empty if there is none.
  fileprivate var name: String {
    if case .text(let text) = self { return text }
    return ""
  }
}
