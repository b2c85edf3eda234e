/// Addresses that speak TLS: what is no TLS there, handshakes that stay half way, and where a server may listen at all.
import Foundation
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct HandshakeTests {
  private let files: CertificateFolder

  init() throws { files = try CertificateFolder() }

  private func start(
    limits: Limits = Limits(), _ change: (inout ServerConfiguration) throws -> Void = { _ in }
  ) throws -> LiveServer {
    try LiveServer(limits: limits, loops: 1) { configuration, _ in
      configuration.listen.append(try MartletURL("martlet+tls://127.0.0.1:0"))
      configuration.tls = TLSSettings(certificate: files.file("server.pem"), key: files.file("server.key"))
      try change(&configuration)
    }
  }

  @Test func `a client that speaks plain Martlet is told what to do, and then nothing more`() throws {
    let live = try start()
    let client = try RawClient(#require(live.tls))
    client.send(1, .hello(.init(database: "db", create: true)))
    let last = try client.receiveUntilClosed()
    guard case .error(let error)? = last.first?.parts.first else {
      Issue.record("\(last)")
      return
    }
    #expect(last.count == 1 && error.reason == .notAllowed)
    #expect(error.message == "This address speaks TLS. Connect with a martlet+tls:// URL.")
    #expect(live.counter("handshakes_failed") == 1)
  }

  @Test func `what is no TLS, and handshakes that stay half way, cost nobody anything`() throws {
    var limits = Limits()
    limits.helloDeadlineMs = 500
    limits.handshakesMax = 1_024
    let live = try start(limits: limits)
    let url = try #require(live.tls)
    let bystander = try live.connect()
    let head: [UInt8] = [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3]
    let openings: [[UInt8]] = [
      [], [0x16], head, head + [UInt8](repeating: 7, count: 600), [0], Array("GET / HTTP/1.0\r\n\r\n".utf8),
      [UInt8](repeating: 0xFF, count: 70_000),
    ]
    for round in 0..<20 {
      let clients = try openings.map { bytes in
        let client = try RawClient(url)
        client.send(bytes)
        return client
      }
      try #expect(bystander.execute(UInt32(round + 2), "SELECT 1").error == nil)
      if round % 2 == 0 { clients.forEach { $0.reset() } }
      // Those that stay are closed when the time for a hello is over.
      for client in clients where round % 2 == 1 { _ = try? client.receiveUntilClosed() }
    }
    try #expect(bystander.execute(100, "SELECT 1").error == nil)
    #expect(live.counter("handshakes_failed") > 0)
    // A socket that was told the end has a moment to read it.
    try waitUntil { live.counter("connections") == 1 }
  }

  @Test func `no more handshakes run at once than there may`() throws {
    var limits = Limits()
    limits.handshakesMax = 16
    let live = try start(limits: limits)
    let url = try #require(live.tls)
    let waiting = try (0..<4).map { _ in try RawClient(url) }
    // One more is closed at once, without a word.
    try #expect(RawClient(url).receiveUntilClosed().isEmpty)
    #expect(live.counter("connections_refused") == 1)
    waiting.forEach { $0.reset() }
    // As soon as the server has noticed, there is room again.
    var answers = 0
    try waitUntil {
      let plain = try RawClient(url)
      plain.send(1, .hello(.init(database: "db")))
      answers = try plain.receiveUntilClosed().count
      return answers > 0
    }
    #expect(answers == 1)
  }

  @Test func `handshakes that stay half way give their places to others of their address long before their end`()
    throws
  {
    var limits = Limits()
    limits.handshakesMax = 16
    // Nothing but another client ends them.
    limits.helloDeadlineMs = 120_000
    let live = try start(limits: limits)
    let url = try #require(live.tls)
    let waiting = try (0..<4).map { _ in try RawClient(url) }
    try waitUntil { live.counter("connections") == 4 }
    try #expect(RawClient(url).receiveUntilClosed().isEmpty)
    try waitUntil {
      let plain = try RawClient(url)
      plain.send(1, .hello(.init(database: "db")))
      return try !plain.receiveUntilClosed().isEmpty
    }
    // One of the four has gone for it, and the plain one is no handshake either.
    #expect(live.counter("handshakes_failed") == 2)
    try waitUntil { live.counter("connections") == 3 }
    try #expect(waiting[0].receiveUntilClosed().isEmpty, "the oldest")
  }

  @Test func `a server starts beyond this machine only with TLS and a role, or where that is allowed`() throws {
    let role = Role(name: "r", permissions: .select)
    typealias Change = (inout ServerConfiguration) -> Void
    let table: [(String, Change, words: String?)] = [
      ("martlet://0.0.0.0:0", { _ in }, "without TLS"),
      ("martlet://0.0.0.0:0", { $0.access.roles = ["r": role] }, "without TLS"),
      ("martlet+tls://0.0.0.0:0", { _ in }, "without roles"),
      ("martlet+tls://0.0.0.0:0", { $0.access.roles = ["r": role] }, nil),
      ("martlet://0.0.0.0:0", { $0.isInsecure = true }, nil),
      ("martlet+tls://127.0.0.1:0", { _ in }, nil),
      ("martlet+tls://127.0.0.1:0", { $0.tls = nil }, "needs a certificate"),
      ("martlet://127.0.0.1:0", { $0.access.users = [1: "none"] }, "There is no role 'none'"),
      ("martlet+tls://127.0.0.1:0", { $0.tls?.key = "/none" }, "/none"),
    ]
    for (url, change, words) in table {
      do {
        let live = try start { configuration in
          configuration.listen[2] = try MartletURL(url)
          change(&configuration)
        }
        #expect(words == nil, "\(url)")
        live.server.stop()
      } catch let error as ServerError {
        #expect(words.map { error.message.contains($0) } ?? false, "\(url): \(error)")
      }
    }
  }
}
