internal import MartletProtocol
internal import NIOCore

/// Writes the fields of one framed protobuf message into a buffer.
///
/// Always true: a field with its default value is left out, as proto3 does; lengths are minimal varints.
struct WireWriter {
  private(set) var buffer: ByteBuffer

  /// Starts a frame, whose length `finish` fills in.
  init(capacity: Int = 256) {
    buffer = ByteBuffer()
    buffer.reserveCapacity(capacity)
    buffer.writeRepeatingByte(0, count: Frame.headerBytes)
  }

  /// The whole frame.
  consuming func finish() -> ByteBuffer {
    let length = buffer.readableBytes - Frame.headerBytes
    buffer.setInteger(UInt32(clamping: length), at: buffer.readerIndex + 1)
    return buffer
  }

  private mutating func key(_ number: UInt32, _ type: WireReader.WireType) {
    varint(UInt64(number << 3) | UInt64(type.rawValue))
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      buffer.writeInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    buffer.writeInteger(UInt8(truncatingIfNeeded: rest))
  }

  mutating func varint(_ number: UInt32, _ value: UInt64) {
    guard value != 0 else { return }
    key(number, .varint)
    varint(value)
  }

  mutating func bool(_ number: UInt32, _ value: Bool) { varint(number, value ? 1 : 0) }

  mutating func fixed32(_ number: UInt32, _ value: UInt32) {
    guard value != 0 else { return }
    key(number, .fixed32)
    buffer.writeInteger(value, endianness: .little)
  }

  mutating func fixed64(_ number: UInt32, _ value: UInt64) {
    guard value != 0 else { return }
    member64(number, value)
  }

  /// A member of a `oneof`, which is written even where it is 0.
  mutating func member64(_ number: UInt32, _ value: UInt64) {
    key(number, .fixed64)
    buffer.writeInteger(value, endianness: .little)
  }

  mutating func memberBool(_ number: UInt32, _ value: Bool) {
    key(number, .varint)
    varint(value ? 1 : 0)
  }

  /// Bytes, left out where there are none.
  mutating func bytes(_ number: UInt32, _ bytes: some Collection<UInt8>) {
    if !bytes.isEmpty { memberBytes(number, bytes) }
  }

  mutating func memberBytes(_ number: UInt32, _ bytes: some Collection<UInt8>) {
    key(number, .delimited)
    varint(UInt64(bytes.count))
    buffer.writeBytes(bytes)
  }

  /// A packed array of little-endian numbers, in one piece.
  mutating func packed<Number: FixedWidthInteger & BitwiseCopyable>(_ number: UInt32, _ values: [Number]) {
    guard !values.isEmpty else { return }
    key(number, .delimited)
    varint(UInt64(values.count * MemoryLayout<Number>.size))
    let inOrder = 1 == Int(littleEndian: 1) ? values : values.map(\.littleEndian)
    inOrder.withUnsafeBytes { _ = buffer.writeBytes($0) }
  }

  mutating func packed(_ number: UInt32, _ values: [Double]) {
    guard !values.isEmpty else { return }
    if 1 == Int(littleEndian: 1) {
      key(number, .delimited)
      varint(UInt64(values.count * 8))
      values.withUnsafeBytes { _ = buffer.writeBytes($0) }
    } else {
      packed(number, values.map(\.bitPattern))
    }
  }

  /// A message within the message. One byte is kept for its length; a longer length moves the body up.
  mutating func message(_ number: UInt32, _ body: (inout WireWriter) -> Void) {
    key(number, .delimited)
    let start = buffer.writerIndex
    buffer.writeInteger(UInt8(0))
    body(&self)
    let length = buffer.writerIndex - start - 1
    var extra = 0
    while UInt64(length) >> UInt64(7 * (extra + 1)) > 0 { extra += 1 }
    if extra > 0 {
      buffer.writeRepeatingByte(0, count: extra)
      buffer.moveBytes(from: start + 1, by: extra, count: length)
    }
    for index in 0...extra {
      let more: UInt8 = index < extra ? 0x80 : 0
      buffer.setInteger(UInt8(truncatingIfNeeded: length >> (7 * index)) & 0x7F | more, at: start + index)
    }
  }
}

extension ByteBuffer {
  /// Moves bytes up within what is written; the ranges may overlap.
  fileprivate mutating func moveBytes(from start: Int, by distance: Int, count: Int) {
    let offset = start - readerIndex
    withUnsafeMutableReadableBytes { bytes in
      let source = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
      UnsafeMutableRawBufferPointer(rebasing: bytes[(offset + distance)...]).copyMemory(from: source)
    }
  }
}
