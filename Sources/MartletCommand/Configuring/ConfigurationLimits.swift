/// The bounds of a configuration file and of options that are no limits of the server themselves.
enum ConfigurationLimits {
  /// A configuration is a few pages.
  static let fileBytesMax = 1 << 20
  /// Lists and tables inside of each other, so that no text uses up the stack.
  static let depthMax = 100
  static let loopsMax = 256
  static let slowQueryMsMax = 1_000_000_000
  /// A server needs as much to do anything.
  static let memoryBytesMin = 64 << 20
  /// A hundred years: a token that is valid for longer does not expire.
  static let tokenSecondsMax = 100 * 366 * 86_400
}
