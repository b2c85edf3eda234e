/// Frames out of a byte stream, however it was cut.
///
/// Always true: the expected frames do not depend on where the stream was split.
import MartletWire
import Testing

@Suite struct FrameDecoderTests {
  private static func frame(_ body: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(body.count).bigEndian) { [0] + Array($0) + body }
  }

  private static let bodies: [[UInt8]] = [[], [1], Array(2...9), [], Array(repeating: 7, count: 300), [5, 5]]
  private static var stream: [UInt8] { bodies.flatMap { frame($0) } }

  /// The frames that come out when the stream arrives in these pieces, taking at most `batch` frames a turn.
  private static func frames(of pieces: [[UInt8]], takingAtMost batch: Int = .max) throws -> [[UInt8]] {
    var decoder = FrameDecoder(frameBytesMax: 1_000)
    var frames: [[UInt8]] = []
    func take() throws {
      var taken = 0
      while taken < batch, let frame = try decoder.next() {
        frames.append(Array(frame))
        taken += 1
      }
      decoder.keepRest()
    }
    for piece in pieces {
      try piece.withUnsafeBytes { bytes in
        decoder.feed(bytes)
        try take()
      }
    }
    var before = -1
    while before != frames.count {
      before = frames.count
      decoder.feed(UnsafeRawBufferPointer(start: nil, count: 0))
      try take()
    }
    return frames
  }

  @Test func `a stream split in two anywhere gives the same frames`() throws {
    for split in 0...Self.stream.count {
      #expect(try Self.frames(of: [Array(Self.stream[..<split]), Array(Self.stream[split...])]) == Self.bodies)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 64, 305])
  func `a stream in pieces of any size gives the same frames`(size: Int) throws {
    let pieces = stride(from: 0, to: Self.stream.count, by: size).map {
      Array(Self.stream[$0..<min($0 + size, Self.stream.count)])
    }
    for batch in [1, 2, .max] { #expect(try Self.frames(of: pieces, takingAtMost: batch) == Self.bodies) }
  }

  @Test func `a stream that ends anywhere gives the frames before its end and no more`() throws {
    var whole = 0
    for end in 0...Self.stream.count {
      let frames = try Self.frames(of: [Array(Self.stream[..<end])])
      #expect(frames == Array(Self.bodies.prefix(frames.count)))
      #expect(frames.count >= whole)
      whole = frames.count
    }
    #expect(whole == Self.bodies.count)
  }

  @Test func `a thousand frames in one piece come out one by one`() throws {
    let bodies = (0..<1_000).map { Array(repeating: UInt8(truncatingIfNeeded: $0), count: $0 % 50) }
    #expect(try Self.frames(of: [bodies.flatMap { Self.frame($0) }]) == bodies)
  }

  @Test func `a frame that lies whole in the input is not copied`() throws {
    try Self.stream.withUnsafeBytes { stream in
      var decoder = FrameDecoder(frameBytesMax: 1_000)
      decoder.feed(stream)
      while let frame = try decoder.next() {
        guard let base = frame.baseAddress, let start = stream.baseAddress else { continue }
        #expect(base >= start && base + frame.count <= start + stream.count)
      }
      decoder.keepRest()
      #expect(decoder.keptBytes == 0)
    }
  }

  @Test(arguments: [1_001, 1 << 31, Int(UInt32.max)])
  func `a length beyond the limit is refused from the header alone`(length: Int) throws {
    let header = withUnsafeBytes(of: UInt32(length).bigEndian) { [0] + Array($0) }
    for split in 0...header.count {
      #expect(throws: FrameError.tooLong(bytes: length, limit: 1_000)) {
        try Self.frames(of: [Array(header[..<split]), Array(header[split...])])
      }
    }
  }

  @Test(arguments: ["GET / HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}", "\u{1}\0\0\0\0"])
  func `another protocol is told from the first byte`(text: String) throws {
    #expect(throws: FrameError.unknownFlags(Array(text.utf8)[0])) { try Self.frames(of: [Array(text.utf8)]) }
  }
}
