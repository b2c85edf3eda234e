/// The bounds of a list of shapes.
public enum ShapeListLimits {
  public static let shapesMax = 100_000
  public static let fileBytesMax = 64 << 20
  /// Bytes of what stands behind an id for people.
  public static let noteBytesMax = 1_000
}
