/// The bounds of a client that nobody sets; those that a program sets are in `ClientConfiguration`.
enum ClientLimits {
  /// Statements of a transaction that may wait to be settled, and bytes of them.
  static let deferredStatementsMax = 64
  static let deferredBytesMax = 1 << 20

  /// How many names of a certificate an error shows.
  static let certificateNamesShownMax = 5

  /// How much of a name out of a certificate an error shows.
  static let shownNameCharactersMax = 100

  /// Threads on which the tasks run that plain threads wait for.
  static let waitingThreads = 2
}
