import MartletSQLite
import MartletValues

/// What a subject's quotas mean for a statement that runs.
extension StatementQuotas {
  /// What counts the memory of one statement; nil if it is not bounded.
  func makeMemory() -> StatementMemory? { sortBytes == .max ? nil : StatementMemory(bytesMax: sortBytes) }

  /// Names the quota in the error, if one ended the statement; otherwise the error stays as it was.
  ///
  /// - Parameters:
  ///   - stop: why the connection's limiter ended the statement, if it did.
  ///   - writes: it ran on the writer's connection, where the file has its bound. SQLite has one code for a bound that
  ///     is met and for a disk that is full; before a disk is full, writes are refused for that.
  func named(
    _ error: RequestError, stop: ExecutionLimiter.Stop?, memory: StatementMemory?, writes: Bool
  ) -> RequestError {
    let code = error.sqliteCode & 0xFF
    var named: RequestError
    if let memory, memory.isExceeded, memory.bytesMax == sortBytes, error.sqliteCode != 0 {
      named = .quotaExceeded(.sortBytes, sortBytes)
    } else if stop == .budget, code == SQLiteCode.interrupt, steps != .max {
      named = .quotaExceeded(.steps, steps)
    } else if writes, code == SQLiteCode.full, !Self.isOfTemporaryFiles(error), databaseBytes != .max {
      named = .quotaExceeded(.databaseBytes, databaseBytes)
    } else {
      return error
    }
    // SQLite's code tells what it has undone.
    named.sqliteCode = error.sqliteCode
    return named
  }

  private static func isOfTemporaryFiles(_ error: RequestError) -> Bool {
    error.sqliteCode == SQLiteCode.temporaryFull || error.sqliteCode == SQLiteCode.temporaryDiskFull
  }
}
