import MartletClient
import MartletProtocol
import MartletValues

/// A request as the bytes of its frame, encoded once; what differs from request to request is patched in place.
///
/// Always true: the request's id and the integer that varies are fixed-width fields, so that every request of a
/// template has the same length and patching moves nothing.
struct RequestTemplate: Sendable {
  private(set) var frame: [UInt8]
  /// Where in `frame` the 8 bytes of the integer that varies are; nil if none does.
  private let variableOffset: Int?

  /// Behind the frame's header and the tag of `request_id`, which is encoded first.
  private static let requestIDOffset = Frame.headerBytes + 1

  /// Stands for the integer that varies while the template is encoded; no other byte of a template looks like it.
  static let variable = Value.integer(mark)
  private static let mark: Int64 = 0x4D61_7274_6C65_7421

  init(_ kind: ClientMessage.Kind) {
    let encoded = ClientMessageEncoder.bytes(of: ClientMessage(requestID: 1, kind: kind))
    frame = encoded
    guard case .request(.execute(let execute)) = kind, execute.parameters.first == Self.variable else {
      variableOffset = nil
      return
    }
    let pattern = withUnsafeBytes(of: Self.mark.littleEndian) { Array($0) }
    variableOffset = encoded.indices.first { encoded[$0...].starts(with: pattern) }
  }

  mutating func patch(requestID: UInt32) {
    frame.withUnsafeMutableBytes {
      $0.storeBytes(of: requestID.littleEndian, toByteOffset: Self.requestIDOffset, as: UInt32.self)
    }
  }

  mutating func patch(value: Int64) {
    guard let variableOffset else { return }
    frame.withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: variableOffset, as: Int64.self) }
  }
}
