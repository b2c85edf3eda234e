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
