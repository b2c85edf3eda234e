/// A peer that changes its keys: each change costs the server new keys and an answer, and the peer 27 bytes.
import COpenSSL
import MartletTestSupport
import Testing

@testable import MartletTLS

@Suite struct KeyUpdateTests {
  /// A client of TLS 1.3 that trusts anybody, with its bytes in memory.
  private final class Peer {
    private let context: OpaquePointer
    private let raw: OpaquePointer
    private let sent: OpaquePointer
    private let received: OpaquePointer

    init() throws {
      context = try #require(SSL_CTX_new(TLS_client_method()))
      raw = try #require(SSL_new(context))
      received = try #require(BIO_new(BIO_s_mem()))
      sent = try #require(BIO_new(BIO_s_mem()))
      SSL_set_bio(raw, received, sent)
      SSL_set_connect_state(raw)
      SSL_do_handshake(raw)
    }

    deinit {
      SSL_free(raw)
      SSL_CTX_free(context)
    }

    var isOpen: Bool { SSL_is_init_finished(raw) == 1 }

    /// Writes so many requests for new keys, and a text.
    func change(times: Int, saying text: String = "") {
      for _ in 0..<times {
        SSL_key_update(raw, SSL_KEY_UPDATE_REQUESTED)
        SSL_do_handshake(raw)
      }
      _ = text.isEmpty ? 0 : SSL_write(raw, text, Int32(text.utf8.count))
    }

    /// What it has to send.
    func take() -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = BIO_read(sent, &bytes, Int32(bytes.count))
      return Array(bytes.prefix(Int(max(0, count))))
    }

    func feed(_ bytes: [UInt8]) {
      BIO_write(received, bytes, Int32(bytes.count))
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      while SSL_read(raw, &buffer, Int32(buffer.count)) > 0 {}
    }
  }

  private func feed(_ bytes: [UInt8], to session: TLSSession) -> (plain: [UInt8], sent: Int) {
    var plain: [UInt8] = []
    var sent = 0
    bytes.withUnsafeBytes { session.receive($0, scratch: TLSScratch()) { plain += $0 } }
    session.takeOutput { sent = $0.count }
    return (plain, sent)
  }

  private func open() throws -> (Peer, TLSSession) {
    let files = try CertificateFolder()
    let session = try withExtendedLifetime(files) { try TLSSession(TLSContext(files.server)) }
    let peer = try Peer()
    for _ in 0..<4 {
      peer.take().withUnsafeBytes { session.receive($0, scratch: TLSScratch()) { _ in } }
      session.takeOutput { peer.feed(Array($0)) }
    }
    try #require(peer.isOpen && session.phase == .open)
    return (peer, session)
  }

  @Test func `a peer may change its keys now and then`() throws {
    let (peer, session) = try open()
    for round in 0..<10 {
      peer.change(times: 2, saying: "round \(round)")
      let (plain, sent) = feed(peer.take(), to: session)
      #expect(String(decoding: plain, as: UTF8.self) == "round \(round)" && sent > 0)
    }
    #expect(session.phase == .open)
  }

  @Test func `one that does nothing else is ended, after a bounded number of answers`() throws {
    let (peer, session) = try open()
    peer.change(times: 5_000, saying: "late")
    let (plain, sent) = feed(peer.take(), to: session)
    guard case .failed(let reason) = session.phase else {
      Issue.record("\(session.phase)")
      return
    }
    #expect(reason.contains("keys") && plain.isEmpty)
    #expect(sent < 64 * 64, "an answer has less than 64 bytes")
    #expect(feed([1, 2, 3], to: session).sent == 0)
  }

  @Test func `bytes of the protocol between the changes do not make room for as many changes as a peer likes`() throws {
    let (peer, session) = try open()
    for _ in 0..<200 {
      peer.change(times: 1, saying: "x")
      _ = feed(peer.take(), to: session)
    }
    #expect(session.phase != .open)
  }
}
