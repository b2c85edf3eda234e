/// The bounds of an INSERT.
enum InsertLimits {
  /// Rows of plain values that are written one by one; more travel as one parameter, so that they are one shape.
  static let valuesRowsMax = 8
}
