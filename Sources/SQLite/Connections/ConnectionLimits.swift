/// The bounds of a connection.
enum ConnectionLimits {
  /// How long a statement waits for a lock of another process, at first and at most.
  static let busySecondsDefault = 5.0
  static let busySecondsMax = 3_600.0

  /// A longer statement is cut when an error shows it.
  static let shownCharactersMax = 1_000
}
