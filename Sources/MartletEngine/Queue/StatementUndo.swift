import MartletAST

/// What is undone of a statement in an interactive transaction that failed, and may have been carried out all the same.
/// Its owner hears that it failed, and nothing of it may stay.
///
/// What returns rows can fail over them, and what a rule asks of new rows can refuse one behind others, so these are
/// undone alone. Anything else fails so only if it was interrupted or late, and the transaction goes with it. It also
/// goes with what had given rows: whoever has those may not look at the end.
enum StatementUndo: Equatable {
  case nothing
  /// The statement has a savepoint of its own, and is kept.
  case releaseSavepoint
  case rollBackToSavepoint
  case rollBackAll

  /// `isUncertain`: it failed, and may have been carried out. `hasGivenRows`: to its owner.
  init(isUncertain: Bool, hasSavepoint: Bool, hasGivenRows: Bool) {
    if hasSavepoint, !(isUncertain && hasGivenRows) {
      self = isUncertain ? .rollBackToSavepoint : .releaseSavepoint
    } else {
      self = isUncertain ? .rollBackAll : .nothing
    }
  }

  static func needsSavepoint(_ plan: Plan) -> Bool {
    plan.access != .read && (plan.returnsRows || plan.holdsRaw || plan.checksNewRows)
  }
}
