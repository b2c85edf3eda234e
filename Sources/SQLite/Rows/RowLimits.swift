/// The bounds of rows that are read ahead of a program that asks for them one by one.
enum RowLimits {
  /// Rows of one read: the first reads one, and each reads twice as many as the one before.
  static let aheadRowsMax = 128
  /// Bytes of the rows of one read; one row may have more.
  static let aheadBytesMax = 64 << 10
}
