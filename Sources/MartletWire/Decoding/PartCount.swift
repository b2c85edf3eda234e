internal import CMartletProto
internal import MartletProtobuf

/// Counts the messages within a client's message, and the fields that no version here knows, before protobuf-c unpacks
/// it, by protobuf-c's own description of them. It makes something of each.
///
/// Always true: it stops at the first message too many, so that millions of empty ones cost no more than those that may
/// be; there is no recursion, since no message of the envelope holds its own kind.
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
        let known = protobuf_c_message_descriptor_get_field(level.message, field.number)
        if let known, known.pointee.type != PROTOBUF_C_TYPE_MESSAGE { continue }
        count += 1
        if count > most { return false }
        guard field.wireType == .delimited, let message = message(of: known) else { continue }
        outer.append(level)
        level = Level(fields: WireReader(field.bytes), message: message)
      } else if let around = outer.popLast() {
        level = around
      } else {
        return true
      }
    }
  }

  /// The kind of message that a field holds; nil for a field that is not known.
  private static func message(
    of field: UnsafePointer<ProtobufCFieldDescriptor>?
  ) -> UnsafePointer<ProtobufCMessageDescriptor>? {
    // Sound because protobuf-c's code for a field of this type points to the description of its message.
    field?.pointee.descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
  }
}
