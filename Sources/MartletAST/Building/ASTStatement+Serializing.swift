internal import SwiftProtobuf

/// A statement's bytes, for modules that do not import SwiftProtobuf.
///
/// Always true: equal trees give equal bytes, so that bytes name a shape.
extension ASTStatement {
  /// The serialized tree; empty where it is nested too deeply to be serialized, which no server would take either.
  public var serialized: [UInt8] {
    // Because no message of the grammar has a required field, only depth can fail.
    (try? serializedBytes()) ?? []
  }
}
