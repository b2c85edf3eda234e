/// Reads of a server's message only what a load run counts, without decoding or copying the rest.
///
/// Always true: no length of the message is trusted beyond the message, so a broken one gives nil and never a read outside.
/// The field numbers are those of `proto/martlet/v1/session.proto`.
struct ResponseScanner {
  struct Reply: Equatable {
    var requestID: UInt32 = 0
    var rowCount = 0
    /// The request ended well: a completion, a pong or the answer to hello.
    var isCompleted = false
    /// The request ended with an error.
    var isFailed = false
    /// The error says that the shape is unknown and the statement's bytes are wanted.
    var isUnprepared = false
    /// The server is going away.
    var isClosing = false
  }

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// The length of the frame at the start of `bytes` with its header; nil where the header is not complete yet.
  static func frameLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= 5 else { return nil }
    return 5 + Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
  }

  /// Scans one message, without its frame's header. Nil where it is malformed.
  static func scan(_ message: UnsafeRawBufferPointer) -> Reply? {
    var scanner = ResponseScanner(bytes: message)
    var reply = Reply()
    while scanner.offset < message.count {
      guard let tag = scanner.varint() else { return nil }
      guard tag & 7 == 2 else {
        guard let value = scanner.scalar(wireType: tag & 7) else { return nil }
        if tag >> 3 == 1 { reply.requestID = UInt32(truncatingIfNeeded: value) }
        continue
      }
      guard let content = scanner.delimited() else { return nil }
      switch tag >> 3 {
      case 3, 6, 8, 9: reply.isCompleted = true
      case 5: reply.rowCount = rowCount(content)
      case 7:
        reply.isFailed = true
        reply.isUnprepared = reason(content) { $0.elementsEqual("UNPREPARED".utf8) }
      case 11: reply.isClosing = true
      default: break
      }
    }
    return reply
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private static func rowCount(_ rows: UnsafeRawBufferPointer) -> Int {
    var scanner = ResponseScanner(bytes: rows)
    guard scanner.varint() == 1 << 3, let count = scanner.varint() else { return 0 }
    return Int(truncatingIfNeeded: count & 0xFFFF_FFFF)
  }

  private static func reason(_ error: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    text(field: 2, of: error).map(body) ?? false
  }

  /// The message of the error in a server's message, for people; nil where there is none.
  static func errorMessage(_ message: UnsafeRawBufferPointer) -> String? {
    guard let error = text(field: 7, of: message) else { return nil }
    return text(field: 3, of: error).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func text(field: UInt64, of message: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var scanner = ResponseScanner(bytes: message)
    while scanner.offset < message.count {
      guard let tag = scanner.varint() else { return nil }
      if tag & 7 == 2 {
        guard let content = scanner.delimited() else { return nil }
        if tag >> 3 == field { return content }
      } else if scanner.scalar(wireType: tag & 7) == nil {
        return nil
      }
    }
    return nil
  }

  // MARK: - Pieces

  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  private mutating func scalar(wireType: UInt64) -> UInt64? {
    switch wireType {
    case 0: return varint()
    case 1:
      guard bytes.count - offset >= 8 else { return nil }
      defer { offset += 8 }
      return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    case 5:
      guard bytes.count - offset >= 4 else { return nil }
      defer { offset += 4 }
      return UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    default: return nil
    }
  }

  private mutating func delimited() -> UnsafeRawBufferPointer? {
    guard let length = varint(), length <= UInt64(bytes.count - offset) else { return nil }
    defer { offset += Int(length) }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + Int(length))])
  }
}
