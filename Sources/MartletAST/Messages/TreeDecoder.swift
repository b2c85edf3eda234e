internal import MartletProtobuf
internal import MartletValues

/// Reads the messages of a tree from bytes that nobody can trust: bounded in depth and number, in time linear in the
/// bytes, and without a trap whatever they are.
///
/// Always true: its recursion is bounded by `depthMax`, so no input can overflow the stack. A message that may stand
/// once and stands twice is refused: merged as protobuf merges them, 160 KB of them would cost half a minute.
struct TreeDecoder {
  private let limits: Limits
  private let depthMax: Int
  private var messagesLeft: Int
  private var depth = 0
  /// A bit for each field of the message being read that may stand once and has.
  private var seen: UInt64 = 0

  private init(_ limits: Limits, messagesMax: Int) {
    self.limits = limits
    depthMax = TreeLimits.messageDepth(limits)
    messagesLeft = messagesMax
  }

  /// - Throws: `.malformed` if the bytes are no such message or a text is not UTF-8, `.limit` if there are more
  ///   messages or levels than that.
  static func decode<Node: TreeMessage>(_ bytes: UnsafeRawBufferPointer, limits: Limits, messagesMax: Int)
    throws(RequestError) -> Node
  {
    var decoder = TreeDecoder(limits, messagesMax: messagesMax)
    return try decoder.node(bytes)
  }

  private mutating func node<Node: TreeMessage>(_ bytes: UnsafeRawBufferPointer) throws(RequestError) -> Node {
    guard messagesLeft > 0 else { throw .tooManyNodes(limits) }
    messagesLeft -= 1
    guard depth < depthMax else { throw .treeTooDeep(limits) }
    let outer = seen
    seen = 0
    depth += 1
    var node = Node()
    var fields = WireReader(bytes)
    while let field = fields.next() {
      if !(try node.read(field, &self)) { node.unknownFields.append(field) }
    }
    guard !fields.isMalformed else { throw .treeMalformed }
    depth -= 1
    seen = outer
    return node
  }

  // MARK: What a message asks for

  /// A message that may stand often.
  mutating func message<Node: TreeMessage>(_ field: WireReader.Field, _ place: (Node) -> Void) throws(RequestError) {
    place(try node(field.bytes))
  }

  /// A message that may stand once.
  mutating func only<Node: TreeMessage>(_ field: WireReader.Field, _ place: (Node) -> Void) throws(RequestError) {
    let bit = UInt64(1) << UInt64(field.number)
    guard seen & bit == 0 else { throw .treeMalformed }
    seen |= bit
    try message(field, place)
  }

  func text(_ field: WireReader.Field) throws(RequestError) -> String {
    guard let text = String(validating: field.bytes, as: UTF8.self) else { throw .treeNotUTF8 }
    return text
  }

  /// An enumeration's number, which has 32 bits.
  func number(_ field: WireReader.Field) -> Int { Int(Int32(truncatingIfNeeded: field.value)) }
}
