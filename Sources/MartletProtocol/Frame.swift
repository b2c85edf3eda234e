/// The framing that both directions share: one byte of flags, four of big-endian length, then one protobuf message.
///
/// Always true: it is gRPC's length-prefixed message, so the same bytes travel inside HTTP/2.
package enum Frame {
  /// Flags and length.
  package static let headerBytes = 5

  /// Writes a header at `place`, which has room for it.
  @inlinable
  package static func writeHeader(length: Int, at place: UnsafeMutableRawPointer) {
    place.storeBytes(of: 0, as: UInt8.self)
    (place + 1).storeBytes(of: UInt32(clamping: length).bigEndian, as: UInt32.self)
  }

  /// The length that a header announces; nil if its flags are not 0. `bytes` has a whole header.
  @inlinable
  package static func length(inHeader bytes: UnsafeRawPointer) -> Int? {
    guard bytes.load(as: UInt8.self) == 0 else { return nil }
    return Int(UInt32(bigEndian: (bytes + 1).loadUnaligned(as: UInt32.self)))
  }
}

/// Why a byte stream is no Martlet connection, or no longer; it cannot be resynchronised and must be closed.
package enum FrameError: Error, Sendable, Equatable {
  /// The first byte of a frame was not 0: another protocol, or compression, which there is none of.
  case unknownFlags(UInt8)
  case tooLong(bytes: Int, limit: Int)

  package var message: String {
    switch self {
    case .unknownFlags:
      "The bytes are no Martlet frame (its first byte must be 0). Speak the Martlet protocol to this port, "
        + "without TLS, HTTP or compression."
    case .tooLong(let bytes, let limit):
      "A frame of \(bytes) bytes exceeds the limit of \(limit). Send less in one message."
    }
  }
}
