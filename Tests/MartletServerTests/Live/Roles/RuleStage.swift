import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

/// A server with a table of notes of two tenants, an administrator on its Unix socket, and tokens for tenants.
final class RuleStage {
  let live: LiveServer
  let admin: RawClient
  private let tokens: TokenFile
  private var policy = AccessPolicy()
  private var id: UInt32 = 100

  init(
    _ rule: TableRule? = nil, more tables: [String: TableRule] = [:],
    _ configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws {
    let tenant = try RowRule("tenant = claim('tenant')")
    let notes = rule ?? TableRule(readColumns: ["id", "title", "body"], rows: tenant, newRows: tenant)
    var policy = AccessPolicy()
    policy.roles["app"] = Role(
      name: "app", databases: [try #require(DatabasePattern("shop")), try #require(DatabasePattern("own-{tenant}"))],
      permissions: [.rows, .create], tables: TableRules(tables.merging(["notes": notes, "words": TableRule()]) { $1 }))
    policy.roles["all"] = Role(name: "all", permissions: .all)
    policy.others = .role("all")
    var path = ""
    live = try LiveServer(loops: 1) { configuration, folder in
      path = folder + "/tokens"
      _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      policy.tokensFile = path
      configuration.access = policy
      configure(&configuration)
    }
    self.policy = policy
    tokens = TokenFile(path: path)
    admin = try RawClient(live.unix, database: "shop")
    for sql in [
      "CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT UNIQUE, body TEXT, tenant TEXT, secret TEXT)",
      "CREATE INDEX byTenant ON notes(tenant)", "CREATE VIRTUAL TABLE words USING fts5(text)",
      "CREATE TABLE secrets(a)", "INSERT INTO secrets VALUES ('MARK')",
      "INSERT INTO notes SELECT value, 'n' || value, 'b', iif(value % 2, 'a', 'b'), 'MARK' "
        + "FROM json_each('[1,2,3,4,5,6]')", "INSERT INTO words VALUES ('some words')",
    ] { #expect(try run(sql).error == nil, "\(sql)") }
  }

  func client(_ tenant: String?, _ database: String = "shop", setup: [[UInt8]] = []) throws -> (
    RawClient, RequestError?
  ) {
    let token = try tokens.create(role: "app", claims: tenant.map { ["tenant": $0] } ?? [:]).text
    try live.server.reload(access: policy, tls: nil)
    let client = try RawClient(live.tcp)
    client.send(1, .hello(.init(database: database, create: true, setup: setup, credential: token)))
    if case .error(let error)? = try client.receive().parts.first { return (client, error) }
    return (client, nil)
  }

  func reload(_ change: (inout AccessPolicy) -> Void) throws {
    change(&policy)
    try live.server.reload(access: policy, tls: nil)
  }

  @discardableResult
  func run(_ sql: String) throws -> RawClient.Answer {
    id += 1
    return try admin.execute(id, sql)
  }

  func ask(_ client: RawClient, _ tree: ASTStatement, _ values: [Value] = []) throws -> RawClient.Answer {
    id += 1
    client.send(id, .execute(.init(source: .statement(tree.bytes), parameters: values)))
    return try client.answer(id)
  }

  func ask(_ client: RawClient, shape tree: ASTStatement, _ values: [Value] = []) throws -> RawClient.Answer {
    id += 1
    let shape = tree.bytes.withUnsafeBytes { ShapeID(hashing: $0) }
    client.send(id, .execute(.init(source: .shape(shape), parameters: values)))
    return try client.answer(id)
  }
}
