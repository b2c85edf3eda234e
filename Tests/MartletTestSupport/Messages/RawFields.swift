package import MartletProtobuf

/// Protobuf's fields as tests write them, sound or hostile.
///
/// Always true: numbers and wire types that there are not are written as they are told.
package enum RawFields {
  package static func varint(_ value: Int) -> [UInt8] {
    var output = WireArray()
    output.varint(UInt64(bitPattern: Int64(value)))
    return output.bytes
  }

  /// A key, with a wire type by its number.
  package static func key(_ number: Int, _ type: Int) -> [UInt8] { varint(number << 3 | type) }

  package static func key(_ number: Int, _ type: WireType) -> [UInt8] { key(number, Int(type.rawValue)) }

  /// Bytes, a text or a message.
  package static func delimited(_ number: Int, _ body: [UInt8]) -> [UInt8] {
    key(number, .delimited) + varint(body.count) + body
  }

  /// The field with nothing in it: 0, or no bytes.
  package static func empty(_ number: Int, _ type: WireType) -> [UInt8] {
    let payload =
      switch type {
      case .varint, .delimited: 1
      case .fixed32: 4
      case .fixed64: 8
      }
    return key(number, type) + [UInt8](repeating: 0, count: payload)
  }
}
