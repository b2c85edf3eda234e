/// A server with databases that an administrator fills, and one role whose clients are held to rules for tables.
import Foundation
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

final class TenantServer {
  private let live: LiveServer
  private let token: String
  /// Of each database, by name.
  let admins: [String: RawClient]

  init(_ rules: TableRules, databases: [String]) throws {
    let role = Role(name: "app", permissions: .rows, tables: rules)
    var path = ""
    live = try LiveServer(loops: 1) { configuration, folder in
      path = folder + "/tokens"
      _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      configuration.access.roles = ["app": role, "all": Role(name: "all", permissions: .all)]
      configuration.access.others = .role("all")
      configuration.access.tokensFile = path
    }
    var admins: [String: RawClient] = [:]
    for name in databases { admins[name] = try RawClient(live.unix, database: name) }
    self.admins = admins
    token = try TokenFile(path: path).create(role: "app", claims: ["tenant": "ours"]).text
    try live.server.reload(access: live.server.configuration.access, tls: nil)
  }

  /// Somebody of the tenant "ours".
  func client(_ database: String) throws -> RawClient {
    let client = try RawClient(live.unix)
    client.send(1, .hello(.init(database: database, create: false, credential: token)))
    guard case .hello? = try client.receive().parts.first else { throw RawClient.Failure(message: "no hello") }
    return client
  }
}
