internal import MartletProtobuf

/// Writes the messages of a tree.
///
/// Always true: equal trees have equal bytes.
struct TreeEncoder: FieldWriter {
  var output = WireArray()
  private var depth = 0
  /// Whether a message was left out because it lies too deep.
  private(set) var isTooDeep = false

  /// A message that is there, even if it is empty.
  mutating func message(_ number: UInt32, _ part: some TreeMessage) {
    guard depth < TreeLimits.messageDepthMax else {
      isTooDeep = true
      return
    }
    depth += 1
    message(number) { part.write(to: &$0) }
    depth -= 1
  }

  mutating func messages(_ number: UInt32, _ parts: [some TreeMessage]) {
    for part in parts { message(number, part) }
  }

  mutating func texts(_ number: UInt32, _ texts: [String]) {
    for text in texts { presentText(number, text) }
  }

  mutating func unknown(_ fields: UnknownFields) {
    if !fields.isEmpty { output.write(fields.bytes) }
  }
}
