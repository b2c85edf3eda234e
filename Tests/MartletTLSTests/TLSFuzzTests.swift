/// What a client sends in a whole connection, cut and flipped at every byte, against a server's end without a socket.
import Foundation
import MartletTLS
import MartletTestSupport
import Testing

@Suite(.serialized) struct TLSFuzzTests {
  /// Two ends that talk through arrays.
  private struct Ends {
    let client: TLSSession
    let server: TLSSession
    let scratch = TLSScratch()

    init(_ contexts: (client: TLSContext, server: TLSContext)) throws {
      client = try TLSSession(contexts.client, connectingTo: "localhost")
      server = try TLSSession(contexts.server)
    }

    func give(_ bytes: [UInt8], to session: TLSSession) -> [UInt8] {
      var plain: [UInt8] = []
      bytes.withUnsafeBytes { session.receive($0, scratch: scratch) { plain += $0 } }
      return plain
    }

    func take(from session: TLSSession) -> [UInt8] {
      var bytes: [UInt8] = []
      session.takeOutput { bytes += $0 }
      return bytes
    }
  }

  private static let said = Array("a hello and what follows it, in one record".utf8)

  private let files: CertificateFolder
  private let contexts: (client: TLSContext, server: TLSContext)

  init() throws {
    files = try CertificateFolder()
    contexts = (try TLSContext(verifyingBy: files.file("ca.pem")), try TLSContext(files.server))
  }

  /// What the client sends first, and what it sends once the server has answered, with two records of data.
  private func flights(_ ends: Ends) -> (first: [UInt8], () -> [UInt8]) {
    let first = ends.take(from: ends.client)
    return (
      first,
      {
        _ = ends.give(ends.take(from: ends.server), to: ends.client)
        for part in [Self.said[..<10], Self.said[10...]] {
          part.withUnsafeBytes { ends.client.send($0) }
        }
        ends.client.finishSending()
        return ends.take(from: ends.client)
      }
    )
  }

  /// Feeds bytes in two pieces, and expects that nothing comes out but what was said, from its beginning.
  private func feed(_ bytes: [UInt8], cutAt place: Int, to ends: Ends, _ what: @autoclosure () -> String) {
    let place = min(place, bytes.count)
    let plain = ends.give(Array(bytes[..<place]), to: ends.server) + ends.give(Array(bytes[place...]), to: ends.server)
    #expect(Self.said.starts(with: plain), "\(what()): \(plain)")
    _ = ends.take(from: ends.server)
  }

  @Test func `what was not touched comes through`() throws {
    let ends = try Ends(contexts)
    let (first, second) = flights(ends)
    #expect(ends.give(first, to: ends.server).isEmpty)
    #expect(ends.give(second(), to: ends.server) == Self.said)
    #expect(ends.server.phase == .ended)
  }

  @Test func `the flights of a client, cut at every byte, never open more than what was whole`() throws {
    let length = try flights(Ends(contexts)).first.count
    for place in 0..<length {
      let ends = try Ends(contexts)
      #expect(ends.give(Array(flights(ends).first[..<place]), to: ends.server).isEmpty)
      #expect(ends.server.phase == .shakingHands, "\(place): \(ends.server.phase)")
    }
    var (place, isWhole) = (0, false)
    while !isWhole {
      let ends = try Ends(contexts)
      let (first, second) = flights(ends)
      _ = ends.give(first, to: ends.server)
      let bytes = second()
      isWhole = place >= bytes.count
      feed(Array(bytes.prefix(place)), cutAt: place / 2, to: ends, "cut at \(place)")
      place += 1
    }
  }

  @Test func `the flights of a client, with a bit flipped at every byte, neither trap nor change what is said`() throws
  {
    // Each round is one byte of a connection, then of another one, whose bytes are others.
    let lengths = try { () -> (Int, Int) in
      let ends = try Ends(contexts)
      let (first, second) = flights(ends)
      _ = ends.give(first, to: ends.server)
      return (first.count, second().count)
    }()
    let report = try FuzzLoop("TLS without a socket", rounds: 2 * (lengths.0 + lengths.1)).run { round, random in
      let ends = try Ends(contexts)
      var (first, second) = flights(ends)
      let place = round % (lengths.0 + lengths.1)
      let (bit, cut) = (UInt8(1) << UInt8.random(in: 0..<8, using: &random), Int.random(in: 0..<600, using: &random))
      if place < lengths.0 {
        first[place % first.count] ^= bit
        return feed(first, cutAt: cut, to: ends, "first flight, round \(round)")
      }
      _ = ends.give(first, to: ends.server)
      var bytes = second()
      guard !bytes.isEmpty else { return }
      bytes[(place - lengths.0) % bytes.count] ^= bit
      if round % 5 == 0 { bytes.removeSubrange(min(cut, bytes.count)...) }
      feed(bytes, cutAt: cut, to: ends, "second flight, round \(round)")
    }
    #expect(report.growthBytes < 32 << 20 && report.moreDescriptors <= 0, "\(report)")
  }
}
