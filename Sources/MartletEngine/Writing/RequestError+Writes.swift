/// What the write half says when SQLite is not the one to say it.
///
/// Always true: each tells what to do next, and whether the same request may be sent again.
import MartletAST

extension RequestError {
  static let lostResult = RequestError(
    .internal, .internal, "The engine lost the result of this request; report it.", isOutcomeUnknown: true)

  static let writeQueueFull = RequestError(
    .resourceExhausted, .overloaded, "Too many writes are waiting for this database; send it again in a while.",
    isRetryable: true)

  static let deadlineInQueue = RequestError(
    .deadlineExceeded, .deadline, "The deadline passed before the request's turn came; nothing was changed.",
    isRetryable: true)

  static let deadlineMissed = RequestError(
    .deadlineExceeded, .deadline,
    "The request's deadline passed while it ran, so it was undone. Allow more time, or do less at once.")

  static func writeDeadlineTooLong(mostMs: Int) -> RequestError {
    RequestError(
      .invalidArgument, .limit,
      "A write may ask for \(mostMs) ms at most, because all writes of a database wait for one another; nothing was "
        + "changed. Name a shorter deadline, or none, or start the server with a longer --write-time-max.")
  }

  /// What a write is told whose time was cut to the longest that a write may have, where nobody had chosen it.
  var whereWritesAreShort: RequestError {
    var error = self
    error.message =
      "The write took longer than a write may here, and nothing was changed. Do less at once, or start the server with a "
      + "longer --write-time-max."
    return error
  }

  static let fenced = RequestError(
    .unavailable, .fenced,
    "Writing to this database has stopped because a commit's outcome is unknown; its data can be read. Run "
      + "`martlet unfence` when the disk is well.")

  static func commitUnknown(sqliteCode: Int32) -> RequestError {
    RequestError(
      .unknown, .fenced,
      "The disk failed while the write was being committed, so it may or may not be there; read before writing again.",
      sqliteCode: sqliteCode, isOutcomeUnknown: true)
  }

  static let vacuumInto = RequestError(
    .permissionDenied, .notAllowed,
    "VACUUM INTO would write a file where the database is served. Copy the database with martlet export.")

  static let diskAlmostFull = RequestError(
    .resourceExhausted, .limit, "The disk is almost full, so writes are refused; free some space and send it again.",
    isRetryable: true)

  static func returnedTooMuch(bytesMax: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "The rows that the write returns exceed \(bytesMax) bytes; nothing was changed. Write fewer rows at once.")
  }

  static let batchAborted = RequestError(
    .aborted, .batchAborted, "Another step of the atomic batch failed, so this one was undone or did not run.")

  static let tooManyCommands = RequestError(
    .resourceExhausted, .overloaded, "Too many statements wait in this transaction; send it again in a while.",
    isRetryable: true)
}
