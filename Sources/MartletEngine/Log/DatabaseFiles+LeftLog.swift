import MartletValues

/// The log that a process has left which did not end as it should.
extension DatabaseFiles {
  /// Brings what a log holds that no connection of this process has seen into the database's file, and empties the log.
  /// Nothing else is written.
  ///
  /// Throws if it holds no commit, or if the database's file is empty: SQLite would throw such a log away, and whoever
  /// looks for what went wrong needs it.
  func copyLog(limits: Limits, clock: @escaping @Sendable () -> MonotonicTime) throws(RequestError) {
    let holdsCommit = LogTail.databaseBytes(logAt: path + FileExpectation.Part.log.rawValue) != nil
    guard holdsCommit, let status = try? FileStatus.look(at: path), status.bytes > 0 else { throw .logUnfit(name) }
    try emptyLog(keepsJournalMode: true, limits, clock) { _ in }
  }
}
