/// What was compiled since a statement began, by the program or by SQLite itself.
extension Connection {
  /// What was compiled since `accessMoment`: by the program, or by SQLite itself while a statement ran.
  package var accessSince: TableAccess { authorizer.access }

  /// The beginning of the statement that was compiled, or begun, last.
  package var accessMoment: UInt64 { authorizer.accessMoment }

  /// A statement is about to run; returns the moment.
  package func forgetAccess() -> UInt64 {
    authorizer.forgetAccess()
    return authorizer.accessMoment
  }
}

extension Statement {
  /// Called after the first step, or the last: looks whether SQLite compiled the statement anew by itself, because the
  /// schema had changed. If so, `access` gets what was compiled then. If another statement has begun since `moment`,
  /// when this one began, nobody can tell what belongs to which, and `access` becomes everything.
  package func noteRecompilation(since moment: UInt64) {
    let compilations = reprepareCount
    guard compilations != seenCompilations else { return }
    seenCompilations = compilations
    let isCertain = moment == connection.authorizer.accessMoment
    let added = isCertain ? connection.authorizer.access : .unknown
    access.formUnion(added.completed(isReadOnly: isReadOnly))
    accessVersion &+= 1
  }
}
