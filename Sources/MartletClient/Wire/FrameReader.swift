internal import MartletProtocol
internal import NIOCore

/// Cuts the bytes of a connection into frames: one byte of flags (0), four bytes of big-endian length, the message.
///
/// Always true: no frame is longer than `frameBytesMax`, and a length is checked before its bytes are waited for.
struct FrameReader: Sendable {
  /// What is wrong with the bytes; a sentence.
  struct Violation: Error, Equatable {
    var message: String
  }

  private static let unknownFlags = Violation(message: "The server sent a frame with unknown flags.")

  private let frameBytesMax: Int
  private var buffer = ByteBuffer()

  init(frameBytesMax: Int) { self.frameBytesMax = frameBytesMax }

  mutating func append(_ bytes: consuming ByteBuffer) {
    if buffer.readableBytes == 0 {
      buffer = bytes
    } else {
      buffer.writeBuffer(&bytes)
    }
  }

  /// The next whole message, or nil if more bytes are needed.
  mutating func next() throws(Violation) -> ByteBuffer? {
    let start = buffer.readerIndex
    guard buffer.readableBytes >= Frame.headerBytes else {
      if buffer.readableBytes > 0, buffer.getInteger(at: start, as: UInt8.self) != 0 { throw Self.unknownFlags }
      return nil
    }
    // `!` because the header's five bytes are there.
    let header = buffer.withUnsafeReadableBytes { Frame.length(inHeader: $0.baseAddress!) }
    guard let length = header else { throw Self.unknownFlags }
    guard length <= frameBytesMax else {
      throw Violation(message: "The server sent a frame of \(length) bytes; at most \(frameBytesMax) are taken.")
    }
    guard let frame = buffer.getSlice(at: start + Frame.headerBytes, length: length) else {
      // The rest of the frame is appended here, so the space is made once.
      buffer.reserveCapacity(minimumWritableBytes: Frame.headerBytes + length - buffer.readableBytes)
      return nil
    }
    buffer.moveReaderIndex(forwardBy: Frame.headerBytes + length)
    return frame
  }
}
