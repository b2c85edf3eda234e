/// Reads the fields of one protobuf message from bytes that somebody else wrote.
///
/// Always true: it never reads outside of its bytes and never traps; what does not fit throws `Malformed`.

/// The bytes are not the message that they should be.
struct Malformed: Error, Equatable {}

struct WireReader {
  enum WireType: UInt8 {
    case varint = 0
    case fixed64 = 1
    case bytes = 2
    case fixed32 = 5
  }

  struct Field {
    var number: UInt64
    var type: WireType
  }

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// The bytes must outlive the reader.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private var remaining: Int { bytes.count - offset }

  /// The next field's number and type; nil at the end.
  mutating func field() throws(Malformed) -> Field? {
    guard remaining > 0 else { return nil }
    let key = try varint()
    guard key >> 3 != 0, let type = WireType(rawValue: UInt8(key & 7)) else { throw Malformed() }
    return Field(number: key >> 3, type: type)
  }

  mutating func varint() throws(Malformed) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 70 {
      guard offset < bytes.count else { throw Malformed() }
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw Malformed()
  }

  mutating func fixed32() throws(Malformed) -> UInt32 {
    guard remaining >= 4 else { throw Malformed() }
    defer { offset += 4 }
    return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  mutating func fixed64() throws(Malformed) -> UInt64 {
    guard remaining >= 8 else { throw Malformed() }
    defer { offset += 8 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  mutating func lengthDelimited() throws(Malformed) -> UnsafeRawBufferPointer {
    let length = try varint()
    guard length <= UInt64(remaining) else { throw Malformed() }
    defer { offset += Int(length) }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(length)])
  }

  mutating func skip(_ type: WireType) throws(Malformed) {
    switch type {
    case .varint: _ = try varint()
    case .fixed64: _ = try fixed64()
    case .bytes: _ = try lengthDelimited()
    case .fixed32: _ = try fixed32()
    }
  }
}

extension WireReader.Field {
  /// The field where it has the type that its number should have; throws otherwise.
  func expect(_ expected: WireReader.WireType) throws(Malformed) {
    guard type == expected else { throw Malformed() }
  }
}

extension Int64 {
  /// Protobuf's `sint64`.
  init(zigzag value: UInt64) { self = Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
}
