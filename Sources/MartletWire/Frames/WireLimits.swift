/// The bounds of the codec that nobody sets.
///
/// Always true: each has its unit in its name, or is a count.
enum WireLimits {
  /// The decoded form may be this many times as large as the message, but never beyond `decodedBytesMax`.
  static let decodedGrowthMax = 8

  /// Memory beyond this is given back when nothing is kept.
  static let keptFrameBytesMax = 16 << 10

  /// Memory beyond this is given back when the buffer is emptied.
  static let keptOutputBytesMax = 16 << 10
}
