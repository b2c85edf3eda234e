/// The bounds of the codec that nobody sets.
///
/// Always true: each has its unit in its name, or is a count.
enum WireLimits {
  /// The decoded form may be this many times as large as the message, but never beyond `decodedBytesMax`.
  static let decodedGrowthMax = 8

  /// What a decoder holds beyond this for the beginnings of frames is given back when there is none.
  static let keptFrameBytesMax = 16 << 10

  /// What a connection's output holds beyond this is given back when it is empty.
  static let keptOutputBytesMax = 16 << 10
}
