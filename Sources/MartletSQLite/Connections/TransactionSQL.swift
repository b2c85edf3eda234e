/// The SQL that begins and ends transactions and savepoints, whoever runs it.
///
/// Always true: constants and numbers; a program's savepoint is named by its number, so nothing of a program's gets in.
public enum TransactionSQL {
  /// Takes its snapshot, or the right to write, with its first statement.
  public static let begin = "BEGIN"
  /// Takes the right to write at once.
  public static let beginImmediate = "BEGIN IMMEDIATE"
  public static let commit = "COMMIT"
  public static let rollBack = "ROLLBACK"
  /// A read of the file's first page: what makes a transaction take its snapshot.
  public static let touch = "PRAGMA schema_version"

  public enum Savepoint: Hashable, Sendable {
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

    public var set: String { "SAVEPOINT \(name)" }
    public var release: String { "RELEASE \(name)" }
    public var rollBackTo: String { "ROLLBACK TO \(name)" }
  }
}
