/// The bounds of conditions on rows.
enum RowRuleLimits {
  /// Bytes of one condition's text, in UTF-8.
  static let bytesMax = 4_096
}
