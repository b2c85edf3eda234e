/// A connection without a socket, and peers that do not speak TLS.
import Foundation
import MartletTLS
import MartletTestSupport
import Testing

@Suite struct TLSSessionTests {
  /// The first message of a client of TLS 1.3 whose extensions are cut short: enough to be answered with an alert.
  private static let hello: [UInt8] =
    [0x16, 0x03, 0x01, 0x00, 0x2F, 0x01, 0x00, 0x00, 0x2B, 0x03, 0x03] + [UInt8](repeating: 7, count: 32)
    + [0x00, 0x00, 0x02, 0x13, 0x01, 0x01, 0x00, 0x00, 0x00]

  private static func context() throws -> TLSContext {
    let files = try CertificateFolder()
    return try withExtendedLifetime(files) { try TLSContext(files.server) }
  }

  private static func feed(_ bytes: [UInt8], to session: TLSSession) -> [UInt8] {
    var plain: [UInt8] = []
    bytes.withUnsafeBytes { session.receive($0, scratch: TLSScratch()) { plain += $0 } }
    return plain
  }

  @Test func `a peer that says nothing waits, and is sent nothing`() throws {
    let session = try TLSSession(Self.context())
    #expect(Self.feed([], to: session).isEmpty && session.phase == .shakingHands)
    var sent = 0
    session.takeOutput { sent += $0.count }
    Array("secret".utf8).withUnsafeBytes { session.send($0) }
    session.takeOutput { sent += $0.count }
    session.finishSending()
    session.takeOutput { sent += $0.count }
    #expect(sent == 0)
    #expect(session.peerNames.isEmpty && session.peerCertificateSecondsLeft == nil)
  }

  @Test func `what is no handshake fails, with an alert at most, and nothing comes through`() throws {
    let context = try Self.context()
    let table: [[UInt8]] = [
      Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), [UInt8](repeating: 0, count: 64),
      [0x00, 0x00, 0x00, 0x00, 0x05] + [UInt8](repeating: 1, count: 32), Self.hello,
      [0x16, 0x03, 0x01, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 1_000), [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28],
    ]
    for bytes in table {
      let session = try TLSSession(context)
      #expect(Self.feed(bytes, to: session).isEmpty)
      guard case .failed(let reason) = session.phase else {
        Issue.record("\(bytes.prefix(8)) gave \(session.phase)")
        continue
      }
      #expect(!reason.isEmpty)
      // It takes no more, whatever comes.
      #expect(Self.feed(Self.hello, to: session).isEmpty)
    }
  }

  @Test func `a handshake that is cut or flipped at any byte neither opens nor traps`() throws {
    let context = try Self.context()
    for length in 0..<Self.hello.count {
      let session = try TLSSession(context)
      #expect(Self.feed(Array(Self.hello[..<length]), to: session).isEmpty && session.phase != .open)
    }
    var random = SystemRandomNumberGenerator()
    for index in Self.hello.indices {
      for bit in 0..<8 {
        var bytes = Self.hello
        bytes[index] ^= 1 << UInt8(bit)
        let session = try TLSSession(context)
        let cut = Int.random(in: 0...bytes.count, using: &random)
        #expect(Self.feed(Array(bytes[..<cut]), to: session).isEmpty)
        #expect(Self.feed(Array(bytes[cut...]), to: session).isEmpty && session.phase != .open)
      }
    }
  }

  @Test func `random bytes behind a record's head never open a connection`() throws {
    let context = try Self.context()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let session = try TLSSession(context)
      let count = Int.random(in: 0..<300, using: &random)
      let body = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let head: [UInt8] = [UInt8.random(in: 0x14...0x18, using: &random), 3, 3, UInt8(count >> 8), UInt8(count & 255)]
      #expect(Self.feed(head + body, to: session).isEmpty && session.phase != .open)
    }
  }
}
