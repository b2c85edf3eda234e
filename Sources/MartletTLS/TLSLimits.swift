/// The bounds of what is taken from a peer's certificate.
enum TLSLimits {
  /// In UTF-8.
  static let nameBytesMax = 256
  static let namesMax = 64
}
