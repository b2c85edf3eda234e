/// Untrusted bytes to a tree: bounded in size and depth, and without a trap whatever the bytes are.
///
/// Always true: the decoder's own recursion is bounded by `Limits.nestingMax`, so no input can overflow the stack. What
/// the bytes mean (unknown fields included) is the validator's business.
internal import SwiftProtobuf

extension ASTStatement {
  /// The most messages that lie between two nodes that count as nesting: Call, Over, Window, Frame, FrameBound and the
  /// expression below it.
  static let messagesPerNestingLevel = 6

  /// Decodes a serialized `martlet.v1.Statement`.
  ///
  /// - Throws: `.malformed` where the bytes are no such message or a text is not UTF-8, `.limit` where there are more
  ///   than `limits.statementBytesMax` of them or they nest deeper than any tree of `limits.nestingMax` levels does.
  public static func decode(_ bytes: [UInt8], limits: Limits = Limits()) throws(RequestError) -> ASTStatement {
    guard bytes.count <= limits.statementBytesMax else { throw tooManyBytes(limits) }
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = (min(max(1, limits.nestingMax), 1_000) + 1) * messagesPerNestingLevel
    do {
      return try ASTStatement(serializedBytes: bytes, options: options)
    } catch BinaryDecodingError.messageDepthLimit {
      throw RequestError(
        .invalidArgument, .limit,
        "The statement nests deeper than \(limits.nestingMax) levels. Use one operator with many operands.")
    } catch BinaryDecodingError.invalidUTF8 {
      throw RequestError(.invalidArgument, .malformed, "The statement holds a name or a text that is not UTF-8.")
    } catch {
      throw RequestError(
        .invalidArgument, .malformed, "The bytes are not a serialized martlet.v1.Statement. Encode the tree again.")
    }
  }

  /// As for an array; the bytes are copied.
  public static func decode(_ bytes: UnsafeRawBufferPointer, limits: Limits = Limits()) throws(RequestError)
    -> ASTStatement
  {
    guard bytes.count <= limits.statementBytesMax else { throw tooManyBytes(limits) }
    return try decode(Array(bytes), limits: limits)
  }

  private static func tooManyBytes(_ limits: Limits) -> RequestError {
    RequestError(
      .invalidArgument, .limit,
      "The statement has more than \(limits.statementBytesMax) bytes. Send values as parameters, not inside the tree.")
  }
}
