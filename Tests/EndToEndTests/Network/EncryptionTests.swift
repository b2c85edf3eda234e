/// TLS between a server and the library's clients over real sockets: who is let in, and what comes through.
import Foundation
import Logging
import MartletClient
import MartletServer
import MartletTLS
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized) struct EncryptionTests {
  /// A server with a certificate of an authority that the test has.
  private final class Encrypted {
    let files: CertificateFolder
    let server: Server
    let (url, plain): (String, String)
    private let folder: TemporaryFolder

    init(_ change: (inout ServerConfiguration, CertificateFolder) throws -> Void = { _, _ in }) throws {
      folder = try TemporaryFolder()
      files = try CertificateFolder()
      var logger = Logger(label: "test")
      logger.logLevel = .critical
      var configuration = try ServerConfiguration(
        directory: folder.path + "/data",
        listen: [MartletURL("martlet+tls://127.0.0.1:0"), MartletURL("martlet://127.0.0.1:0")], loops: 1,
        logger: logger)
      configuration.tls = TLSSettings(certificate: files.file("server.pem"), key: files.file("server.key"))
      try change(&configuration, files)
      server = try Server(configuration: configuration)
      let urls = try server.start()
      (url, plain) = ("\(urls[0])/db", "\(urls[1])/db")
    }

    deinit { server.stop() }

    func configuration(certificate: String? = nil) -> ClientConfiguration {
      var configuration = ClientConfiguration(createsDatabase: true)
      configuration.tls.authorities = files.file("ca.pem")
      if let certificate {
        configuration.tls.certificate = files.file("\(certificate).pem")
        configuration.tls.key = files.file("\(certificate).key")
      }
      return configuration
    }

    /// The words of the error with which a ping of a new client fails; nil if it is answered.
    func refusal(_ configuration: ClientConfiguration, at url: String? = nil) async throws -> String? {
      let client = try DatabaseClient(url ?? self.url, configuration: configuration)
      do {
        try await client.ping()
        await client.close()
        return nil
      } catch {
        await client.close()
        return "\(error)"
      }
    }

    func reload() throws { try server.reload(access: AccessPolicy(), tls: server.configuration.tls) }
  }

  @Test func `rows of every size come back through TLS as they were, many requests at once`() async throws {
    let server = try Encrypted()
    let client = try DatabaseClient(server.url, configuration: server.configuration())
    try await client.execute(.sql("CREATE TABLE t(id INTEGER PRIMARY KEY, a BLOB)"))
    let sizes = [0, 1, 100, 16_383, 16_384, 16_385, 70_000, 1_000_000, 3_000_000]
    func bytes(_ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) } }
    for size in sizes {
      try await client.execute(.sql("INSERT INTO t(a) VALUES (?1)"), [.blob(bytes(size))])
    }
    try await withThrowingTaskGroup(of: (Int, [UInt8]?).self) { group in
      for (index, size) in (0..<3).flatMap({ _ in Array(sizes.enumerated()) }) {
        group.addTask {
          let row = try await client.fetchOne(
            .sql("SELECT a FROM t WHERE id = ?1", isRead: true), [.integer(Int64(index + 1))], deadline: .seconds(30))
          return (size, try row?.get([UInt8].self, 0))
        }
      }
      for try await (size, found) in group { #expect(found == bytes(size), "\(size)") }
    }
    await client.close()
  }

  @Test func `a client without TLS is told what to do, and one with TLS at a plain address too`() async throws {
    let server = try Encrypted()
    let plain = try await server.refusal(.init(), at: server.url.replacingOccurrences(of: "+tls", with: ""))
    #expect(plain?.contains("This address speaks TLS. Connect with a martlet+tls:// URL.") == true)
    let other = server.plain.replacingOccurrences(of: "martlet://", with: "martlet+tls://")
    #expect(try await server.refusal(server.configuration(), at: other)?.contains("TLS") == true)
    #expect(try await server.refusal(server.configuration()) == nil)
    // Without the authority's file nobody vouches for the certificate.
    #expect(try await server.refusal(.init())?.contains("not signed by an authority") == true)
  }

  @Test func `a certificate of a client is its role, asked for or demanded`() async throws {
    for isRequired in [false, true] {
      let server = try Encrypted { configuration, files in
        configuration.tls?.clientAuthority = files.file("ca.pem")
        configuration.tls?.requiresClientCertificate = isRequired
        configuration.access.roles = ["backup": Role(name: "backup", permissions: .all)]
        configuration.access.certificates = ["backup.example": "backup"]
        configuration.access.others = .refused
      }
      #expect(try await server.refusal(server.configuration(certificate: "client")) == nil)
      let without = try await server.refusal(server.configuration())
      #expect(without?.contains("certificate") == true, "\(without ?? "let in")")
      // A certificate of another authority does not count, and neither does the server's own as a client's.
      let stranger = try CertificateMaker(name: "authority", days: 1)
      try server.files.write(stranger.sign(.client, name: "backup.example", days: 1), "stranger")
      stranger.close()
      for name in ["stranger", "server"] {
        let refusal = try await server.refusal(server.configuration(certificate: name))
        #expect(refusal?.contains("certificate") == true, "\(name): \(refusal ?? "let in")")
      }
    }
  }

  @Test func `a new certificate is shown after a reload, and connections that are open go on`() async throws {
    let server = try Encrypted()
    let former = server.configuration()
    let client = try DatabaseClient(server.url, configuration: former)
    try await client.ping()
    try server.files.renew()
    try await client.ping()
    // Both are read anew only at the reload, so the former authority's file is needed until then.
    #expect(try await server.refusal(former)?.contains("not signed") == true)
    try server.reload()
    try await client.ping()
    #expect(try await server.refusal(former) == nil)
    // A wrong one is refused, and the former stays.
    try server.files.write("x", "server.pem")
    #expect(throws: ServerError.self) { try server.reload() }
    #expect(try await server.refusal(former) == nil)
    await client.close()
  }

  @Test func `a transaction over TLS is one, and a token says whose it is`() async throws {
    let server = try Encrypted { configuration, files in
      configuration.access.roles = ["app": Role(name: "app", permissions: .all)]
      try files.write("", "tokens", mode: 0o600)
      configuration.access.tokensFile = files.file("tokens")
      configuration.access.others = .refused
    }
    let token = try TokenFile(path: server.files.file("tokens")).create(role: "app", name: "web").text
    try server.server.reload(
      access: server.server.configuration.access, tls: server.server.configuration.tls)
    var configuration = server.configuration()
    #expect(try await server.refusal(configuration)?.contains("does not know who asks") == true)
    configuration.credential = .token(token)
    let client = try DatabaseClient(server.url, configuration: configuration)
    try await client.execute(.sql("CREATE TABLE t(a)"))
    try await client.write { transaction in
      for value in 0..<50 {
        try await transaction.execute(.sql("INSERT INTO t VALUES (?1)"), [.integer(Int64(value))])
      }
    }
    let row = try await client.fetchOne(.sql("SELECT sum(a) FROM t", isRead: true))
    #expect(try row?.get(Int64.self, 0) == 1_225)
    await client.close()
  }
}
