/// Connections over TLS: who is let in, who is not, and in which words.
import Foundation
import MartletValues
import NIOSSL
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(1))) struct TLSConnectionTests {
  private typealias Refusal = TLSServer.Refusal

  private let certificates: TestCertificates

  init() async throws { certificates = try await TestCertificates.all() }

  private static let untrusted = Refusal.final(
    "its certificate is not signed by an authority that this client trusts. Give the authority's file "
      + "(ClientTLS.authorities, or --ca).")

  private static let otherProtocol = Refusal.final(
    "it did not choose the protocol martlet/1 in the TLS handshake; is it a Martlet server?")

  @Test func `a server with a certificate of the authority is connected to by name and by address`() async throws {
    let server = try await TLSServer()
    try await server.ping()
    try await server.ping(host: "127.0.0.1")
    try await server.ping { $0.tls.serverName = "db.example" }
    try await server.ping { $0.tls.serverName = "::1" }
    let v6 = try await TLSServer { $0.host = "::1" }
    try await v6.ping(host: "[::1]")
    let old = try await TLSServer { $0.versionMax = .tlsv12 }
    try await old.ping()
  }

  @Test func `an authority that is not trusted is refused at once`() async throws {
    let server = try await TLSServer()
    #expect(await server.refusal { $0.tls.authorities = certificates.certificate("other-ca") } == Self.untrusted)
    #expect(await server.refusal { $0.tls.authorities = nil } == Self.untrusted)
    // No second attempt was made of either.
    #expect(server.connections == 2)
    #expect(server.credentials == [])
  }

  @Test func `a certificate of another name or address is refused, and its names are told`() async throws {
    let server = try await TLSServer { $0.certificate = "elsewhere" }
    let names = "its certificate is for elsewhere.example, *.wild.example, 192.0.2.7 and not for"
    let advice = "Connect by a name of the certificate, or say in the program which one it has (ClientTLS.serverName)."
    #expect(await server.refusal() == .final("\(names) localhost. \(advice)"))
    #expect(await server.refusal(host: "127.0.0.1") == .final("\(names) 127.0.0.1. \(advice)"))
    try await server.ping { $0.tls.serverName = "a.wild.example" }
    try await server.ping { $0.tls.serverName = "192.0.2.7" }
    #expect(
      await server.refusal { $0.tls.serverName = "a.b.wild.example" } == .final("\(names) a.b.wild.example. \(advice)"))
    #expect(server.credentials.count == 2)
  }

  @Test func `the common name and the address that a name leads to are no proof`() async throws {
    let nameless = try await TLSServer { $0.certificate = "nameless" }
    #expect(
      await nameless.refusal()
        == .final(
          "its certificate has no alternative name, and needs localhost as one: a common name does not count."))
    let server = try await TLSServer()
    let other = await server.refusal { $0.tls.serverName = "other.example" }
    #expect(other.reason.hasPrefix("its certificate is for localhost, db.example, 127.0.0.1, 0:0:0:0:0:0:0:1 and not"))
  }

  @Test func `a certificate of the past or the future is refused with its date`() async throws {
    let expired = try await TLSServer { $0.certificate = "expired" }
    #expect(
      await expired.refusal()
        == .final("its certificate expired at 2020-02-01T00:00:00Z. It must be renewed at the server."))
    let future = try await TLSServer { $0.certificate = "future" }
    #expect(
      await future.refusal()
        == .final("its certificate is not valid before 2048-01-01T00:00:00Z; is the clock here right?"))
  }

  @Test func `a pinned certificate is accepted and no other`() async throws {
    let fingerprint = try certificates.fingerprint("expired")
    let server = try await TLSServer { $0.certificate = "expired" }
    for form in [fingerprint, fingerprint.lowercased(), fingerprint.replacing(":", with: "")] {
      try await server.ping(host: "127.0.0.1") {
        $0.tls.authorities = nil
        $0.tls.fingerprint = form
      }
    }
    let other = try await TLSServer()
    #expect(
      await other.refusal { $0.tls.fingerprint = fingerprint }
        == .final(
          "its certificate has another fingerprint \(try certificates.fingerprint("server")) than the one that was given."
        ))
    #expect(other.credentials == [])
  }

  @Test(arguments: [[], ["http/1.1"]])
  func `a server that does not choose the protocol is refused`(protocols: [String]) async throws {
    let server = try await TLSServer { $0.protocols = protocols }
    #expect(await server.refusal() == Self.otherProtocol)
    #expect(server.credentials == [])
  }

  @Test func `a server without TLS is told from one that hangs up`() async throws {
    let plain = try await TLSServer { $0.plainGreeting = [0, 0, 0, 0, 4, 8, 1, 18, 0] }
    #expect(await plain.refusal() == .final("it does not speak TLS there. Use martlet://."))
    let silent = try await TLSServer { $0.hangsUp = true }
    let refusal = await silent.refusal { $0.connectAttemptsMax = 2 }
    #expect(refusal.reason == "it ended the connection during the TLS handshake; does it speak TLS there?")
    #expect(refusal.code == .cannotConnect && refusal.isRetryable)
    #expect(silent.connections == 2)
  }

  @Test func `a connection that ends before the hello's answer is not a riddle`() async throws {
    let server = try await TLSServer { $0.hangsUpAtHello = true }
    let refusal = await server.refusal { $0.connectAttemptsMax = 1 }
    #expect(
      refusal.reason
        == "it ended the connection before it answered the hello; does it demand a certificate of this client?")
    #expect(refusal.code == .cannotConnect && refusal.isRetryable)
  }

  @Test func `a server with old versions only is refused`() async throws {
    let server = try await TLSServer { $0.versionMax = .tlsv11 }
    #expect(
      await server.refusal()
        == .final("it and this client have no version of TLS in common: this client speaks 1.3 and 1.2."))
  }

  @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
  func `a server that demands a certificate gets one`(version: TLSVersion) async throws {
    let server = try await TLSServer {
      $0.demandsClientCertificate = true
      $0.versionMax = version
    }
    try await server.ping {
      $0.tls.certificate = certificates.certificate("client")
      $0.tls.key = certificates.key("client")
    }
    let missing = await server.refusal()
    // Version 1.2 tells only that the handshake failed, so there the advice is under a condition.
    let advice = version == .tlsv13 ? "Give" : "give"
    #expect(
      missing.reason.hasSuffix(
        "\(advice) a certificate and its key (ClientTLS.certificate and key, or --cert and --key)."))
    #expect(missing.code == .tlsFailed && !missing.isRetryable)
    let stranger = await server.refusal {
      $0.tls.certificate = certificates.certificate("stranger")
      $0.tls.key = certificates.key("stranger")
    }
    #expect(stranger.code == .tlsFailed && stranger.reason.contains("client's certificate"), "\(stranger)")
  }

  @Test func `each connection has the credential of its time`() async throws {
    let server = try await TLSServer()
    let file = try certificates.write("mlt_of-a-file\n", to: "token")
    try await server.ping { $0.credential = .token("mlt_one") }
    try await server.ping { $0.credential = .fetched { "mlt_two" } }
    try await server.ping { $0.credential = .file(file) }
    try await server.ping()
    #expect(server.credentials == ["mlt_one", "mlt_two", "mlt_of-a-file", ""])
  }
}
