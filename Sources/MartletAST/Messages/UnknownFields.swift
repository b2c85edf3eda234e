internal import MartletProtobuf

/// The fields of a message that this grammar does not have, as a later one may.
///
/// Always true: they are written again behind the known ones, and in their order.
struct UnknownFields: Equatable, Sendable {
  private(set) var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }

  /// The number of the first; nil if there is none.
  var firstNumber: UInt32? { bytes.withUnsafeBytes { WireReader($0).nextNumber() } }

  mutating func append(_ field: WireReader.Field) {
    var encoder = TreeEncoder()
    switch field.wireType {
    case .varint: encoder.present(field.number, field.value)
    case .fixed64: encoder.presentFixed64(field.number, field.value)
    case .fixed32: encoder.presentFixed32(field.number, UInt32(truncatingIfNeeded: field.value))
    case .delimited: encoder.presentBytes(field.number, field.bytes)
    }
    bytes += encoder.output.bytes
  }
}
