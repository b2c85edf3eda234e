/// Frames out of a byte stream, however it was cut.
///
/// Always true: the expected frames do not depend on where the stream was split.
import MartletProtocol
import MartletTestSupport
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

  // MARK: - Frames that are passed over

  private static func message(_ id: UInt32, bytes: Int) -> [UInt8] {
    let body = [0x0D] + withUnsafeBytes(of: id.littleEndian) { Array($0) } + [UInt8](repeating: 7, count: bytes - 5)
    return [0] + withUnsafeBytes(of: UInt32(body.count).bigEndian) { Array($0) } + body
  }

  /// A short frame, a long one, a short one, however the stream is split; the long one is passed over.
  @Test(arguments: [1, 2, 3, 7, 64, 100, 999, 5_000])
  func `a long frame that is not whole is passed over, and the frames around it come`(size: Int) throws {
    let stream = Self.message(1, bytes: 20) + Self.message(0x0201, bytes: 4_000) + Self.message(3, bytes: 30)
    var decoder = FrameDecoder(frameBytesMax: 1 << 20)
    var seen: [Int] = []
    var passed: [UInt32] = []
    var most = 0
    for start in stride(from: 0, to: stream.count, by: size) {
      try stream[start..<min(start + size, stream.count)].withUnsafeBytes { piece throws in
        decoder.feed(piece)
        while true {
          if let id = try decoder.passOver(framesLongerThan: 100) { passed.append(id) }
          guard let frame = try decoder.next() else { break }
          seen.append(frame.count)
        }
        decoder.keepRest()
      }
      most = max(most, decoder.keptBytes)
    }
    // What is whole in one piece costs nothing to take.
    #expect(size < 4_000 ? seen == [20, 30] && passed == [0x0201] : seen == [20, 4_000, 30] && passed == [])
    #expect(most <= 110 && decoder.keptBytes == 0)
  }

  @Test func `a frame is given up in the middle, and one without an id is told as 0`() throws {
    for (stream, id) in [
      (Self.message(9, bytes: 4_000), 9), ([0, 0, 0, 15, 160] + [UInt8](repeating: 1, count: 4_000), 0),
    ]
      as [([UInt8], UInt32)]
    {
      var decoder = FrameDecoder(frameBytesMax: 1 << 20)
      for start in stride(from: 0, to: 3_000, by: 500) {
        try stream[start..<start + 500].withUnsafeBytes { piece throws in
          decoder.feed(piece)
          #expect(try decoder.next() == nil)
          decoder.keepRest()
        }
      }
      #expect(decoder.keptBytes == 3_000)
      decoder.feed(UnsafeRawBufferPointer(start: nil, count: 0))
      #expect(try decoder.passOver(framesLongerThan: 100) == id)
      #expect(decoder.keptBytes == 0)
      try (stream[3_000...] + Self.message(2, bytes: 10)).withUnsafeBytes { rest throws in
        decoder.feed(rest)
        #expect(try decoder.passOver(framesLongerThan: 100) == nil)
        #expect(try decoder.next()?.count == 10)
        decoder.keepRest()
      }
    }
  }

  @Test func `a frame beyond the limit is refused, also where long ones are passed over`() throws {
    var decoder = FrameDecoder(frameBytesMax: 1_000)
    try Self.message(1, bytes: 2_000).withUnsafeBytes { bytes throws in
      decoder.feed(UnsafeRawBufferPointer(rebasing: bytes[..<100]))
      #expect(throws: FrameError.tooLong(bytes: 2_000, limit: 1_000)) {
        _ = try decoder.passOver(framesLongerThan: 100)
      }
    }
  }
}
