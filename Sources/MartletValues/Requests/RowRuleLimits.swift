/// The bounds of conditions on rows.
enum RowRuleLimits {
  /// Of one condition's text, in UTF-8.
  static let bytesMax = 4_096
}
