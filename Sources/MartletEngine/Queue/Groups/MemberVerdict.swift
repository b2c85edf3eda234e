/// What the run of one member means for its group.
///
/// Always true: a member that failed while its turn was over runs another time, whatever it failed with; one that
/// succeeded counts only if its transaction is still there and would commit as far as it is concerned.
enum MemberVerdict: Equatable {
  case succeeded
  /// The member violates a deferred foreign key, so to commit it alone would fail.
  case violates
  /// The member failed, and the transaction is still there.
  case failed
  /// The same, and what the member had changed before stays.
  case failedInPart
  /// The member ran past its slice while others waited, and was ended.
  case leaves
  /// SQLite ended the member although neither its time was up nor its owner had gone.
  case interrupted
  /// The member failed, and the transaction went with it, or has to.
  case transactionLost(GroupCommit.Blame)
  /// The member succeeded, but the transaction is gone.
  case transactionVanished

  /// `failure`: who is to blame; nil if the member succeeded. `hasYielded`: it was ended for others. `isSpared`: it
  /// has company and no savepoint, so nothing of it can be undone alone; `isUndone`: nothing of it is left;
  /// `keepsPart`: what it had changed before it failed is to stay.
  init(
    failure: GroupCommit.Blame?, hasYielded: Bool, isSpared: Bool, isUndone: Bool, keepsPart: Bool,
    isInTransaction: @autoclosure () -> Bool, isViolated: @autoclosure () -> Bool
  ) {
    if let blame = failure {
      if hasYielded {
        self = .leaves
      } else if blame == .nobody {
        self = .interrupted
      } else if !isInTransaction() || isSpared && !isUndone {
        self = .transactionLost(blame)
      } else if keepsPart {
        self = isViolated() ? .violates : .failedInPart
      } else {
        self = .failed
      }
    } else if !isInTransaction() {
      self = .transactionVanished
    } else if isViolated() {
      self = isSpared ? .transactionLost(.other) : .violates
    } else {
      self = .succeeded
    }
  }
}
