/// Bytes to which fields of protobuf are written: an array, or a network's buffer.
///
/// Always true: varints are as short as they can be, and a place is counted from the first byte.
public protocol WireBytes {
  /// How many bytes are written.
  var writtenCount: Int { get }
  mutating func write(byte: UInt8)
  mutating func write(_ bytes: some Collection<UInt8>)
  mutating func set(_ byte: UInt8, at place: Int)
  /// Moves what stands at the place and behind it. The bytes of the room that is made are undefined.
  mutating func makeRoom(_ count: Int, at place: Int)
}

extension WireBytes {
  @inlinable
  @inline(__always)
  public mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      write(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    write(byte: UInt8(truncatingIfNeeded: rest))
  }

  @inlinable
  @inline(__always)
  public mutating func key(_ number: UInt32, _ type: WireType) { varint(WireKey.encoded(number, type)) }

  /// The least significant byte first.
  @inlinable
  public mutating func littleEndian(_ number: some FixedWidthInteger & UnsignedInteger) {
    withUnsafeBytes(of: number.littleEndian) { write($0) }
  }

  /// A field of bytes, a text or a message that is ready.
  @inlinable
  @inline(__always)
  public mutating func delimited(_ number: UInt32, _ bytes: some Collection<UInt8>) {
    key(number, .delimited)
    varint(UInt64(bytes.count))
    write(bytes)
  }

  /// The length of the message that begins at the place, before which one byte was kept for it. A longer length moves
  /// the message.
  @inlinable
  public mutating func setLength(before start: Int) {
    var rest = UInt64(writtenCount - start)
    guard rest >= 0x80 else { return set(UInt8(truncatingIfNeeded: rest), at: start - 1) }
    var more = 0
    while rest >> UInt64(7 * (more + 1)) > 0 { more += 1 }
    makeRoom(more, at: start)
    var place = start - 1
    while rest >= 0x80 {
      set(UInt8(truncatingIfNeeded: rest) | 0x80, at: place)
      rest >>= 7
      place += 1
    }
    set(UInt8(truncatingIfNeeded: rest), at: place)
  }
}

/// The bytes as an array. A type of its own, so that `Array` itself gets no new members.
public struct WireArray: WireBytes, Sendable {
  public var bytes: [UInt8] = []

  @inlinable
  @inline(__always)
  public init() {}

  @inlinable
  @inline(__always)
  public var writtenCount: Int { bytes.count }

  @inlinable
  @inline(__always)
  public mutating func write(byte: UInt8) { bytes.append(byte) }

  @inlinable
  @inline(__always)
  public mutating func write(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  @inlinable
  @inline(__always)
  public mutating func set(_ byte: UInt8, at place: Int) { bytes[place] = byte }

  @inlinable
  public mutating func makeRoom(_ count: Int, at place: Int) {
    bytes.insert(contentsOf: repeatElement(0, count: count), at: place)
  }
}
