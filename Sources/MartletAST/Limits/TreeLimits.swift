/// The bounds of rendering that nobody sets.
enum TreeLimits {
  /// Operands of a group: a longer chain is written in groups, each in parentheses, so that the depth stays small.
  static let chainOperandsMax = 100
}
