internal import MartletProtobuf

/// The fields of a message that this grammar does not have, as a later one may.
///
/// Always true: they are written again behind the known ones, and in their order.
struct UnknownFields: FieldWriter, Equatable, Sendable {
  var output = WireArray()

  var bytes: [UInt8] { output.bytes }

  var isEmpty: Bool { bytes.isEmpty }

  /// The number of the first; nil if there is none.
  var firstNumber: UInt32? { bytes.withUnsafeBytes { WireReader($0).nextNumber() } }

  mutating func append(_ field: WireReader.Field) {
    switch field.wireType {
    case .varint: present(field.number, field.value)
    case .fixed64: presentFixed64(field.number, field.value)
    case .fixed32: presentFixed32(field.number, UInt32(truncatingIfNeeded: field.value))
    case .delimited: presentBytes(field.number, field.bytes)
    }
  }

  static func == (left: UnknownFields, right: UnknownFields) -> Bool { left.bytes == right.bytes }
}
