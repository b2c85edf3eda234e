/// The SQL of the writer's own: transactions and savepoints.
///
/// Always true: nothing here is made of a program's text; a program's savepoint is named by its number.
enum WriteSQL {
  static let begin = "BEGIN IMMEDIATE"
  static let commit = "COMMIT"
  static let rollBack = "ROLLBACK"

  /// The savepoint around one member of a group, or around a batch within an interactive transaction.
  static let setMember = "SAVEPOINT \"martlet member\""
  static let releaseMember = "RELEASE \"martlet member\""
  static let rollBackToMember = "ROLLBACK TO \"martlet member\""

  static func savepoint(_ action: SavepointAction, number: UInt32) -> String {
    switch action {
    case .set: "SAVEPOINT \"s\(number)\""
    case .release: "RELEASE \"s\(number)\""
    case .rollBackTo: "ROLLBACK TO \"s\(number)\""
    }
  }
}
