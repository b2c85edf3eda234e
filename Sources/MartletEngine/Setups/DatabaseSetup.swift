package import MartletValues

/// What a session's connections are prepared with: statements that make temporary views and triggers, in their order.
///
/// Always true: equal statements in equal order have equal ids, in every process; the empty setup is the usual one.
package struct DatabaseSetup: Sendable, Hashable {
  /// Serialized `martlet.v1.Statement`s.
  package let statements: [[UInt8]]
  /// All zeros for the empty setup.
  package let id: ShapeID

  package static let empty = DatabaseSetup([])

  /// Nothing is checked yet: the engine does when a database is opened with it.
  package init(_ statements: [[UInt8]]) {
    self.statements = statements
    guard !statements.isEmpty else {
      id = ShapeID(high: 0, low: 0)
      return
    }
    // Each behind its length, so that no two lists have the same bytes.
    var bytes: [UInt8] = []
    for statement in statements {
      withUnsafeBytes(of: UInt64(statement.count).bigEndian) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: statement)
    }
    id = bytes.withUnsafeBytes { ShapeID(hashing: $0) }
  }

  package var isEmpty: Bool { statements.isEmpty }

  package static func == (left: DatabaseSetup, right: DatabaseSetup) -> Bool { left.id == right.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
