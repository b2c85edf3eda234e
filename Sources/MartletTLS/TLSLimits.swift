/// The bounds of what is taken from a peer's certificate.
enum TLSLimits {
  /// The longest name, in bytes of UTF-8.
  static let nameBytesMax = 256
  static let namesMax = 64
}
