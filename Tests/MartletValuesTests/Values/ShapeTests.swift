/// The ids of shapes: SHA-256, whichever way it is computed.
import CMartletHash
import MartletTestSupport
import MartletValues
import Testing

@Suite struct ShapeTests {
  private typealias Hash = @Sendable (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?) -> Void
  private static let ways: [(String, Hash)] = [
    ("best", { martlet_sha256($0, $1, $2) }), ("portable", { martlet_sha256_portable($0, $1, $2) }),
  ]

  private func digest(_ bytes: [UInt8], _ hash: Hash) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    hash(bytes, bytes.count, &digest)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func `the standard's examples come out, each way`() {
    let table: [([UInt8], String)] = [
      ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ]
    for (bytes, expected) in table {
      for (name, hash) in Self.ways { #expect(digest(bytes, hash) == expected, "\(name), \(bytes.count) bytes") }
    }
  }

  @Test func `every length up to five blocks gives the same digest each way, and another one than its neighbours`() {
    var generator = SeededGenerator(seed: 1)
    let bytes = (0..<320).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var seen: Set<String> = []
    for count in 0...320 {
      let digests = Self.ways.map { digest(Array(bytes.prefix(count)), $0.1) }
      #expect(digests[0] == digests[1], "\(count) bytes")
      #expect(seen.insert(digests[0]).inserted, "\(count) bytes")
    }
  }

  @Test func `an id is the first half of the digest`() {
    let shape = Array("abc".utf8).withUnsafeBytes { ShapeID(hashing: $0) }
    #expect("\(shape)" == "ba7816bf8f01cfea414140de5dae2223")
    #expect(shape.bytes.withUnsafeBytes { ShapeID(bytes: $0) } == shape)
    #expect("\(ShapeID(hashing: UnsafeRawBufferPointer(start: nil, count: 0)))" == "e3b0c44298fc1c149afbf4c8996fb924")
  }
}
