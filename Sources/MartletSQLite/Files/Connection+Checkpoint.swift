import CSQLite

/// Moves pages from the write-ahead log into the database file.
///
/// Always true: only the writer's connection can, since a checkpoint beside a commit can lose pages in this SQLite.
package enum CheckpointMode: Sendable, Equatable {
  /// Copies as much as readers allow, without waiting.
  case passive
  case full
  case restart
  /// Copies all of the log, and cuts the log to nothing.
  case truncate
}

/// The result of a checkpoint.
package struct CheckpointResult: Sendable, Equatable {
  package var framesInLog: Int
  package var framesDone: Int

  /// A reader or writer kept it from finishing.
  package var isBusy: Bool

  package init(framesInLog: Int, framesDone: Int, isBusy: Bool) {
    self.framesInLog = framesInLog
    self.framesDone = framesDone
    self.isBusy = isBusy
  }

  package var isComplete: Bool { !isBusy && framesDone == framesInLog }
}

extension Connection {
  /// Checkpoints outside any transaction. Throws when this is not the writer, or when the file system fails.
  package func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) -> CheckpointResult {
    guard access == .writer else {
      throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "Only the writer's connection may checkpoint.")
    }
    let number =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .full: SQLITE_CHECKPOINT_FULL
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    var framesInLog: Int32 = 0
    var framesDone: Int32 = 0
    let result = sqlite3_wal_checkpoint_v2(handle, "main", number, &framesInLog, &framesDone)
    let isBusy = result & 0xFF == SQLITE_BUSY
    guard result == SQLITE_OK || isBusy else { throw SQLiteError(result, on: handle) }
    let isComplete = !isBusy && framesInLog == framesDone
    // A complete checkpoint lets the next commit start the log from its beginning.
    walWasCheckpointed(framesInLog: isComplete ? 0 : framesInLog)
    return CheckpointResult(framesInLog: Int(max(0, framesInLog)), framesDone: Int(max(0, framesDone)), isBusy: isBusy)
  }
}
