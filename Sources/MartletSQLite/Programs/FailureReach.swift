import CSQLite

/// How far the failure of a statement reaches if a row does not fulfil a constraint.
///
/// Always true: of `.statement` it is certain that SQLite undoes all that the statement did, keeps what the transaction
/// did before, and leaves nothing to be found at the commit.
package enum FailureReach {
  case statement
  /// It may keep a part of the statement, end the transaction, or fail at the commit.
  case beyond

  /// As the statement's program and those of its triggers tell.
  init(of program: [Instruction]) {
    self = program.allSatisfy(Self.staysWithin) ? .statement : .beyond
  }

  private static func staysWithin(_ instruction: Instruction) -> Bool {
    switch instruction.name {
    // Its second operand says what becomes of what was done: `OR FAIL` keeps it, `OR ROLLBACK` takes the transaction.
    case "Halt", "HaltIfNull": instruction.first == SQLITE_OK || instruction.second == Resolution.abort.rawValue
    // With such an operand it counts for the commit.
    case "FkCounter": instruction.first == 0
    case "AutoCommit", "Savepoint", "ParseSchema", "Destroy", "DropTable", "DropIndex", "DropTrigger", "SetCookie",
      "Vacuum", "JournalMode", "Checkpoint", "VBegin", "VCreate", "VDestroy", "VUpdate", "VRename":
      false
    default: true
    }
  }

  /// What becomes of what was done, as programs have it.
  private enum Resolution: Int { case none, rollback, abort, fail, ignore }

  /// Whether SQLite reports with this code that a row does not fulfil a constraint, having undone what the statement
  /// did. Of other errors that is not certain: a statement that fails for another reason may keep its first rows.
  package static func isOfConstraint(_ extendedCode: Int32) -> Bool {
    switch extendedCode {
    case SQLiteCode.constraintCheck, SQLiteCode.constraintForeignKey, SQLiteCode.constraintNotNull,
      SQLiteCode.constraintPrimaryKey, SQLiteCode.constraintRowID, SQLiteCode.constraintTrigger,
      SQLiteCode.constraintUnique:
      true
    default: false
    }
  }
}
