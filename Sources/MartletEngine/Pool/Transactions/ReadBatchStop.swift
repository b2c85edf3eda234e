import MartletSQLite
import MartletValues

/// What the owner of a read batch is told if the batch was made to stop: by its owner, by its deadline, or because its
/// transaction ended.
///
/// Always true: only an owner that cancelled is told so; a step that failed for a reason of its own keeps that.
struct ReadBatchStop {
  /// The owner has cancelled the batch.
  var isCancelled: Bool
  /// The batch's deadline has passed.
  var isLate: Bool
  /// Why the transaction ended that the batch runs in; nil if it did not.
  var ending: RequestError?

  /// The error for a batch that has not run, because its own transaction refused it with `error`. Its owner knows of no
  /// transaction, and hears why there is none.
  func refusal(_ error: RequestError) -> RequestError {
    if isCancelled { return .cancelledByOwner }
    return isLate ? .deadlinePassed : ending ?? error
  }

  /// The result of a step as its owner is told it. Whatever made a step stop, SQLite only knows that it was asked to.
  func explained(_ result: StatementResult) -> StatementResult {
    guard case .failed(let error) = result.ending, Self.wasStopped(error), let cause = cause(error) else {
      return result
    }
    var result = result
    result.ending = .failed(cause)
    return result
  }

  private func cause(_ error: RequestError) -> RequestError? {
    if isCancelled { return error.reason == .cancelled ? error : .cancelledByOwner }
    return isLate ? .deadlineWhileRunning : ending
  }

  /// The step was ended from outside, and its error does not say by whom.
  private static func wasStopped(_ error: RequestError) -> Bool {
    error.reason == .cancelled || error.reason == .sqlite && error.sqliteCode == SQLiteCode.interrupt
  }
}
