/// The bounds of a program's databases that nobody sets; those that a program sets are in `Configuration`.
enum DatabaseLimits {
  /// Threads on which closures of `read` and `write` run, of all databases together. Most of them wait.
  static let closureThreadsMax = 64

  /// Calls of `read` and `write` that wait for such a thread, and those that wait for a connection of one database. A
  /// program that starts a hundred thousand tasks at once goes on; one that starts tasks without end is told so while
  /// it still has memory.
  static let waitingCallsMax = 1_000_000

  /// Threads that wait for the disk on behalf of commits.
  static let syncThreadsMax = 8

  /// The least credit that a stream of a server's rows has: that of a batch.
  static let windowBytesMin = 64 << 10

  /// Databases that may be attached to one connection: as many as SQLite takes unless it is built otherwise.
  static let attachedMax = 10

  /// Commits that may come while observers are told of another; more become a gap.
  static let observedCommitsMax = 64
}
