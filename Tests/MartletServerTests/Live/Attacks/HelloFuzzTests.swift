/// Hellos with every field hostile, through the decoder and a session, and at a server's port.
import Foundation
import MartletProtobuf
import MartletProtocol
import MartletTestSupport
import MartletValues
import MartletWire
import Testing

@testable import MartletServer

@Suite(.serialized) struct HelloFuzzTests {
  @Test func `a hello with hostile fields is refused, or is a hello like any other`() throws {
    let decoder = ClientMessageDecoder(limits: Limits())
    var (taken, refused) = (0, 0)
    let report = try FuzzLoop("hello", rounds: 20_000).run { round, random in
      let bytes = HostileHello.message(&random)
      do {
        let message = try bytes.withUnsafeBytes { try decoder.decode($0) }
        taken += 1
        var script = SessionScript()
        let actions = script.receive(message.requestID, message.kind)
        guard case .hello(let hello) = message.kind else { return }
        #expect(!actions.isEmpty, "round \(round)")
        // What is opened has a name that is one, or none at all.
        for case .openDatabase(let name, _, let setup) in actions {
          #expect((try? MartletURL.check(database: name)) != nil, "round \(round): \(name)")
          #expect(setup == hello.setup && !hello.setupFollows && hello.credential.isEmpty, "round \(round)")
        }
        _ = script.opened()
        _ = script.receive(message.requestID &+ 1, .ping())
        _ = script.peerClosed()
      } catch let error as MessageError {
        refused += 1
        #expect(!error.error.message.isEmpty)
      }
    }
    #expect(taken > report.rounds / 20 && refused > report.rounds / 20, "\(taken) taken, \(refused) refused")
    #expect(report.growthBytes < 32 << 20, "\(report)")
  }

  @Test func `hostile hellos at a port leave nothing behind, and others are served`() throws {
    var limits = Limits()
    limits.helloDeadlineMs = 2_000
    let live = try LiveServer(limits: limits, loops: 1)
    let bystander = try live.connect()
    let sockets = ProcessSize.sockets
    var answered = 0
    let report = try FuzzLoop("hello at a port", rounds: 400).run { round, random in
      let client = try RawClient(round % 2 == 0 ? live.tcp : live.unix)
      let message = HostileHello.message(&random)
      var frame = HostileHello.frame(message)
      if round % 7 == 0 { frame.removeLast(Int.random(in: 0...frame.count, using: &random)) }
      client.send(frame)
      // Who shows a credential that is none waits for the refusal; the others hear at once or end it themselves.
      if round % 3 == 0 {
        client.finishSending()
        answered += (try? client.receiveUntilClosed().count) ?? 0
      } else if round % 3 == 1 {
        client.reset()
      }
      client.close()
      if round % 20 == 0 { try #expect(bystander.execute(UInt32(round + 2), "SELECT 1").rows == [[.integer(1)]]) }
    }
    #expect(answered > 0)
    try #expect(bystander.execute(UInt32(report.rounds + 10_000_000), "SELECT 1").error == nil)
    // As soon as the server has noticed that the others are gone.
    try waitUntil(within: .seconds(10)) { live.counter("connections") == 1 }
    // A hello may make a database, which stays open for a while: what is left behind is counted in sockets.
    #expect(report.growthBytes < 64 << 20, "\(report)")
    // As soon as those that were refused last have heard it, or are known to be gone.
    try waitUntil("\(report), \(sockets) sockets before, \(ProcessSize.sockets) now", within: .seconds(10)) {
      ProcessSize.sockets <= sockets
    }
  }
}

/// A hello of which some fields are what no client sends.
enum HostileHello {
  static func frame(_ message: [UInt8]) -> [UInt8] {
    let count = UInt32(message.count)
    return [0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + message
  }

  /// A message with a request id and the hello; now and then the id is hostile too.
  static func message(_ random: inout SeededGenerator) -> [UInt8] {
    var id: [UInt8] = [0x0D, 1, 0, 0, 0]
    if Int.random(in: 0..<20, using: &random) == 0 {
      id =
        [[], [0x0D, 0, 0, 0, 0], [0x08, 1], [0x0D, 1, 0, 0], [0x0D, 1, 0, 0, 0, 0x0D, 2, 0, 0, 0]]
        .randomElement(using: &random) ?? []
    }
    return id + RawFields.delimited(2, body(&random))
  }

  private static let usual: [(number: Int, bytes: [UInt8])] = [
    (1, [0x08, 1]), (2, RawFields.delimited(2, Array("db".utf8))), (3, RawFields.delimited(3, Array("test".utf8))),
    (4, [0x20, 1]),
    (6, [0x30, 0]), (7, []),
  ]

  /// The fields of a good hello, of which up to three are hostile instead, in any order.
  private static func body(_ random: inout SeededGenerator) -> [UInt8] {
    var fields = usual
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let number = [1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 2_047, 536_870_911, 0].randomElement(using: &random) ?? 1
      fields.removeAll { $0.number == number && Bool.random(using: &random) }
      let times = [1, 1, 1, 2, 40].randomElement(using: &random) ?? 1
      fields += (0..<times).map { _ in (number, field(number, &random)) }
    }
    if Int.random(in: 0..<4, using: &random) == 0 { fields.shuffle(using: &random) }
    var bytes = fields.flatMap(\.bytes)
    if Int.random(in: 0..<10, using: &random) == 0, !bytes.isEmpty {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    return bytes
  }

  private static func field(_ number: Int, _ random: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      let value = [0, 1, 2, 127, 128, 1 << 31, 1 << 62].randomElement(using: &random) ?? 0
      return RawFields.key(number, .varint) + RawFields.varint(value)
    // More bytes than a number has.
    case 1: return RawFields.key(number, .varint) + [UInt8](repeating: 0xFF, count: 11)
    case 2: return RawFields.key(number, .fixed32) + [1, 2, 3, 4]
    case 3: return RawFields.key(number, .fixed64) + [UInt8](repeating: 9, count: 8)
    // Groups, and wire types that there are not.
    case 4: return RawFields.key(number, Int.random(in: 3...7, using: &random))
    // A length that is longer than what comes.
    case 5:
      return RawFields.key(number, .delimited) + RawFields.varint(Int.random(in: 0...1 << 34, using: &random)) + [1, 2]
    default: return RawFields.delimited(number, text(&random))
    }
  }

  private static func text(_ random: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return []
    case 1: return [UInt8](repeating: 65, count: Int.random(in: 60...70_000, using: &random))
    case 2: return Array("shop\0other".utf8)
    case 3: return [0xC3, 0x28, 0xFF, 0xED, 0xA0, 0x80]
    case 4: return Array("../../etc/passwd".utf8)
    case 5: return Array("mlt_aaaaaaaaaaaa_".utf8) + [UInt8](repeating: 65, count: 43)
    // Messages inside of messages.
    case 6:
      return (0..<Int.random(in: 1...200, using: &random)).reduce([1]) { bytes, _ in RawFields.delimited(5, bytes) }
    case 7: return (0..<Int.random(in: 0..<64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    case 8: return Array("\u{202E}\u{200B}; DROP TABLE t; -- %n%s".utf8)
    default: return Array("db".utf8)
    }
  }
}
