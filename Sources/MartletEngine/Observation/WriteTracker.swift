/// What the transaction that is open on a connection has written so far.
///
/// Always true: it holds no more than was run since the last commit or rollback; what a savepoint undid stays in it.
package import MartletSQLite

package struct WriteTracker {
  private var written = TableSet()

  package init() {}

  package var isEmpty: Bool { written.isEmpty }

  /// A statement begins, or turned out to touch more than was known.
  package mutating func statementWrote(to tables: TableSet) { written.formUnion(tables) }

  /// What was written is visible to readers now: the tables to tell of.
  package mutating func committed() -> TableSet {
    defer { written = TableSet() }
    return written
  }

  /// Nothing of it came to be.
  package mutating func rolledBack() {
    if !written.isEmpty { written = TableSet() }
  }
}
