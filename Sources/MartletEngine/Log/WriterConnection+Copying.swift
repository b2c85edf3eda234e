import MartletSQLite
import MartletValues

/// Copies of the log into the database's file.
extension WriterConnection {
  /// What became of a copy.
  struct Copy {
    /// All of the log is in the database's file.
    var isComplete = false
    var isFailed = false
    /// What SQLite said, if it failed.
    var failure: SQLiteError?
    /// The log's file has no bytes any more.
    var isCut = false
  }

  /// Copies the log into the database file; a failed sync fences. A log of more than `keptBytes` is also cut, if no
  /// reader uses it: otherwise whoever commits next would do that, which takes its time.
  func checkpoint(_ action: CheckpointPolicy.Action, waitMs: Int, keptBytes: Int) -> Copy {
    settle(because: "a transaction was open before a checkpoint and has been rolled back")
    guard !isFenced else { return Copy(isFailed: true) }
    let isWaiting = action == .restart
    let isLong = connection.walBytes > keptBytes
    var copy = Copy()
    do {
      copy.isComplete = try copyLog(isWaiting ? .restart : .passive, waitMs: isWaiting ? waitMs : nil)
      guard copy.isComplete, isLong else { return copy }
      copy.isCut = try copyLog(.truncate, waitMs: waitMs)
      if !copy.isCut { logIsCopied() }
    } catch {
      if SQLiteCode.isFailedSync(error.extendedCode) { fence(.fenced) }
      // If only the cut failed, the log begins anew with the next commit all the same.
      copy.isFailed = !copy.isComplete || isFenced
      copy.failure = copy.isFailed ? error : nil
      if copy.isComplete { logIsCopied() }
    }
    return copy
  }

  /// The cut did nothing, so what the copy before it found still holds.
  private func logIsCopied() {
    connection.logIsCopied()
    files.settleBytes(log: Int64(connection.walBytes))
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
    files.bytesMayShrink(isLogKept: mode == .full || mode == .passive)
    var logBytes = connection.walBytes
    defer {
      if waitMs != nil { connection.setBusyTimeout(ms: busyTimeoutMs) }
      files.settleBytes(log: Int64(logBytes))
    }
    do throws(SQLiteError) {
      let result = try connection.checkpoint(mode)
      logBytes = connection.walBytes
      return result.isComplete
    } catch {
      // SQLite may say this after all is done, and begins the log anew with the next commit then, or has cut it. After
      // any other error the log holds what it held.
      if error.code == SQLiteCode.noMemory, mode != .full { logBytes = 0 }
      throw error
    }
  }
}
