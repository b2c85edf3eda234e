/// What clients are told when the engine itself ends or refuses a read.
///
/// Always true: each sentence says what happened and what to do next.
import MartletAST
import MartletSQLite

extension RequestError {
  /// What a statement is told of a row that could not be read; the rest is as for any error of SQLite.
  init(_ fault: RowFault, plan: Plan, limits: Limits, stop: ExecutionLimiter.Stop?) {
    switch fault {
    case .sqlite(let error): self.init(error, plan: plan, limits: limits, stop: stop)
    case .notUTF8(let column, let name): self = .notUTF8(column: column, name: name)
    }
  }

  private static func notUTF8(column: Int, name: String) -> RequestError {
    // A column without a name of its own is called by its expression, which may be long.
    let short = name.count > 64 ? name.prefix(64) + "…" : name[...]
    return RequestError(
      .failedPrecondition, .notUTF8,
      "Column \(column) (\(short)) holds a text that is not UTF-8, which cannot be sent. CAST(… AS BLOB) reads its bytes.",
      column: name)
  }

  static let cancelledByOwner = RequestError(.cancelled, .cancelled, "The request was cancelled.")

  static let readersOverloaded = RequestError(
    .resourceExhausted, .overloaded, "Too many reads wait for a connection. Try again in a moment.", isRetryable: true)

  static let shuttingDown = RequestError(
    .unavailable, .shuttingDown, "The server is shutting down. Connect again in a moment.", isRetryable: true)

  static let writeAmongReads = RequestError(
    .failedPrecondition, .readOnly, "A read transaction cannot write. Begin a write transaction for it.")

  static let transactionOver = RequestError(
    .failedPrecondition, .transactionEnded, "The transaction has ended. Begin another one.")

  static let transactionFull = RequestError(
    .resourceExhausted, .overloaded, "Too many statements wait in this transaction. Await some of them first.",
    isRetryable: true)

  static func snapshotEnded(_ end: SnapshotLedger.End) -> RequestError {
    switch end {
    case .due: .deadlinePassed
    case .shutDown: .shuttingDown
    case .logGrew(let ageMs, let grownBytes):
      RequestError(
        .aborted, .snapshotEvicted,
        "The read's snapshot was \(ageMs) ms old and held \(grownBytes >> 20) MiB of newer writes in the log, more than "
          + "the server keeps for one (walBytesMax, --wal-mib). Read faster, or in smaller parts.",
        isRetryable: true)
    }
  }

  static let pausedTooLong = RequestError(
    .aborted, .snapshotEvicted,
    "The read waited for its client's credit while others waited for its connection, and the rest of its rows is more "
      + "than the server keeps (streamCopyBytesMax). Read faster, or in smaller parts.",
    isRetryable: true)

  static let connectionsShared = RequestError(
    .aborted, .snapshotEvicted,
    "The client's other reads use so many of the database's connections that those of others wait. Read fewer results "
      + "at a time.", isRetryable: true)

  static let noRoomForLongRead = RequestError(
    .aborted, .snapshotEvicted,
    "As many long reads are in progress as the server runs (heavyReadsMax), and this one had begun to give rows. Try "
      + "again in a moment.", isRetryable: true)

  static func readTransactionIdle(ageMs: Int, limits: Limits) -> RequestError {
    RequestError(
      .aborted, .transactionEnded,
      "The read transaction was ended after \(ageMs) ms: it may be idle for \(limits.transactionIdleMs) ms and open for "
        + "\(limits.transactionTotalMs) ms (--transaction-ms). Begin another one.",
      isRetryable: true)
  }
}
