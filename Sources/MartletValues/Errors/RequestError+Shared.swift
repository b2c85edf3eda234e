/// What decoder, session and engine refuse for the same reason, in the same words.
extension RequestError {
  package static let transactionOver = RequestError(
    .failedPrecondition, .transactionEnded, "The transaction has ended. Begin another one.")

  /// For a statement that came after the transaction was ended for `cause`.
  package static func transactionOver(because cause: RequestError) -> RequestError {
    RequestError(
      .failedPrecondition, .transactionEnded, "The transaction has ended. \(cause.message)",
      isRetryable: cause.isRetryable)
  }

  package static let neverBegan = RequestError(
    .aborted, .transactionEnded, "The transaction never began. Begin another one.", isRetryable: true)

  package static let databaseClosed = RequestError(
    .failedPrecondition, .shuttingDown, "The database was closed by this program. Open it again.")

  package static let shuttingDown = RequestError(
    .unavailable, .shuttingDown, "The server is shutting down. Connect again in a moment.", isRetryable: true)

  package static let noSteps = RequestError(.invalidArgument, .malformed, "A batch needs at least one step.")

  package static func tooManySteps(_ limits: Limits) -> RequestError {
    RequestError(
      .resourceExhausted, .limit, "A batch has at most \(limits.batchStepsMax) steps. Send several.")
  }

  package static func setupTooLarge(_ limits: Limits) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "A setup has at most \(limits.setupStatementsMax) statements and \(limits.setupBytesMax) bytes. Declare fewer.")
  }
}

// MARK: - Before anything is asked

extension RequestError {
  static let deadlineOverBeforehand = RequestError(
    .deadlineExceeded, .deadline, "The deadline passed before anything was asked. Nothing was done. Allow more time.",
    isRetryable: true)

  @usableFromInline static let shapeNotRegistered = RequestError(
    .permissionDenied, .permission,
    "This client may run registered statements only, and this is none of them. Ask the server's operator to register "
      + "it with `martlet shapes register`.")
}

// MARK: - Keys

extension RequestError {
  static func keyLength(_ bytes: Int, longest: Int) -> RequestError {
    RequestError(
      .invalidArgument, .limit, "A database's key has \(bytes) bytes. Give it between one and \(longest).")
  }

  static func keyFileOpenToOthers(_ path: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "The key file \(path) may be read by others than its owner. Take that away: chmod 600 \(path)")
  }

  static func keyFileUnreadable(_ path: String, _ why: String) -> RequestError {
    RequestError(.failedPrecondition, .notAllowed, "The key file \(path) cannot be read: \(why).")
  }
}
