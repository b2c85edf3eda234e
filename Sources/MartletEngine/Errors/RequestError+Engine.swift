import MartletAST
import MartletSQLite
package import MartletValues

// MARK: - Time

/// What clients are told when the engine itself refuses or ends what they asked for: one sentence for each condition.
///
/// Always true: a sentence says what happened, and the next one what to do about it; the same condition has the same
/// words whoever meets it. `isRetryable` says whether the same request may be sent again.
extension RequestError {
  package static let cancelledByOwner = RequestError(
    .cancelled, .cancelled, "The request was cancelled. Send it again if it is wanted after all.")

  /// Waiting would not help: who reads is the one who waits.
  static func readByCursor(_ words: String) -> RequestError {
    RequestError(
      .unavailable, .sqlite,
      "The statement would change what another one on the same connection still reads: \(words). Read that one's rows "
        + "to the end before.")
  }

  static let deadlineInQueue = RequestError(
    .deadlineExceeded, .deadline,
    "The deadline passed before the request's turn came. Nothing was done. Allow more time.", isRetryable: true)

  static let deadlineWhileRunning = RequestError(
    .deadlineExceeded, .deadline, "The request's deadline passed while it ran. Allow more time, or ask for less.")

  static let deadlineMissed = RequestError(
    .deadlineExceeded, .deadline,
    "The request's deadline passed while it ran, so it was undone. Allow more time, or ask for less.")

  static func commitTooLong(mostMs: Int) -> RequestError {
    RequestError(
      .deadlineExceeded, .deadline,
      "The commit took longer than the \(mostMs) ms that a write may, so nothing of it was kept. Full-text and R-tree "
        + "tables write at the commit what they have kept back. Write less in one transaction.")
  }

  /// The deadline had passed before anything ran.
  package static let deadlinePassed = RequestError(
    .deadlineExceeded, .deadline, "The request's deadline passed before it could run. Allow more time.",
    isRetryable: true)

  static let deadlineInCheck = RequestError(
    .deadlineExceeded, .deadline,
    "The check's deadline passed before it had looked at everything. Allow more time.", isRetryable: true)

  /// A read had begun, and waited when its time was over: for its owner to take rows, or for others.
  static let deadlineInResult = RequestError(
    .deadlineExceeded, .deadline,
    "The request's deadline passed before all of its rows were taken. Allow more time, take rows faster, or ask for less.",
    isRetryable: true)

  static func writeDeadlineTooLong(mostMs: Int) -> RequestError {
    RequestError(
      .invalidArgument, .limit,
      "A write may ask for \(mostMs) ms at most, because all writes of a database wait for one another. Nothing was "
        + "changed. Name a shorter deadline, or none, or raise the limit write-time-max-ms.")
  }

  /// The error for a write whose deadline nobody chose, and whose time was cut to the longest that a write may have.
  var whereWritesAreShort: RequestError {
    var error = self
    error.message =
      "The write took longer than a write may here, and nothing was changed. Do less at once, or raise the limit "
      + "write-time-max-ms."
    return error
  }
}

// MARK: - Too many, and too much

extension RequestError {
  static let writeQueueFull = RequestError(
    .resourceExhausted, .overloaded, "Too many writes wait for this database. Try again in a moment.",
    isRetryable: true)

  static let readersOverloaded = RequestError(
    .resourceExhausted, .overloaded, "Too many reads wait for a connection. Try again in a moment.", isRetryable: true)

  static let schemaChangesTooOften = RequestError(
    .resourceExhausted, .overloaded,
    "The schema of this database is changed so often that its readers do little but read it anew. The statement did "
      + "nothing. Try again in a moment, or change more in one transaction.", isRetryable: true)

  static let transactionFull = RequestError(
    .resourceExhausted, .overloaded, "Too many statements wait in this transaction. Await some of them first.",
    isRetryable: true)

  static func returnedTooMuch(_ limits: Limits) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "The rows that the write returns exceed \(limits.returningBytesMax) bytes. Nothing was changed. Write fewer rows "
        + "at once.")
  }

  static func heldTooMuch(_ limits: Limits) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "The rows of a batch are held until it has ended, and exceed \(limits.returningBytesMax) bytes with this query's. "
        + "Read fewer rows at once, or send the query on its own.")
  }

  static let diskAlmostFull = RequestError(
    .resourceExhausted, .limit, "The disk is almost full, so writes are refused. Free some space and try again.",
    isRetryable: true)

  static let temporaryFilesFull = RequestError(
    .resourceExhausted, .limit,
    "The statement needs more room for temporary files than is left for it. Sort, group or change fewer rows at once, "
      + "give the order an index, or raise the limit on temporary files.", isRetryable: true)

  static let temporaryDiskFull = RequestError(
    .resourceExhausted, .sqlite,
    "The disk that holds temporary files (SQLITE_TMPDIR, TMPDIR, or /var/tmp) is full. Free some space there, or sort, "
      + "group or change fewer rows at once.", isRetryable: true)
}

// MARK: - Writes

extension RequestError {
  static let lostResult = RequestError(
    .internal, .internal, "The engine lost the result of this request. Report it.", isOutcomeUnknown: true)

  static let batchAborted = RequestError(
    .aborted, .batchAborted,
    "Another step of the atomic batch failed, so this one was undone or did not run. Look at the error of that step.")

  static let vacuumInto = RequestError(
    .permissionDenied, .notAllowed,
    "VACUUM INTO would write a file where the database is served. Copy the database with martlet export.")

  static let fenced = RequestError(
    .unavailable, .fenced,
    "Writing to this database has stopped because a commit's outcome is unknown. Its data can be read. Run "
      + "`martlet unfence` when the disk is well.")

  static func commitUnknown(sqliteCode: Int32) -> RequestError {
    RequestError(
      .unknown, .fenced,
      "The disk failed while the write was being committed, so it may or may not be there. Read before writing again.",
      sqliteCode: sqliteCode, isOutcomeUnknown: true)
  }

  static func sequenceNotRecorded(database: String, _ words: String) -> RequestError {
    RequestError(
      .unavailable, .sqlite,
      "Nothing was written to the database \(database), because the number of its commit could not be recorded in "
        + "\(database).sqlite-lock: \(words). Look at the disk and at the rights on that file.",
      isRetryable: true)
  }
}

// MARK: - Reads

extension RequestError {
  /// The error for a row that could not be read; an error of SQLite is mapped as any other.
  init(_ fault: RowFault, plan: Plan, limits: Limits, stop: ExecutionLimiter.Stop?) {
    switch fault {
    case .sqlite(let error) where error.extendedCode == SQLiteCode.tooBig && plan.access == .read:
      self = .valueTooLong(limits)
    case .sqlite(let error): self.init(error, plan: plan, limits: limits, stop: stop)
    case .notUTF8(let column, let name): self = .notUTF8(column: column, name: name)
    case .tooLong(let bytes): self = .rowTooLong(bytes, limits)
    }
  }

  /// Another program may have stored it, or the statement makes it.
  private static func valueTooLong(_ limits: Limits) -> RequestError {
    tooLong(
      "A value that the statement reads or makes has more than \(limits.valueBytesMax) bytes: string or blob too big. "
        + "Select other columns, or leave its row out.")
  }

  private static func rowTooLong(_ bytes: Int, _ limits: Limits) -> RequestError {
    tooLong(
      "A row of the result has \(bytes) bytes, and may have \(limits.rowBytesMax). Select fewer columns, or parts of "
        + "long values with substr().")
  }

  private static func tooLong(_ sentence: String) -> RequestError {
    var error = RequestError(.resourceExhausted, .limit, sentence)
    error.sqliteCode = SQLiteCode.tooBig
    return error
  }

  private static func notUTF8(column: Int, name: String) -> RequestError {
    // A column without a name of its own is called by its expression, which may be long.
    let most = EngineLimits.shownNameCharactersMax
    let short = name.count > most ? name.prefix(most) + "…" : name[...]
    return RequestError(
      .failedPrecondition, .notUTF8,
      "Column \(column) (\(short)) holds a text that is not UTF-8, which cannot be sent. CAST(… AS BLOB) reads its bytes.",
      column: name)
  }

  static let writeAmongReads = RequestError(
    .failedPrecondition, .readOnly, "A read transaction cannot write. Begin a write transaction for it.")

  static func snapshotEnded(_ end: SnapshotEnd) -> RequestError {
    switch end {
    case .due: .deadlinePassed
    case .shutDown: .shuttingDown
    case .logGrew(let ageMs, let grownBytes):
      RequestError(
        .aborted, .snapshotEvicted,
        "The read's snapshot was \(ageMs) ms old and held \(grownBytes >> 20) MiB of newer writes in the log, more than "
          + "is kept for one. Raise the limit wal-mib, or read faster or in smaller parts.",
        isRetryable: true)
    case .logLost:
      RequestError(
        .aborted, .snapshotEvicted,
        "The log of the database was removed, and what it held is copied into the database's file, which the read's "
          + "snapshot would have kept from being whole. Read again.", isRetryable: true)
    }
  }

  static let pausedTooLong = RequestError(
    .aborted, .snapshotEvicted,
    "The read waited for its client's credit while others waited for its connection, and the rest of its rows is more "
      + "than is kept for one (streamCopyBytesMax). Read faster, or in smaller parts.",
    isRetryable: true)

  static let rowsUntaken = RequestError(
    .resourceExhausted, .limit,
    "What was asked is done, and what it changed stays, but the client took no rows for longer than outputStallMs after "
      + "the deadline, and those that were left are dropped. Give credit for rows as they come.")

  static let connectionsShared = RequestError(
    .aborted, .snapshotEvicted,
    "The client's other reads use so many of the database's connections that those of others wait. Read fewer results "
      + "at a time.", isRetryable: true)

  static let noRoomForLongRead = RequestError(
    .aborted, .snapshotEvicted,
    "As many long reads are in progress as may be at a time (heavyReadsMax), and this one had begun to give rows. Try "
      + "again in a moment.", isRetryable: true)
}

// MARK: - Transactions

extension RequestError {
  static func noSavepoint(_ number: UInt32) -> RequestError {
    RequestError(
      .failedPrecondition, .invalidStatement,
      "Savepoint \(number) is not set in this transaction. Set it first; it is gone once it, or one set before it, was "
        + "released, or one set before it was rolled back to.")
  }

  static let tooManySavepoints = RequestError(
    .resourceExhausted, .limit,
    "\(EngineLimits.savepointsMax) savepoints are set in this transaction, as many as may be. Release some, or commit "
      + "and begin another transaction.")

  static func readTransactionIdle(ageMs: Int, limits: ServingLimits) -> RequestError {
    RequestError(
      .aborted, .transactionEnded,
      "The read transaction was ended after \(ageMs) ms: it may be idle for \(limits.transactionIdleMs) ms and open for "
        + "\(limits.transactionTotalMs) ms (the limit transaction-ms). Begin another one.",
      isRetryable: true)
  }

  static func readTransactionReclaimed(idleMs: Int) -> RequestError {
    RequestError(
      .aborted, .transactionEnded,
      "The read transaction was ended because others waited to begin one, and it had waited for its client for "
        + "\(idleMs) ms or longer. Begin another one, send its statements without pauses, and take its rows as they "
        + "come.",
      isRetryable: true)
  }

  /// Why statements of the transaction are refused from now on.
  static func transactionEnded(_ end: TransactionEnd, limits: Limits) -> RequestError {
    if case .openBeyondQuota(let ms) = end { return .quotaExceeded(.writeTransactionMs, ms) }
    let message =
      switch end {
      case .committed: "The transaction has been committed. Begin another one."
      case .rolledBack: "The transaction has been rolled back. Begin another one."
      case .rolledBackBySQLite:
        "A statement failed in a way that rolled the whole transaction back. Begin another one."
      case .requiredFailed:
        "The transaction was rolled back because a statement that its commit requires failed. The error of that "
          + "statement says why."
      case .idleTooLong:
        "The transaction was rolled back because nothing was asked of it for \(limits.transactionIdleMs) ms. Send its "
          + "statements without pauses."
      case .openTooLong, .openBeyondQuota:
        "The transaction was rolled back because it was open for \(limits.transactionTotalMs) ms. Do less in one."
      case .idleWhileOthersWaited(let ms):
        "The transaction was rolled back because other writes waited for it and nothing was asked of it for \(ms) ms. "
          + "Begin another one, and send its statements without pauses."
      case .openWhileOthersWaited:
        "The transaction was rolled back because other writes would have waited for it for more than "
          + "\(limits.transactionContendedTotalMs) ms, its commit and the copy of its pages included. Begin another "
          + "one, and do less in it."
      case .neverOpened: RequestError.neverBegan.message
      case .ownerGone: "The transaction was given up by its owner. Begin another one."
      case .shuttingDown: "The transaction was rolled back because the database is being closed. Connect again."
      case .fenced:
        "The transaction's commit failed and its outcome is unknown. Read before writing again."
      }
    let code: RequestError.Code = end == .committed || end == .rolledBack ? .failedPrecondition : .aborted
    return RequestError(code, .transactionEnded, message, isRetryable: end.isRetryable)
  }
}
