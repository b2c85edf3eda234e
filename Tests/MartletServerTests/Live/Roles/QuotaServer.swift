/// A server whose roles have quotas, and clients that show tokens of them.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

struct QuotaServer {
  let live: LiveServer
  let tokens: TokenFile
  let policy: AccessPolicy

  /// Each role may do everything within its quotas; `free` has none.
  init(
    _ roles: [String: [Quota: Int]], loops: Int = 2, limits: Limits = Limits(),
    configure: (inout ServerConfiguration, _ folder: String) -> Void = { _, _ in }
  ) throws {
    var policy = AccessPolicy()
    for (name, quotas) in roles.merging(["free": [:]], uniquingKeysWith: { first, _ in first }) {
      policy.roles[name] = Role(name: name, permissions: .all, quotas: RoleQuotas(quotas))
    }
    policy.others = .refused
    var path = ""
    live = try LiveServer(limits: limits, loops: loops) { configuration, folder in
      path = folder + "/tokens"
      _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      policy.tokensFile = path
      configuration.access = policy
      configure(&configuration, folder)
    }
    tokens = TokenFile(path: path)
    self.policy = policy
  }

  /// As many as are asked for, each of somebody else.
  func tokens(_ roles: String...) throws -> [String] {
    let made = try roles.enumerated().map { try tokens.create(role: $1, name: "\($1)-\($0)", expires: nil).text }
    try reload()
    return made
  }

  func reload(_ change: (inout AccessPolicy) -> Void = { _ in }) throws {
    var changed = policy
    change(&changed)
    try live.server.reload(access: changed, tls: nil)
  }

  /// A session that is open. Throws the error that its hello is answered with.
  func connect(_ token: String, _ database: String = "shop") throws -> RawClient {
    try Self.connect(live.tcp, token, database)
  }

  static func connect(_ url: MartletURL, _ token: String, _ database: String = "shop") throws -> RawClient {
    let client = try RawClient(url)
    client.send(1, .hello(.init(database: database, client: "test", create: true, credential: token)))
    let part = try client.receive().parts.first
    if case .error(let error)? = part { throw error }
    guard case .hello? = part else { throw RawClient.Failure(message: "no hello") }
    return client
  }

  var ledger: QuotaDesk { live.server.context.quotas }

  /// Until nothing of anybody is counted any more.
  func waitUntilEmpty() throws { try waitUntil("\(ledger.total)", within: .seconds(30)) { ledger.total == (0, 0) } }

  static let endless = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  /// About so many rows.
  static func rows(_ count: Int) -> String {
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) SELECT i FROM n"
  }

  static let read = ASTStatement.select { $0.columns = [.expression(.literal(Int64(1)))] }
}

extension RequestError {
  /// The quota that it names.
  var quota: Quota? {
    reason == .quota ? Quota.allCases.first { message.contains("quota \($0.rawValue) ") } : nil
  }
}
