import MartletAST

/// What is undone if a statement of an interactive transaction failed, and may have been carried out all the same, or
/// in part. Its owner hears that it failed, so nothing of it may stay.
///
/// Such a write is undone alone. The insert of one row has no savepoint for that: it fails like that only if it was
/// interrupted or late, or within a trigger, and then the whole transaction is undone. So it is if the owner has got
/// rows of the statement, because the owner may not look at the end of the answer.
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
    plan.access != .read && (plan.returnsRows || plan.holdsRaw || plan.checksNewRows || !plan.insertsOneRow)
  }
}
