public import MartletValues

/// Untrusted bytes to a tree: bounded in size, depth and time, and without a trap whatever the bytes are.
///
/// Always true: what the bytes mean (unknown fields included) is the validator's business.
extension ASTStatement {
  /// More than the messages of any tree with one node: a call with a window, its frame and two bounds.
  private static let messagesPerNode = 8

  /// Decodes a serialized `martlet.v1.Statement`.
  ///
  /// - Throws: `.malformed` if the bytes are no such message or a text is not UTF-8, `.limit` if there are more
  ///   than `limits.statementBytesMax` of them, or more nodes or levels than any tree within the limits has.
  public static func decode(_ bytes: [UInt8], limits: Limits) throws(RequestError) -> ASTStatement {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(RequestError) in try decode(bytes, limits: limits) }
    }.get()
  }

  /// As for an array. The tree does not need the bytes any more.
  public static func decode(_ bytes: UnsafeRawBufferPointer, limits: Limits) throws(RequestError) -> ASTStatement {
    guard bytes.count <= limits.statementBytesMax else { throw .treeTooLong(limits) }
    return try TreeDecoder.decode(
      bytes, limits: limits, messagesMax: min(limits.nodesMax, TreeLimits.countedNodesMax) * messagesPerNode)
  }
}
