/// How much of a person's transaction is remembered, and how often it is run again.
enum PersonsTransactionLimits {
  static let entriesMax = 500
  static let bytesMax = 1 << 20
  /// How often in a row one transaction is begun anew.
  static let attemptsMax = 3
  /// A longer statement is cut when it is named.
  static let nameMax = 40
}
