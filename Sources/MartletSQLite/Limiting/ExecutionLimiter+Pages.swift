import CSQLite

/// Ending a statement, or letting others have their turn, within one step that reads many pages: SQLite counts a table
/// and drops one in a single step, which never asks its progress handler. And between two steps that take large blocks.
///
/// Always true: pages of the cache are not counted, so a cache's worth of them is read between two looks at most; while
/// nothing is armed, no read is ended.
struct PageLooks {
  var pagesRead = 0
  /// nil while nobody has told SQLite to end.
  var pagesLeft: Int?
}

extension ExecutionLimiter {
  /// Called by a file of the connection before it reads a page for SQLite. True: the read has to fail, with
  /// `SQLITE_INTERRUPT`, which happens once after each arming.
  ///
  /// First SQLite is told to end, so that a step which looks for that can end by itself. It goes on being told so while
  /// any statement has begun, and a virtual table may keep one until its transaction ends: then SQLite is not told, and
  /// the next read fails. Otherwise only a step that reads on all the same is ended by an error, and only within a
  /// transaction: the statement is undone with it, as at any interruption. Undoing reads only the first page, which
  /// never fails.
  func readsPage(isFirst: () -> Bool) -> Bool {
    if let left = pages.pagesLeft {
      guard isArmed, left > 0 else { return false }
      pages.pagesLeft = left - 1
      guard left == 1, sqlite3_get_autocommit(connection) == 0 else { return false }
      guard isFirst() else { return true }
      pages.pagesLeft = 1
      return false
    }
    // If it has been ended, SQLite undoes what it did.
    guard isArmed, stop == nil else { return false }
    pages.pagesRead &+= 1
    guard pages.pagesRead % SQLiteLimits.pagesPerLook == 0, mustStop() else { return false }
    if hasOpenValue {
      pages.pagesLeft = 1
      return false
    }
    guard runsAlone else { return false }
    pages.pagesLeft = SQLiteLimits.pagesToEndMax
    sqlite3_interrupt(connection)
    return false
  }

  /// Called by SQLite's allocator on the limiter's thread. A step that compares long keys takes a block for each of
  /// them, and a thousand such steps take seconds: SQLite is told to end when time is over. Nobody waits here, because
  /// SQLite may be anywhere.
  func takesLargeBlock() {
    guard isArmed, stop == nil, pages.pagesLeft == nil, overdue != nil else { return }
    let hasOpenValue = hasOpenValue
    guard hasOpenValue || runsAlone, isOver else { return }
    pages.pagesLeft = hasOpenValue ? 1 : SQLiteLimits.pagesToEndMax
    if !hasOpenValue { sqlite3_interrupt(connection) }
  }

  /// An interrupt is for all statements of a connection that have begun.
  private var runsAlone: Bool {
    isAlone || runningStatements(upTo: 2) == 1
  }

  /// Whether a virtual table reads a value by a handle, which SQLite counts as a statement without a text that runs. An
  /// R-tree table that was written keeps one until the end of the transaction.
  private var hasOpenValue: Bool {
    var statement = sqlite3_next_stmt(connection, nil)
    while let present = statement {
      if sqlite3_sql(present) == nil, sqlite3_stmt_busy(present) != 0 { return true }
      statement = sqlite3_next_stmt(connection, present)
    }
    return false
  }

  /// Whether SQLite compiles a statement of the connection: the newest one, which gets its text when that is done. A
  /// handle of a value has no text either, but it has begun.
  var isCompiling: Bool {
    guard let newest = sqlite3_next_stmt(connection, nil) else { return false }
    return sqlite3_sql(newest) == nil && sqlite3_stmt_busy(newest) == 0
  }

  /// Whether a statement of the connection has begun; one that is compiled anew has not.
  var hasRunningStatement: Bool { runningStatements(upTo: 1) == 1 }

  /// How many statements of the connection have begun, at most `most`.
  func runningStatements(upTo most: Int = .max) -> Int {
    var running = 0
    var statement = sqlite3_next_stmt(connection, nil)
    while let present = statement, running < most {
      if sqlite3_stmt_busy(present) != 0 { running += 1 }
      statement = sqlite3_next_stmt(connection, present)
    }
    return running
  }
}
