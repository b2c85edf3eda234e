/// The bounds of tokens and their file.
enum TokenLimits {
  /// A longer token is refused before anything is computed of it.
  static let textBytesMax = 128
  /// Claims of one token, and bytes of the value of one.
  static let claimsMax = 16
  static let claimBytesMax = 256
  static let recordsMax = 100_000
  static let fileBytesMax = 64 << 20
}
