/// The bounds of a client that nobody sets; those that a program sets are in `ClientConfiguration`.
enum ClientLimits {
  /// The longest token: with the rest of a hello it stays below what servers take.
  static let credentialBytesMax = 4_096

  /// Statements of a transaction that may wait to be settled, and bytes of them.
  static let deferredStatementsMax = 64
  static let deferredBytesMax = 1 << 20

  /// How many names of a certificate an error shows.
  static let certificateNamesShownMax = 5

  /// Threads on which the tasks run that plain threads wait for.
  static let waitingThreads = 2
}
