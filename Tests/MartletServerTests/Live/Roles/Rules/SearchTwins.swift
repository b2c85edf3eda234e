/// Two databases of one server with full-text tables, an R-tree and JSON, of which a client sees the same: where one
/// has hidden rows and cells with the marker, the other has none and other words.
///
/// Always true: what the client may see of both is equal, whatever it does, if it is told nothing of what is hidden.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

final class SearchTwins {
  static let marker = "FORBIDDEN"
  static let databases = ["full", "bare"]

  /// What there is, with the columns that the client reads. Those of a view are its own.
  static let sources: [(name: String, columns: [String])] = [
    ("notes", ["id", "title", "data"]), ("papers", ["title"]), ("letters", ["title"]), ("pages", ["body", "note"]),
    ("leaves", ["body"]), ("boxes", ["id", "x0", "x1"]), ("paper_titles", ["id", "title"]),
    ("ours", ["id", "title", "body"]),
    ("tags", ["id", "tag"]), ("json", ["value", "key", "type", "atom"]),
  ]

  private let server: TenantServer
  private let clients: [String: RawClient]
  private var id: UInt32 = 100

  init() throws {
    let tenant = try RowRule("tenant = claim('tenant')")
    let all = TableRule()
    let tables: [String: TableRule] = [
      "notes": TableRule(
        readColumns: ["id", "title", "data"], writeColumns: ["title", "data"], rows: tenant, newRows: tenant),
      "papers": TableRule(readColumns: ["title"], writeColumns: ["title"]),
      "letters": TableRule(readColumns: ["title"], writeColumns: ["title"]), "pages": all, "leaves": all,
      "boxes": TableRule(readColumns: ["id", "x0", "x1"], writeColumns: ["x0", "x1"]),
      "paper_titles": TableRule(permissions: .select), "ours": TableRule(permissions: .select),
      "tags": TableRule(permissions: .select),
    ]
    server = try TenantServer(TableRules(tables), databases: Self.databases)
    clients = ["full": try server.client("full"), "bare": try server.client("bare")]
    for name in Self.databases { try fill(name, secret: name == "full" ? "\(Self.marker) tea" : "other words") }
  }

  private func fill(_ name: String, secret: String) throws {
    let numbers = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 12)"
    let words =
      "CASE n % 4 WHEN 0 THEN 'green tea ' WHEN 1 THEN 'black tea ' WHEN 2 THEN 'tea, other ' ELSE '' END || n"
    let data = "json_object('n', n, 'tags', json_array('t' || n % 3, n))"
    var statements = [
      "CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, data TEXT, tenant TEXT, secret TEXT)",
      "CREATE INDEX by_secret ON notes(secret, title)", "CREATE INDEX by_title ON notes(title)",
      "CREATE VIRTUAL TABLE papers USING fts5(title, secret)", "CREATE VIRTUAL TABLE letters USING fts4(title, secret)",
      "CREATE VIRTUAL TABLE pages USING fts5(body, note UNINDEXED)", "CREATE VIRTUAL TABLE leaves USING fts4(body)",
      "CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1, +secret)",
      "CREATE VIEW paper_titles AS SELECT rowid AS id, title FROM papers",
      "CREATE VIEW ours AS SELECT n.id, n.title, p.body FROM notes AS n, pages AS p WHERE n.tenant = 'ours' AND p.note = n.id",
      "CREATE VIEW tags AS SELECT n.id, j.value AS tag FROM notes AS n, json_each(n.data, '$.tags') AS j WHERE n.tenant = 'ours'",
      "\(numbers) INSERT INTO notes SELECT n, \(words), \(data), 'ours', '\(secret) ' || n FROM c",
      "\(numbers) INSERT INTO papers SELECT \(words), '\(secret) ' || n FROM c",
      "\(numbers) INSERT INTO letters SELECT \(words), '\(secret) ' || n FROM c",
      "\(numbers) INSERT INTO pages SELECT \(words), n FROM c", "\(numbers) INSERT INTO leaves SELECT \(words) FROM c",
      "\(numbers) INSERT INTO boxes SELECT n, n, n + 2, '\(secret) ' || n FROM c",
    ]
    if name == "full" {
      statements.append(
        "\(numbers) INSERT INTO notes SELECT -n, '\(secret)', json_array('\(secret)'), 'theirs', '\(secret)' FROM c")
    }
    for sql in statements {
      let answer = try #require(server.admins[name]).execute(nextID(), sql)
      if let error = answer.error { throw error }
    }
  }

  func nextID() -> UInt32 {
    id += 1
    return id
  }

  func ask(_ name: String, _ kind: ClientMessage.Kind, id: UInt32? = nil) throws -> RawClient.Answer {
    let client = try #require(clients[name])
    let id = id ?? nextID()
    client.send(id, kind)
    return try client.answer(id)
  }

  /// What a statement said and did on one of them.
  struct Outcome: Equatable {
    var rows: [String] = []
    var columns = ""
    var changed: Int64 = 0
    var lastInserted: Int64 = 0
    var failure: String?
    /// What the client sees after it.
    var contents: [String] = []
  }

  /// Runs it, and undoes what it writes.
  func outcome(_ name: String, _ tree: ASTStatement) throws -> Outcome {
    let transaction = nextID()
    if let error = try ask(name, .begin(.write), id: transaction).error { throw error }
    let answer = try ask(name, .execute(.init(source: .statement(tree.bytes), transaction: transaction)))
    var outcome = Outcome()
    outcome.failure = answer.error.map {
      "\($0.code) \($0.reason) \($0.message) \($0.path) \($0.table) \($0.column) \($0.sqliteCode)"
    }
    if answer.error == nil {
      outcome.rows = answer.rows.map { "\($0)" }
      outcome.columns = answer.columns.map { "\($0.columns)" } ?? ""
      outcome.changed = answer.completion?.rowsChanged ?? 0
      outcome.lastInserted = answer.completion?.lastInsertRowID ?? 0
    }
    outcome.contents = try contents(name, transaction)
    _ = try ask(name, .finish(transaction: transaction, commit: false))
    return outcome
  }

  private func contents(_ name: String, _ transaction: UInt32) throws -> [String] {
    try Self.sources.filter { $0.name != "json" }.map { source in
      let select = ASTStatement.select {
        $0.columns = source.columns.map { .expression(.column($0)) }
        $0.from = .table(source.name)
      }
      let seen = try ask(name, .execute(.init(source: .statement(select.bytes), transaction: transaction)))
      return "\(source.name) \(seen.rows) \(seen.error.map { "\($0)" } ?? "")"
    }
  }

  /// What the client may not see.
  func hidden() throws -> [[Value]] {
    let sql = """
      SELECT id, secret FROM notes UNION ALL SELECT rowid, secret FROM papers
      UNION ALL SELECT docid, secret FROM letters UNION ALL SELECT id, secret FROM boxes
      """
    return try #require(server.admins["full"]).execute(nextID(), sql).rows
  }
}
