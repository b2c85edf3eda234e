/// The statements that somebody may run, and no others, by their shapes.
///
/// A shape is a part of a digest of all bytes of a statement's tree, so nobody can make another tree that has it.
///
/// Always true: equal sets have equal ids.
public final class RegisteredShapes: Sendable {
  public let shapes: Set<ShapeID>
  private let id: ShapeID

  public init(_ shapes: some Sequence<ShapeID>) {
    self.shapes = Set(shapes)
    let bytes = self.shapes.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    id = bytes.withUnsafeBytes { ShapeID(hashing: $0) }
  }

  public func contains(_ shape: ShapeID) -> Bool { shapes.contains(shape) }
}

extension RegisteredShapes: Hashable {
  public static func == (left: RegisteredShapes, right: RegisteredShapes) -> Bool { left.id == right.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
