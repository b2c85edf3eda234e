/// The few pieces of protobuf's encoding that a request's template is made of.
///
/// Always true: lengths are known before what they measure is written, because inner messages are built first.
struct ProtobufBytes {
  private(set) var bytes: [UInt8] = []

  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func field(_ number: UInt64, varint value: UInt64) {
    varint(number << 3)
    varint(value)
  }

  mutating func field(_ number: UInt64, fixed32 value: UInt32) {
    varint(number << 3 | 5)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func field(_ number: UInt64, fixed64 value: UInt64) {
    varint(number << 3 | 1)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func field(_ number: UInt64, bytes content: [UInt8]) {
    varint(number << 3 | 2)
    varint(UInt64(content.count))
    bytes.append(contentsOf: content)
  }
}
