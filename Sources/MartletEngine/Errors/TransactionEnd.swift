/// Why an interactive transaction is over.
enum TransactionEnd: Equatable {
  case committed
  case rolledBack
  /// SQLite rolled back because a statement failed.
  case rolledBackBySQLite
  /// A statement failed that its commit required.
  case requiredFailed
  case idleTooLong
  case openTooLong
  /// The transaction was open for as long as its owner's quota allows.
  case openBeyondQuota(ms: Int)
  /// The transaction did nothing for `ms` milliseconds while other writes waited for the writer that it held.
  case idleWhileOthersWaited(ms: Int)
  case openWhileOthersWaited
  /// The transaction's turn did not come before its deadline, or it was withdrawn, or could not begin.
  case neverOpened
  case ownerGone
  case shuttingDown
  case fenced

  /// A clock ended the transaction, and nothing that it asked for was wrong: the same transaction may succeed when it
  /// is run again.
  var isRetryable: Bool {
    switch self {
    case .idleWhileOthersWaited, .openWhileOthersWaited, .idleTooLong, .openTooLong: true
    default: false
    }
  }

  /// The engine ended the transaction, and its owner does not know yet.
  var isNews: Bool {
    switch self {
    case .idleWhileOthersWaited, .openWhileOthersWaited: true
    case .rolledBackBySQLite, .idleTooLong, .openTooLong, .openBeyondQuota, .shuttingDown: true
    case .committed, .rolledBack, .requiredFailed, .neverOpened, .ownerGone, .fenced: false
    }
  }
}
