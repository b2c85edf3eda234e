package import MartletValues
internal import SwiftProtobuf

/// A statement's bytes, for modules that do not import SwiftProtobuf.
///
/// Always true: equal trees have equal bytes, so that bytes name a shape.
extension ASTStatement {
  /// The serialized tree; empty if it is nested too deeply to be serialized, which no server would take either.
  public var serialized: [UInt8] {
    // Because no message of the grammar has a required field, only depth can fail.
    (try? serializedBytes()) ?? []
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
  static func read<Node: Message>(_ bytes: [UInt8]) throws(RequestError) -> Node {
    let limits = Limits()
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = TreeLimits.messageDepth(limits)
    do {
      return try Node(serializedBytes: bytes, options: options)
    } catch BinaryDecodingError.messageDepthLimit {
      throw RequestError.treeTooDeep(limits)
    } catch {
      throw RequestError.treeMalformed
    }
  }
}
