package import MartletSQLite

/// What the transaction that is open on a connection has written so far.
///
/// Always true: it holds no more than was run since the last commit or rollback. What a member wrote (one of several
/// writes that share a transaction) goes when the member is undone; what a program's savepoint undid stays.
package struct WriteTracker {
  private var written = TableSet()
  /// What the running member has written; nil if no member runs.
  private var member: TableSet?

  package init() {}

  package var isEmpty: Bool { written.isEmpty && member?.isEmpty ?? true }

  /// A statement begins, or turned out to touch more than was known.
  package mutating func statementWrote(to tables: TableSet) {
    if member == nil { written.formUnion(tables) } else { member?.formUnion(tables) }
  }

  /// A member begins. What it writes can be undone alone.
  package mutating func memberBegan() {
    memberKept()
    member = TableSet()
  }

  package mutating func memberKept() {
    if let member { written.formUnion(member) }
    member = nil
  }

  package mutating func memberUndone() { member = nil }

  /// What was written is visible to readers now: the tables to tell of.
  package mutating func committed() -> TableSet {
    memberKept()
    defer { written = TableSet() }
    return written
  }

  /// The transaction was rolled back, so it has written nothing.
  package mutating func rolledBack() {
    member = nil
    if !written.isEmpty { written = TableSet() }
  }
}
