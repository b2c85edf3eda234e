/// The bounds of dates that are kept as texts.
enum DateLimits {
  /// The years 1 to 9999, in seconds since 1970: every format of them is read again.
  static let plainSeconds = -62_135_596_800.0..<253_402_300_800.0

  /// What a format may leave out of another date. Less than a year, by which the first year before Christ and that
  /// after it differ.
  static let leftOutSecondsMax = 364.0 * 86_400
}
