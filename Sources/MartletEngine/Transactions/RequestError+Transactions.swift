/// What the owner of a transaction is told when it has ended.
import MartletAST

extension RequestError {
  /// Why statements of the transaction are refused from now on.
  static func transactionEnded(_ end: TransactionEnd, limits: Limits) -> RequestError {
    let message =
      switch end {
      case .committed: "The transaction has been committed; begin another one."
      case .rolledBack: "The transaction has been rolled back; begin another one."
      case .rolledBackBySQLite:
        "A statement failed in a way that rolled the whole transaction back; begin another one."
      case .idleTooLong:
        "The transaction was rolled back because nothing was asked of it for \(limits.transactionIdleMs) ms; send its "
          + "statements without pauses."
      case .openTooLong:
        "The transaction was rolled back because it was open for \(limits.transactionTotalMs) ms; do less in one."
      case .idleWhileOthersWaited(let ms):
        "The transaction was rolled back because other writes waited for it and nothing was asked of it for \(ms) ms; "
          + "begin another one, and send its statements without pauses."
      case .openWhileOthersWaited:
        "The transaction was rolled back because other writes had waited for it for "
          + "\(limits.transactionContendedTotalMs) ms; begin another one, and do less in it."
      case .neverOpened: "The transaction never began; begin another one."
      case .ownerGone: "The transaction was given up by its owner."
      case .evicted: "The transaction was ended to free its snapshot; begin another one."
      case .shuttingDown: "The transaction was rolled back because the database is being closed; connect again."
      case .fenced:
        "The transaction's commit failed and its outcome is unknown; read before writing again."
      }
    let code: RequestError.Code = end == .committed || end == .rolledBack ? .failedPrecondition : .aborted
    return RequestError(code, .transactionEnded, message, isRetryable: end.isForOthers)
  }
}
