/// What a client of TLS sends, cut and flipped, at a server's port: others are served, and nothing stays.
import Foundation
import MartletProtocol
import MartletTLS
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct TLSPortFuzzTests {
  /// A client's end whose bytes go through a socket by hand.
  private struct Wire {
    let session: TLSSession
    let socket: RawClient
    let scratch = TLSScratch()

    func take() -> [UInt8] {
      var bytes: [UInt8] = []
      session.takeOutput { bytes += $0 }
      return bytes
    }

    /// Shakes hands, and returns the last bytes that the server waits for, with a hello behind them.
    func second() throws -> [UInt8] {
      while session.phase == .shakingHands {
        let bytes = try socket.receiveBytes()
        guard !bytes.isEmpty else { return [] }
        bytes.withUnsafeBytes { session.receive($0, scratch: scratch) { _ in } }
      }
      socket.bytes(1, .hello(.init(database: "db"))).withUnsafeBytes { session.send($0) }
      return take()
    }
  }

  private let files: CertificateFolder

  init() throws { files = try CertificateFolder() }

  @Test func `flights that are cut and flipped at a port leave nothing behind, and others are served`() throws {
    var limits = Limits()
    limits.helloDeadlineMs = 2_000
    limits.handshakesMax = 1_024
    let live = try LiveServer(limits: limits, loops: 1) { configuration, _ in
      configuration.listen.append(try MartletURL("martlet+tls://127.0.0.1:0"))
      configuration.tls = TLSSettings(certificate: files.file("server.pem"), key: files.file("server.key"))
    }
    let (url, context) = (try #require(live.tls), try TLSContext(verifyingBy: files.file("ca.pem")))
    let bystander = try live.connect()
    var (hellos, failed) = (0, 0)
    let report = try FuzzLoop("TLS at a port", rounds: 600).run { round, random in
      let wire = Wire(session: try TLSSession(context, connectingTo: "localhost"), socket: try RawClient(url))
      defer { wire.socket.close() }
      var flight = wire.take()
      let isSecond = round % 2 == 1
      if isSecond {
        wire.socket.send(flight)
        flight = try wire.second()
      }
      guard !flight.isEmpty else { return }
      // Every byte in turn; one round of sixteen is as it should be.
      let (place, isWhole) = ((round / 4) % flight.count, round % 16 == 15)
      if round % 4 < 2, !isWhole {
        flight = Array(flight[..<place])
      } else if !isWhole {
        flight[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      }
      wire.socket.send(flight)
      if round % 8 < 4 { wire.socket.finishSending() }
      if isWhole {
        hellos += try wire.socket.receiveBytes().isEmpty ? 0 : 1
      } else if round % 8 < 4 {
        while let bytes = try? wire.socket.receiveBytes(), !bytes.isEmpty {}
        failed += 1
      } else {
        wire.socket.reset()
      }
      if round % 20 == 0 { try #expect(bystander.execute(UInt32(round + 2), "SELECT 1").rows == [[.integer(1)]]) }
    }
    #expect(hellos == (report.rounds + 0) / 16 && failed > report.rounds / 4, "\(hellos) hellos, \(failed) failed")
    #expect(live.counter("handshakes_failed") > 0)
    try #expect(bystander.execute(UInt32(report.rounds + 10_000_000), "SELECT 1").error == nil)
    // As soon as the server has noticed that the others are gone.
    try waitUntil(within: .seconds(10)) { live.counter("connections") == 1 }
    #expect(report.growthBytes < 64 << 20 && report.moreDescriptors < 40, "\(report)")
  }
}
