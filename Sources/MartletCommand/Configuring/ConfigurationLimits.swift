/// The bounds of a configuration file and of options that are no limits of the server themselves.
enum ConfigurationLimits {
  /// A configuration is a few pages.
  static let fileBytesMax = 1 << 20
  /// Lists and tables inside of each other, so that no text uses up the stack.
  static let depthMax = 100
  /// Event loops of a server; more are refused.
  static let loopsMax = 256
  /// Columns whose values the audit log shows.
  static let auditedColumnsMax = 100
  /// The longest time, in milliseconds, from which on requests can be logged as slow; a longer one is refused.
  static let slowQueryMsMax = 1_000_000_000
  /// What an option that sets a limit may be at most, unless one of the next four says otherwise.
  static let limitNumberMax = 1_000_000_000
  /// The most mebibytes that `wal-mib` can be.
  static let walMebibytesMax = 1 << 22
  /// The most mebibytes that `temporary-mib` can be.
  static let temporaryMebibytesMax = 1 << 24
  /// The most mebibytes that `page-cache-mib` can be.
  static let pageCacheMebibytesMax = 1 << 16
  /// The most that `schema-objects` can be.
  static let schemaObjectsMax = 1_000_000
  /// A hundred years: a token that is valid for longer does not expire.
  static let tokenSecondsMax = 100 * 366 * 86_400
  /// The most that a quota can be which counts something or is a time in milliseconds.
  static let quotaNumberMax = 1_000_000_000
  /// The most requests that a quota can allow in a second, or at once.
  static let quotaRateMax = 1_000_000
  /// The fewest steps of SQLite that a quota can allow a statement. Steps are counted a thousand at a time, and no read
  /// on an event loop takes as many.
  static let quotaStepsMin = 10_000
  /// The most steps of SQLite that a quota can allow a statement.
  static let quotaStepsMax = 1_000_000_000_000
  /// The fewest bytes that the quota of a result can be.
  static let quotaBytesMin = 1 << 10
  /// The most bytes that a quota of a result, of sorting or of a database can be.
  static let quotaBytesMax = 1 << 50
  /// The smallest piece that is counted is an eighth of it.
  static let quotaSortBytesMin = 1 << 20
  /// A few tables, and the schema.
  static let quotaDatabaseBytesMin = 64 << 10
  /// What the system may write about a user.
  static let userBytesMax = 64 << 10
}
