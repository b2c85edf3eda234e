package import MartletValues

// MARK: - Requests

/// What a client says in a server's words: of what did not get an answer, and of transactions that a script begins.
///
/// Always true: a condition has one member, whoever meets it.
extension RequestError {
  static func noAnswer(isOutcomeUnknown: Bool) -> RequestError {
    RequestError(
      .deadlineExceeded, .deadline, "The deadline passed and no answer came. Allow more time, or ask for less.",
      isRetryable: !isOutcomeUnknown, isOutcomeUnknown: isOutcomeUnknown)
  }

  static func tooLarge(_ bytes: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "The request is larger than the \(bytes) bytes that the server takes. Send fewer rows or statements at once; a "
        + "row that is larger by itself cannot be sent.")
  }

  /// Of a statement that was not sent, or of a transaction that was not committed.
  static let cancelledBetween = RequestError(
    .cancelled, .cancelled, "The task was cancelled, so its statements do not go on. Begin again if they should.")

  /// A cancelled write that had happened.
  static let rowsDropped = RequestError(
    .cancelled, .cancelled,
    "The statement was cancelled when it had happened already, and the rest of its rows was dropped. Read them again.",
    isOutcomeUnknown: true)
}

// MARK: - Scripts

extension RequestError {
  package static func noLastWrite(_ function: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "\(function)() knows the writes of the transaction that is open, and none has written: clients share the "
        + "server's connections. Say BEGIN before the statement that writes, or let it end in RETURNING.")
  }

  static let alreadyInTransaction = RequestError(
    .failedPrecondition, .notAllowed,
    "A transaction is open already: cannot start a transaction within a transaction. Use SAVEPOINT inside of it.")

  static let noSavepoint = RequestError(
    .failedPrecondition, .invalidStatement, "There is no such savepoint in an open transaction.")

  static let snapshotChanged = RequestError(
    .aborted, .transactionEnded,
    "Somebody has committed since the transaction's first query, so it cannot write: database is locked. Nothing of it "
      + "was kept. ROLLBACK, and begin again with BEGIN IMMEDIATE.", isRetryable: true)

  static func noTransaction(_ verb: String) -> RequestError {
    RequestError(.failedPrecondition, .notAllowed, "No transaction is active, so there is nothing to \(verb).")
  }

  static func transactionLost(_ why: String) -> RequestError {
    RequestError(
      .aborted, .transactionEnded,
      "The transaction has ended and nothing of it was kept: \(why) No statement runs before ROLLBACK.")
  }

  /// What a COMMIT is told of a transaction that was lost.
  var beforeCommit: RequestError {
    var error = self
    error.message = message.replacingSuffix(" No statement runs before ROLLBACK.", by: " There is nothing to commit.")
    return error
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, by other: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) + other : self
  }
}
