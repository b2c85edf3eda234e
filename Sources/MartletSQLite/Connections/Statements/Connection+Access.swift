/// What was compiled since a statement began, by the program or by SQLite itself.
extension Connection {
  /// What was compiled since `accessMoment`: by the program, or by SQLite itself while a statement ran.
  package var accessSince: TableAccess { authorizer.access }

  /// The beginning of the statement that was compiled, or begun, last.
  package var accessMoment: UInt64 { authorizer.accessMoment }

  /// A statement is about to run; gives the moment.
  package func forgetAccess() -> UInt64 {
    authorizer.forgetAccess()
    return authorizer.accessMoment
  }
}

extension Statement {
  /// After its first step, or its last: looks whether SQLite compiled it anew by itself, because the schema had
  /// changed. Its `access` knows then what came with that; where another statement has begun since `moment`, at which
  /// this one did, nobody can tell whose that was, and it is everything.
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
