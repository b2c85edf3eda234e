import MartletValues

// MARK: - Closures

/// What a program is told that uses a closure, or a transaction in one, in a way that it cannot be used.
///
/// Always true: a condition has one member, whoever meets it; its sentences say what happened and what to do.
extension RequestError {
  /// A `Database` was kept longer than the closure that it was given to.
  static let closureEnded = RequestError(
    .failedPrecondition, .transactionEnded,
    "A Database works only inside of the closure that it was given to. Fetch what you need there and return it.")

  /// The inner closure would wait for the outer one for ever.
  static let closureInsideClosure = RequestError(
    .failedPrecondition, .notAllowed,
    "A read or write began inside of another one of the same database. Use the Database that the closure was given.")

  /// If a program has set no database to use by default.
  static func noDatabase(advice: String) -> RequestError { RequestError(.failedPrecondition, .notAllowed, advice) }

  /// More calls than `DatabaseLimits.waitingCallsMax` wait for a connection, or for a thread.
  static let tooManyCallsWait = RequestError(
    .resourceExhausted, .overloaded,
    "Too many reads and writes of this program wait. Nothing was done. Await some of them before you start more.",
    isRetryable: true)

  /// All connections were in use until the deadline.
  static let noConnectionInTime = RequestError(
    .deadlineExceeded, .deadline,
    "The deadline passed before a connection was free. Nothing was done. Allow more time.",
    isRetryable: true)
}

// MARK: - Transactions

extension RequestError {
  /// A transaction was to begin inside of another one.
  static let transactionOpenAlready = RequestError(
    .failedPrecondition, .notAllowed, "A transaction is open already. Use inSavepoint inside of it.")

  /// A closure without a transaction began one with SQL and did not end it.
  static let transactionLeftOpen = RequestError(
    .failedPrecondition, .transactionEnded,
    "A transaction was left open, and was undone. Commit it before the closure ends, or use write.")

  /// SQLite rolled back by itself, as it does if a disk is full.
  static let transactionUndone = RequestError(
    .aborted, .transactionEnded,
    "SQLite undid the transaction when one of its statements failed. Nothing of it was written. Run it again.",
    isRetryable: true)

  /// BEGIN, COMMIT or ROLLBACK as SQL inside of a transaction that the library began.
  static let transactionSQLInside = RequestError(
    .permissionDenied, .notAllowed, "A statement may not control transactions with SQL inside of one.")
}

// MARK: - Reading only

extension RequestError {
  /// The closure is a read.
  static let writeInRead = RequestError(
    .failedPrecondition, .readOnly, "The statement writes where only reads are allowed. Use a write.")

  /// The configuration of a queue or a pool says so.
  static let databaseReadOnly = RequestError(
    .failedPrecondition, .readOnly, "The database was opened for reading only. Open it for writing.")

  /// A standing connection to a server was made so.
  static let connectionReadOnly = RequestError(
    .failedPrecondition, .readOnly, "The connection was opened for reading only. Open it without `readonly`.")
}

// MARK: - Rows

extension RequestError {
  /// A value of a row that is read by itself; the engine says the same of its rows with the column's name.
  static func textNotUTF8(column: Int32) -> RequestError {
    RequestError(.invalidArgument, .notUTF8, "Column \(column) holds a text that is not UTF-8. Select it as a blob.")
  }

  /// An aggregate written in Swift keeps the rows of its group until the group is complete.
  static func groupTooLarge(function: String, bytesMax: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      """
      The rows that the aggregate \(function) collects take more than \(bytesMax) bytes. Filter them, group by more \
      columns, or raise 'maximumGroupBytes' of the configuration.
      """)
  }
}
