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
