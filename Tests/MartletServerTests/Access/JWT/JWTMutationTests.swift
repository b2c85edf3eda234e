/// A JWT that was changed anywhere is not believed, and nothing that stands in one ends the process.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletServer

@Suite struct JWTMutationTests {
  private static let seed: UInt64 = 20_261_123

  @Test(arguments: JWTSigningKey.Kind.believed)
  func `each letter that is changed, cut or doubled makes it worthless`(kind: JWTSigningKey.Kind) throws {
    let scene = try JWTScene()
    let bytes = Array(try scene.key(kind).jwt(JWTScene.claims()).utf8)
    func outcome(_ bytes: [UInt8]) -> String { scene.outcome(String(decoding: bytes, as: UTF8.self)) }
    #expect(outcome(bytes) == "app alice")
    var believed: [String] = []
    for place in bytes.indices {
      // The next letter of the alphabet too: behind a part's last byte there are bits that nobody reads.
      for other in [bytes[place] ^ 1, bytes[place] &+ 1, bytes[place] &- 1, 0x2E, 0x3D, 0x41, 0x5F, 0x20, 0xC3]
      where other != bytes[place] {
        var changed = bytes
        changed[place] = other
        if outcome(changed) == "app alice" { believed.append("\(place) -> \(other)") }
      }
      for changed in [
        Array(bytes[..<place]), Array(bytes[place...].dropFirst()), Array(bytes[..<place] + bytes[(place + 1)...]),
        Array(bytes[...place] + bytes[place...]),
      ] where outcome(changed) == "app alice" {
        believed.append("\(place) cut or doubled")
      }
    }
    #expect(believed.isEmpty, "\(believed)")
  }

  @Test func `signed nonsense is refused or believed as it stands, and traps nowhere`() throws {
    let scene = try JWTScene { $0.claims = ["tenant", "level"] }
    let key = scene.key(.ed25519)
    var random = SeededGenerator(seed: Self.seed)
    let claims = Array(
      JWTScene.claims(["nbf": "1.5e9", "tenant": "\"a\\u00e4\\n\"", "x": "[{\"a\":[1,-2.5e-3,null,true]}]"]).utf8)
    let header = Array(#"{"alg":"EdDSA","kid":"EdDSA","typ":"JWT"}"#.utf8)
    let pieces: [[UInt8]] = [
      "1e999", "-", "0", ".", "e", "\"", "\\", "\\u", "\\uD83D", "{", "}", "[", "]", ",", ":", "null", "\u{0}", "9",
      "é",
    ].map { Array($0.utf8) }
    func mutated(_ bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
        }
        if bytes.isEmpty { bytes = [0x7B] }
      }
      return bytes
    }
    var believed = 0
    for round in 0..<scale("MARTLET_JWT_ROUNDS", otherwise: 3_000) {
      let (head, body) = round % 4 == 0 ? (mutated(header), claims) : (header, mutated(claims))
      let signed = "\(JWTSigningKey.base64URL(head)).\(JWTSigningKey.base64URL(body))"
      let jwt = "\(signed).\(JWTSigningKey.base64URL(try key.signature(of: signed)))"
      guard let grant = try? scene.verifier.check(jwt, now: JWTScene.now).grant else { continue }
      believed += 1
      // What is believed is what another reader finds there, too.
      let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      #expect(object?["sub"] as? String == grant.subject && object?["iss"] as? String == "https://login.example")
      #expect((object?["exp"] as? NSNumber)?.doubleValue == grant.ends.timeIntervalSince1970)
    }
    #expect(believed > 10)
  }

  @Test func `what is read as JSON is JSON to others as well, with the same values`() throws {
    var random = SeededGenerator(seed: Self.seed)
    let alphabet = Array("{}[]:,\"\\/bfnrtu0123456789abcdefABCDEF+-.eE \n\ttruefalsenull\u{1F600}é".utf8)
    var taken = 0
    for _ in 0..<scale("MARTLET_JWT_ROUNDS", otherwise: 3_000) * 4 {
      var bytes = Array(#"{"a":["b",1.5,{"c":null}],"d":"\u00e9\n"}"#.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let byte = alphabet.randomElement(using: &random) ?? 0
        if Bool.random(using: &random) { bytes[place] = byte } else { bytes.insert(byte, at: place) }
      }
      guard let tree = try? JSONReader.tree(of: bytes) else { continue }
      taken += 1
      let other = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      #expect(other != nil, "\(String(decoding: bytes, as: UTF8.self))")
      if case .object(let members) = tree, let text = members["d"]?.text {
        #expect((other as? [String: Any])?["d"] as? String == text)
      }
    }
    #expect(taken > 100)
  }
}
