internal import CMartletProto
internal import MartletProtobuf

/// Counts the messages within a client's message before protobuf-c unpacks it, by protobuf-c's own description of them.
///
/// Always true: it stops at the first message too many, so that millions of empty ones cost no more than those that may
/// be; it makes no recursion, since no message of the envelope holds its own kind.
struct PartCount {
  private struct Level {
    var fields: WireReader
    let message: UnsafePointer<ProtobufCMessageDescriptor>
  }

  /// Whether there are at most so many. What is malformed is left to protobuf-c.
  static func isWithin(_ most: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count / WireLimits.partBytesMin > most else { return true }
    return withUnsafePointer(to: martlet__v1__client_message__descriptor) { message in
      count(upTo: most, Level(fields: WireReader(bytes), message: message))
    }
  }

  private static func count(upTo most: Int, _ outermost: Level) -> Bool {
    var level = outermost
    var outer: [Level] = []
    var count = 0
    while true {
      if let field = level.fields.next() {
        guard field.wireType == .delimited, let message = message(in: field.number, of: level.message) else { continue }
        count += 1
        if count > most { return false }
        outer.append(level)
        level = Level(fields: WireReader(field.bytes), message: message)
      } else if let around = outer.popLast() {
        level = around
      } else {
        return true
      }
    }
  }

  /// The kind of message that a field holds; nil if it holds none.
  private static func message(
    in number: UInt32, of message: UnsafePointer<ProtobufCMessageDescriptor>
  ) -> UnsafePointer<ProtobufCMessageDescriptor>? {
    guard let field = protobuf_c_message_descriptor_get_field(message, number),
      field.pointee.type == PROTOBUF_C_TYPE_MESSAGE
    else { return nil }
    // Sound because protobuf-c's code for a field of this type points to the description of its message.
    return field.pointee.descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
  }
}
