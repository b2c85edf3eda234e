/// Three databases of one server: one with rows and columns that a client's rules hide, its twin that does not have
/// them, and one of the same schema that has other contents in their place.
///
/// Always true: what may be seen of the first is what the others hold, whenever `restore` was called; every hidden cell
/// of the first holds the marker.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

final class ServedTwins {
  static let marker = "FORBIDDEN"
  static let databases = ["full", "twin", "bare"]

  let rules: TableRules
  private let server: TenantServer
  private let clients: [String: RawClient]
  private var id: UInt32 = 100

  init() throws {
    let rows = try RowRule("tenant = claim('tenant')")
    var tables: [String: TableRule] = [:]
    for table in NastySchema.tables {
      tables[table.name] = TableRule(
        readColumns: table.columns, writeColumns: table.columns, rows: rows, newRows: rows)
    }
    rules = TableRules(tables)
    server = try TenantServer(rules, databases: Self.databases)
    clients = [
      "twin": try #require(server.admins["twin"]), "full": try server.client("full"), "bare": try server.client("bare"),
    ]
    try makeTables()
  }

  // MARK: - Contents

  private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

  private func makeTables() throws {
    for name in Self.databases {
      for statement in NastySchema.statements { try run(StatementRenderer().render(statement).sql, on: name) }
      for (index, table) in NastySchema.tables.enumerated() {
        let quoted = Self.quoted(table.name)
        if name != "twin" {
          let secret = name == "full" ? Self.marker : "other"
          try run("ALTER TABLE \(quoted) ADD COLUMN tenant TEXT DEFAULT 'ours'", on: name)
          try run("ALTER TABLE \(quoted) ADD COLUMN secret TEXT DEFAULT '\(secret)'", on: name)
          try run("CREATE INDEX \(Self.quoted("tenants " + table.name)) ON \(quoted)(tenant)", on: name)
        }
        try fill(table, on: name)
        try run("CREATE TABLE \"kept \(index)\" AS SELECT * FROM \(quoted)", on: name)
      }
    }
  }

  private func fill(_ table: NastySchema.Table, on name: String) throws {
    let quoted = Self.quoted(table.name)
    let columns = table.columns.map(Self.quoted).joined(separator: ", ")
    for row in 1...6 {
      try run(
        "INSERT INTO \(quoted)(\(columns)) VALUES (\(row), '\(row % 3)', \(row * 2), '\(table.columns[1].utf8.count) "
          + "\(row)')", on: name)
      guard name == "full" else { continue }
      let marker = "'\(Self.marker) \(row)'"
      try run(
        "INSERT INTO \(quoted)(\(columns), tenant) VALUES (\(-1_000_000 - row), \(marker), \(marker), \(marker), 'theirs')",
        on: name)
    }
  }

  /// As they were at first.
  func restore() throws {
    for name in Self.databases {
      for (index, table) in NastySchema.tables.enumerated() {
        let quoted = Self.quoted(table.name)
        try run("DELETE FROM \(quoted)", on: name)
        try run("INSERT INTO \(quoted) SELECT * FROM \"kept \(index)\"", on: name)
      }
    }
  }

  private func run(_ sql: String, on name: String) throws {
    let answer = try admin(name, sql)
    if let error = answer.error { throw error }
  }

  private func admin(_ name: String, _ sql: String) throws -> RawClient.Answer {
    let client = try #require(server.admins[name])
    return try client.execute(nextID(), sql)
  }

  /// The rows that may not be seen.
  func hidden() throws -> [[Value]] {
    try NastySchema.tables.flatMap {
      try admin("full", "SELECT * FROM \(Self.quoted($0.name)) WHERE tenant IS NOT 'ours' ORDER BY id").rows
    }
  }

  // MARK: - The same statement on all

  func nextID() -> UInt32 {
    id += 1
    return id
  }

  /// The same statement, by somebody with the rules on `full` and on `bare`, and by an administrator on `twin`.
  func ask(
    _ name: String, _ tree: ASTStatement, _ values: [Value] = [], transaction: UInt32 = 0
  ) throws -> RawClient.Answer {
    try ask(name, .execute(.init(source: .statement(tree.bytes), parameters: values, transaction: transaction)))
  }

  func ask(_ name: String, _ kind: ClientMessage.Kind, id: UInt32? = nil) throws -> RawClient.Answer {
    let client = try #require(clients[name])
    let id = id ?? nextID()
    client.send(id, kind)
    return try client.answer(id)
  }

  /// What there is to see of each table.
  func contents(of name: String, transaction: UInt32 = 0) throws -> [[[Value]]] {
    try NastySchema.tables.map { table in
      let tree = ASTStatement.select {
        $0.columns = table.columns.map { .expression(.column($0)) }
        $0.from = .table(table.name)
        $0.orderBy = [.by(.column("id"))]
      }
      let answer = try ask(name, tree, transaction: transaction)
      if let error = answer.error { throw error }
      return answer.rows
    }
  }
}
