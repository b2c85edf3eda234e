package import MartletSQLite

/// What those who follow a database hear of a commit.
///
/// Always true: numbers of one subscription only grow; what cannot be known of a commit's tables is everything.
package struct Commit: Sendable, Equatable {
  /// The commit's number, as in the completions of the requests that it carried out.
  package var sequence: UInt64

  /// The tables that it wrote, with those that triggers and foreign keys wrote for it. More than that if a savepoint of
  /// an interactive transaction was undone, or a statement of one failed; everything if the schema changed, after
  /// VACUUM, and if the subscription came while the transaction was open. Temporary tables are not in it if a server
  /// has the database, because each session may mean another table by such a name.
  package var tables: TableSet

  /// Where the commit's frames lie in the log; nil if nobody asked, or it is not known.
  package var log: LogSpan?

  package init(sequence: UInt64, tables: TableSet, log: LogSpan? = nil) {
    self.sequence = sequence
    self.tables = tables
    self.log = log
  }
}

/// Commits that were not kept, because whoever follows them did not take them in time.
package struct CommitGap: Sendable, Equatable {
  /// The number of the last of these commits.
  package var through: UInt64
  /// All tables that the missed commits wrote.
  package var tables: TableSet
}

/// Why no more commits will be told of.
package enum CommitEnd: Sendable, Equatable {
  /// The database was closed: its holders let go of it, or it was renamed or dropped. Asking for it by its name tells
  /// which.
  case closed
  /// The outcome of a commit is unknown, or the files have gone: what the last commit left is to be read anew when the
  /// database takes writes again.
  case fenced
}

/// What has happened since it was asked last, in this order.
package struct CommitNews: Sendable, Equatable {
  package var gap: CommitGap?
  package var commits: [Commit] = []
  package var end: CommitEnd?

  package init(gap: CommitGap? = nil, commits: [Commit] = [], end: CommitEnd? = nil) {
    self.gap = gap
    self.commits = commits
    self.end = end
  }

  package var isEmpty: Bool { gap == nil && commits.isEmpty && end == nil }
}
