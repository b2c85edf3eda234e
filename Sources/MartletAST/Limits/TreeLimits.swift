/// The bounds of rendering that nobody sets.
enum TreeLimits {
  /// A chain of more operands is written in groups of so many, each in parentheses, so that the depth stays small.
  static let chainOperandsMax = 100
}
