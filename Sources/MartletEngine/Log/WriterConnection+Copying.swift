import MartletSQLite
import MartletValues

/// Copies of the log into the database's file.
extension WriterConnection {
  /// Copies the log into the database file. False if something was left; a failed sync fences. A log of more than
  /// `keptBytes` is also cut, if no reader uses it.
  func checkpoint(
    _ action: CheckpointPolicy.Action, waitMs: Int, keptBytes: Int
  ) -> (isComplete: Bool, isFailed: Bool) {
    settle(because: "a transaction was open before a checkpoint and has been rolled back")
    guard !isFenced else { return (false, true) }
    let isWaiting = action == .restart
    let isCut = connection.walBytes > keptBytes
    do {
      let isComplete = try copyLog(isWaiting ? .restart : .passive, waitMs: isWaiting ? waitMs : nil)
      // Otherwise whoever commits next would cut the file, which takes its time.
      if isComplete, isCut { _ = try copyLog(.truncate, waitMs: waitMs) }
      return (isComplete, false)
    } catch {
      if SQLiteCode.isFailedSync(error.extendedCode) { fence(.fenced) }
      return (false, true)
    }
  }

  /// The same for a log that has lost its name, on a connection that is fenced: all that was committed, unless a
  /// snapshot is older than that. Nobody may end it.
  func rescueLog(waitMs: Int) throws(SQLiteError) -> Bool {
    let wasArmed = connection.limiter.suspend()
    defer { connection.limiter.resume(wasArmed) }
    for attempt in 1... {
      do throws(SQLiteError) {
        return try ProcessMemory.withoutLimit { () throws(SQLiteError) in try copyLog(.full, waitMs: waitMs) }
      } catch {
        // An interrupt that was meant for the statement before.
        guard error.code == SQLiteCode.interrupt, attempt < EngineLimits.statementAttemptsMax else { throw error }
      }
    }
    return false
  }

  /// Whether all of the log is in the database's file now.
  private func copyLog(_ mode: CheckpointMode, waitMs: Int?) throws(SQLiteError) -> Bool {
    if let waitMs { connection.setBusyTimeout(ms: waitMs) }
    files.bytesMayShrink(isLogKept: mode == .full)
    defer {
      if waitMs != nil { connection.setBusyTimeout(ms: busyTimeoutMs) }
      files.settleBytes(log: Int64(connection.walBytes))
    }
    return try connection.checkpoint(mode).isComplete
  }
}
