/// A program whose credential ends while it runs gets another one, and its statements go on.
import Foundation
import Logging
import MartletClient
import MartletDatabase
import MartletServer
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@Suite struct CredentialRenewalTests {
  @Test func `the closure of a remote database's credential fetches a new JWT when one has expired`() async throws {
    let folder = try TemporaryFolder()
    let key = try JWTSigningKey(.ed25519)
    try Data(JWTSigningKey.jwks([key]).utf8).write(to: URL(filePath: folder.path + "/jwks"))
    #expect(chmod(folder.path + "/jwks", 0o644) == 0)
    var settings = try ServerConfiguration(
      directory: folder.path + "/data", listen: [MartletURL("martlet://127.0.0.1:0")], loops: 1,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    settings.access.roles = ["app": Role(name: "app", permissions: .all)]
    settings.access.others = .refused
    settings.access.issuers["login"] = JWTIssuer(
      issuer: "https://login.example", audience: "shop", keys: folder.path + "/jwks", role: .fixed("app"))
    let server = try Server(configuration: settings)
    let url = try #require(try server.start().first)
    defer { server.stop() }
    let fetched = Mutex(0)
    var configuration = Configuration()
    configuration.remote.createsDatabase = true
    configuration.remote.credential = .fetched {
      fetched.withLock { $0 += 1 }
      return try key.jwt(JWTSigningKey.claims(["exp": "\(Date().timeIntervalSince1970 + 2)"]))
    }
    let remote = try RemoteDatabase("\(url)/db", configuration: configuration)
    try await remote.ping()
    let first = fetched.withLock { $0 }
    try await suspendUntil {
      // A ping may meet the end of its connection, which is said to be worth another try.
      do { try await remote.ping() } catch let error as ClientError { #expect(error.isRetryable, "\(error)") }
      return fetched.withLock { $0 } >= first + 2
    }
    await remote.close()
    #expect(server.counters.first { $0.name == "closed_identity_ended" }.map { $0.value >= 1 } == true)
    #expect(server.counters.first { $0.name == "identities_refused" }?.value == 0)
  }
}
