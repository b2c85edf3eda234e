/// The bounds of a client that nobody sets; those that a program sets are in `ClientConfiguration`.
enum ClientLimits {
  /// Statements of a transaction that may wait to be settled, and bytes of them.
  static let deferredStatementsMax = 64
  static let deferredBytesMax = 1 << 20

  /// How many names of a certificate an error shows.
  static let certificateNamesShownMax = 5

  /// How much of a name out of a certificate an error shows.
  static let shownNameCharactersMax = 100

  /// How much of an earlier statement an error shows.
  static let shownStatementCharactersMax = 200

  /// Bytes that are read of a socket at once: at first, and between which bounds it follows what arrives.
  static let receiveBytesFirst = 64 << 10
  static let receiveBytesMin = 4_096
  static let receiveBytesMax = 1 << 20

  /// A message begins with this much memory, which most need no more than.
  static let messageBytesMin = 256

  /// Columns whose places are remembered from the first row of a result for the next ones.
  static let notedColumnsMax = 4_096

  /// Threads on which the tasks run that plain threads wait for.
  static let waitingThreads = 2
}
