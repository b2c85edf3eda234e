internal import MartletProtobuf
package import MartletValues

/// A tree as bytes, and a tree from bytes that this process wrote itself.
///
/// Always true: equal trees have equal bytes, so that bytes name a shape.
extension ASTStatement {
  /// The serialized tree; empty if it is nested more deeply than any server takes.
  public var serialized: [UInt8] { (try? serialize()) ?? [] }

  /// The serialized tree.
  ///
  /// - Throws: `.limit` if it is nested more deeply than any server takes.
  package func serialize() throws(RequestError) -> [UInt8] {
    var encoder = TreeEncoder()
    write(to: &encoder)
    guard !encoder.isTooDeep else { throw .treeTooDeep(Limits()) }
    return encoder.output.bytes
  }

  /// Bytes that this process wrote itself, as a tree. Their size is not bounded, their depth is.
  ///
  /// - Throws: `.limit` if they nest deeper than a server takes, `.malformed` if they are no statement.
  package static func read(_ bytes: [UInt8]) throws(RequestError) -> ASTStatement {
    try OwnBytes.read(bytes)
  }
}

extension ASTExpression {
  /// As for a statement.
  package static func read(_ bytes: [UInt8]) throws(RequestError) -> ASTExpression {
    try OwnBytes.read(bytes)
  }
}

private enum OwnBytes {
  static func read<Node: TreeMessage>(_ bytes: [UInt8]) throws(RequestError) -> Node {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(RequestError) in
        try TreeDecoder.decode(bytes, limits: Limits(), messagesMax: .max)
      }
    }.get()
  }
}
