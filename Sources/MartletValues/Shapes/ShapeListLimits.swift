/// The bounds of a list of shapes.
public enum ShapeListLimits {
  /// Shapes of a list; a list with more is refused.
  public static let shapesMax = 100_000
  /// Bytes of a list; a longer one is refused.
  public static let fileBytesMax = 64 << 20
  /// Bytes of what stands behind an id for people.
  public static let noteBytesMax = 1_000
}
