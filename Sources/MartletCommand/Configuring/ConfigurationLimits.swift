/// The bounds of a configuration file and of options that are no limits of the server themselves.
enum ConfigurationLimits {
  /// A configuration is a few pages.
  static let fileBytesMax = 1 << 20
  /// Lists and tables inside of each other, so that no text uses up the stack.
  static let depthMax = 100
  static let loopsMax = 256
  /// Columns whose values the audit log shows.
  static let auditedColumnsMax = 100
  static let slowQueryMsMax = 1_000_000_000
  /// What an option that sets a limit may be at most, unless one of the next four says otherwise.
  static let limitNumberMax = 1_000_000_000
  static let walMebibytesMax = 1 << 22
  static let temporaryMebibytesMax = 1 << 24
  static let pageCacheMebibytesMax = 1 << 16
  static let schemaObjectsMax = 1_000_000
  /// A hundred years: a token that is valid for longer does not expire.
  static let tokenSecondsMax = 100 * 366 * 86_400
  // What quotas may be. Steps are counted a thousand at a time, and no read on an event loop takes as many.
  static let quotaNumberMax = 1_000_000_000
  static let quotaRateMax = 1_000_000
  static let quotaStepsMin = 10_000
  static let quotaStepsMax = 1_000_000_000_000
  static let quotaBytesMin = 1 << 10
  static let quotaBytesMax = 1 << 50
  /// The smallest piece that is counted is an eighth of it.
  static let quotaSortBytesMin = 1 << 20
  /// A few tables, and the schema.
  static let quotaDatabaseBytesMin = 64 << 10
  /// What the system may write about a user.
  static let userBytesMax = 64 << 10
}
