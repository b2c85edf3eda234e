internal import MartletProtobuf
internal import MartletProtocol
internal import NIOCore

/// Writes one framed protobuf message into a buffer.
struct WireWriter: FieldWriter {
  var output: BufferBytes

  /// Starts a frame, whose length `finish` fills in.
  init(capacity: Int = ClientLimits.messageBytesMin) {
    output = BufferBytes()
    output.buffer.reserveCapacity(capacity)
    output.buffer.writeRepeatingByte(0, count: Frame.headerBytes)
  }

  /// The whole frame.
  consuming func finish() -> ByteBuffer {
    let length = output.buffer.readableBytes - Frame.headerBytes
    output.buffer.setInteger(UInt32(clamping: length), at: output.buffer.readerIndex + 1)
    return output.buffer
  }
}

/// SwiftNIO's buffer as what fields are written to.
///
/// Always true: nothing of it has been read, so that a place is an index of the buffer.
struct BufferBytes: WireBytes {
  var buffer = ByteBuffer()

  var writtenCount: Int { buffer.writerIndex }

  mutating func write(byte: UInt8) { buffer.writeInteger(byte) }

  mutating func write(_ bytes: some Collection<UInt8>) { buffer.writeBytes(bytes) }

  mutating func set(_ byte: UInt8, at place: Int) { buffer.setInteger(byte, at: place) }

  mutating func makeRoom(_ count: Int, at place: Int) {
    let length = buffer.writerIndex - place
    buffer.writeRepeatingByte(0, count: count)
    let start = place - buffer.readerIndex
    buffer.withUnsafeMutableReadableBytes { bytes in
      let source = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
      UnsafeMutableRawBufferPointer(rebasing: bytes[(start + count)...]).copyMemory(from: source)
    }
  }
}
