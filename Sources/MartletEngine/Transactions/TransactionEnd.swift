/// Why an interactive transaction is over.
enum TransactionEnd: Equatable {
  case committed
  case rolledBack
  /// SQLite rolled back because a statement failed.
  case rolledBackBySQLite
  case idleTooLong
  case openTooLong
  /// Its turn did not come before the deadline, or it was withdrawn, or could not begin.
  case neverOpened
  case ownerGone
  case evicted
  case shuttingDown
  case fenced

  /// The engine ended it, and its owner does not know yet.
  var isNews: Bool {
    switch self {
    case .rolledBackBySQLite, .idleTooLong, .openTooLong, .evicted, .shuttingDown: true
    case .committed, .rolledBack, .neverOpened, .ownerGone, .fenced: false
    }
  }
}
