public import MartletValues
internal import SwiftProtobuf

/// Untrusted bytes to a tree: bounded in size, depth and time, and without a trap whatever the bytes are.
///
/// Always true: the decoder's own recursion is bounded by `Limits.nestingMax`, so no input can overflow the stack. What
/// the bytes mean (unknown fields included) is the validator's business.
extension ASTStatement {
  /// More than the messages of any tree with one node: a call with a window, its frame and two bounds.
  private static let messagesPerNode = 8

  /// Decodes a serialized `martlet.v1.Statement`.
  ///
  /// - Throws: `.malformed` if the bytes are no such message or a text is not UTF-8, `.limit` if there are more
  ///   than `limits.statementBytesMax` of them, or more nodes or levels than any tree within the limits has.
  public static func decode(_ bytes: [UInt8], limits: Limits) throws(RequestError) -> ASTStatement {
    guard bytes.count <= limits.statementBytesMax else { throw .treeTooLong(limits) }
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = TreeLimits.messageDepth(limits)
    let finding = bytes.withUnsafeBytes { bytes in
      WireScan.scan(
        bytes, depthMax: options.messageDepthLimit, messagesMax: min(limits.nodesMax, 1 << 32) * messagesPerNode)
    }
    switch finding {
    case .malformed: throw .treeMalformed
    case .tooDeep: throw .treeTooDeep(limits)
    case .tooMany: throw .tooManyNodes(limits)
    case .sound: break
    }
    do {
      return try ASTStatement(serializedBytes: bytes, options: options)
    } catch BinaryDecodingError.messageDepthLimit {
      throw .treeTooDeep(limits)
    } catch BinaryDecodingError.invalidUTF8 {
      throw .treeNotUTF8
    } catch {
      throw .treeMalformed
    }
  }

  /// As for an array; the bytes are copied.
  public static func decode(_ bytes: UnsafeRawBufferPointer, limits: Limits) throws(RequestError) -> ASTStatement {
    guard bytes.count <= limits.statementBytesMax else { throw .treeTooLong(limits) }
    return try decode(Array(bytes), limits: limits)
  }
}
