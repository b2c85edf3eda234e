/// What the run of one member means for its group.
///
/// Always true: a member that failed while its turn was over runs another time, whatever it failed with; one that
/// succeeded counts only if its transaction is still there and would commit as far as it is concerned.
enum MemberVerdict: Equatable {
  case succeeded
  /// It would leave foreign keys that its own commit would refuse.
  case violates
  /// It failed, and its transaction is still there.
  case failed
  /// It had its time, and others wait.
  case leaves
  /// SQLite ended it although neither its time was up nor its owner had gone.
  case interrupted
  /// It failed, and the transaction went with it.
  case transactionLost(GroupCommit.Blame)
  /// It succeeded, and its transaction is gone all the same.
  case transactionVanished

  /// `failure`: what is to blame for its failure; nil if it succeeded. `hasYielded`: it was ended for others.
  init(
    failure: GroupCommit.Blame?, hasYielded: Bool, isInTransaction: @autoclosure () -> Bool,
    isViolated: @autoclosure () -> Bool
  ) {
    if let blame = failure {
      if hasYielded {
        self = .leaves
      } else if blame == .nobody {
        self = .interrupted
      } else {
        self = isInTransaction() ? .failed : .transactionLost(blame)
      }
    } else if !isInTransaction() {
      self = .transactionVanished
    } else {
      self = isViolated() ? .violates : .succeeded
    }
  }
}
