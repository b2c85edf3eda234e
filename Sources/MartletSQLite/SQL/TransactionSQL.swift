/// The SQL that begins and ends transactions and savepoints, whoever runs it.
///
/// Always true: constants and numbers; a program's savepoint is named by its number, so nothing of a program's gets in.
package enum TransactionSQL {
  /// The transaction takes its snapshot, or the right to write, with its first statement.
  package static let begin = "BEGIN"
  /// Takes the right to write at once.
  package static let beginImmediate = "BEGIN IMMEDIATE"
  package static let commit = "COMMIT"
  package static let rollBack = "ROLLBACK"
  /// A read of the file's first page: what makes a transaction take its snapshot.
  package static let touch = "PRAGMA schema_version"

  /// A savepoint, whose name no program chooses.
  package enum Savepoint: Hashable, Sendable {
    /// Around one member of a group, or what is undone as a whole within an interactive transaction.
    case member
    /// A program's own.
    case numbered(UInt32)

    private var name: String {
      switch self {
      case .member: "\"martlet member\""
      case .numbered(let number): "\"martlet \(number)\""
      }
    }

    package var set: String { "SAVEPOINT \(name)" }
    package var release: String { "RELEASE \(name)" }
    package var rollBackTo: String { "ROLLBACK TO \(name)" }
  }
}
