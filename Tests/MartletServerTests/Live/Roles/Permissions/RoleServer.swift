import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

/// Each role's token, on a server where nobody else may come.
struct RoleServer {
  static let read = ASTStatement.select {
    $0.columns = [.expression(.column("a"))]
    $0.from = .table("t")
  }
  static let insert = ASTStatement.insert(into: "t", ["a"]) { $0.values = .rows([[.literal(Int64(1))]]) }
  static let update = ASTStatement.update("t") { $0.assignments = [.set("a", .literal(Int64(2)))] }
  static let delete = ASTStatement.delete(from: "t")
  static let make = ASTStatement.createTable("t", [.column("a")])
  static let admin = Role(name: "admin", permissions: .all)

  let live: LiveServer
  let tokens: TokenFile
  let policy: AccessPolicy

  init(_ roles: [Role], others: AccessPolicy.Others = .refused) throws {
    var policy = AccessPolicy()
    for role in roles { policy.roles[role.name] = role }
    policy.others = others
    var path = ""
    var limits = Limits()
    // Longer than the token whose end a test waits for.
    limits.transactionIdleMs = 30_000
    live = try LiveServer(limits: limits, loops: 1) { configuration, folder in
      path = folder + "/tokens"
      _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      policy.tokensFile = path
      configuration.access = policy
    }
    tokens = TokenFile(path: path)
    self.policy = policy
  }

  func token(_ role: String, expires: Date? = nil) throws -> String {
    let token = try tokens.create(role: role, name: role, expires: expires).text
    try live.server.reload(access: policy, tls: nil)
    return token
  }

  func reload(_ change: (inout AccessPolicy) -> Void = { _ in }) throws {
    var changed = policy
    change(&changed)
    try live.server.reload(access: changed, tls: nil)
  }

  /// What the hello is answered with; the connection stays open where it is taken.
  func hello(_ token: String, _ database: String = "shop", create: Bool = true) throws -> (RawClient, RequestError?) {
    let client = try RawClient(live.tcp)
    client.send(1, .hello(.init(database: database, create: create, credential: token)))
    if case .error(let error)? = try client.receive().parts.first { return (client, error) }
    return (client, nil)
  }
}
