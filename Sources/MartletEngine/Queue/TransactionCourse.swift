import MartletValues

/// The results of the statements of one interactive transaction, and what they mean for its end.
///
/// Always true: it commits only if all that its owner requires has succeeded and every deferred key holds; an end
/// that was imposed comes before any other.
struct TransactionCourse {
  /// What to do when its owner has asked for the end.
  enum Finish: Equatable {
    case rollBack
    /// The owner sent statements without waiting for them, and the commit behind them; one of them was refused, perhaps
    /// before it came here, so nothing of the transaction may stay.
    case refuse
    /// A foreign key of one of these tables does not hold yet, so the transaction goes on.
    case goOn(violated: [String])
    case commit
  }

  /// How many of the statements that its commit may require have succeeded.
  private var requiredSucceeded = 0
  private var deferredKeys = DeferredKeys()
  /// An end that came while a statement ran or waited for its owner.
  private(set) var imposedEnd: TransactionEnd?

  // MARK: Events

  /// A statement has run. `isViolated`: some key of the transaction does not hold now.
  mutating func statementEnded(isViolated: Bool, writing names: @autoclosure () -> [String]) {
    deferredKeys.statementEnded(isViolated: isViolated, writing: names())
  }

  mutating func requiredStatementSucceeded() { requiredSucceeded += 1 }

  mutating func endImposed(_ end: TransactionEnd) { imposedEnd = end }

  // MARK: Decisions

  /// The owner asks for the end. `required`: how many of its statements must have succeeded.
  func finishAsked(commit: Bool, required: Int, isViolated: @autoclosure () -> Bool) -> Finish {
    if !commit { return .rollBack }
    if requiredSucceeded < required { return .refuse }
    return isViolated() ? .goOn(violated: deferredKeys.tables) : .commit
  }

  /// A command that was not the end has run: why the transaction is over all the same; nil while it goes on.
  func commandEnded(isInTransaction: Bool) -> TransactionEnd? {
    imposedEnd ?? (isInTransaction ? nil : .rolledBackBySQLite)
  }
}
