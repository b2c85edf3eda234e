import MartletAST

/// What is undone if a statement of an interactive transaction failed, and may have been carried out all the same, or in
/// part. Its owner hears that it failed, so nothing of it may stay.
///
/// A write is undone alone. If the owner has got rows of it, the whole transaction is undone, because the owner may not
/// look at the end of the answer.
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

  static func needsSavepoint(_ plan: Plan) -> Bool { plan.access != .read }
}
