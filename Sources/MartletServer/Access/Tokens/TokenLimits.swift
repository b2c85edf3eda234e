/// The bounds of tokens and their file.
enum TokenLimits {
  /// A longer token is refused before anything is computed of it.
  static let textBytesMax = 128

  /// Claims of one token, and bytes of the value of one.
  static let claimsMax = 16
  static let claimBytesMax = 256

  /// Tokens of a file, those that have expired included; one more is refused.
  static let recordsMax = 100_000
  /// Bytes of a file of tokens; a longer one is refused.
  static let fileBytesMax = 64 << 20
}
