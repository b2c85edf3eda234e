import MartletEngine
public import MartletSQLite
public import MartletValues

/// The rows of one running statement of an embedded database.
///
/// Always true: once it has ended (the last row, an error, `finish`) the statement is reset and it never touches it
/// again, since others may use it then.
@usableFromInline
final class EmbeddedRows {
  @usableFromInline let statement: MartletSQLite.Statement
  @usableFromInline let row: StatementRow
  // Both are read for each row. Each access is a single load or store and never spans a call, so none overlap.
  @exclusivity(unchecked) @usableFromInline var isOver = false
  /// The first row was found when the statement was opened.
  @exclusivity(unchecked) @usableFromInline var hasPendingRow = false

  private let prepared: PreparedPlan
  private let owner: any RowsOwner

  init(_ prepared: PreparedPlan, owner: any RowsOwner) {
    self.prepared = prepared
    self.owner = owner
    statement = prepared.statement
    row = StatementRow(prepared.statement)
  }

  /// Goes to the next row; false after the last.
  @inlinable
  func step() throws -> Bool {
    if hasPendingRow {
      hasPendingRow = false
      return !isOver
    }
    if isOver { return false }
    do throws(SQLiteError) {
      if try statement.step() { return true }
    } catch {
      throw failed(error)
    }
    finish()
    return false
  }

  @usableFromInline
  func failed(_ error: SQLiteError) -> any Error {
    let explained = owner.explain(error, of: prepared.plan)
    finish()
    return explained
  }

  /// What SQLite says of the result's columns.
  @usableFromInline var resultColumns: [ResultColumns.Column] {
    statement.columnMetadata().map { column in
      ResultColumns.Column(
        name: column.name, declaredType: column.declaredType, database: column.database, table: column.table,
        origin: column.origin)
    }
  }

  /// The statement is at its first row, and may stay open.
  func started() {
    prepared.refreshColumns()
    owner.started(statement)
  }

  @usableFromInline
  func finish() {
    guard !isOver else { return }
    isOver = true
    prepared.finish()
    owner.ended(statement)
  }
}

/// The connection that rows come from, which hears of what happens to their statement.
protocol RowsOwner: AnyObject {
  /// What a program is told of an error of SQLite's.
  func explain(_ error: SQLiteError, of plan: Plan?) -> any Error
  /// The statement was stepped for the first time, and may stay open.
  func started(_ statement: MartletSQLite.Statement)
  /// The statement ended, and with it perhaps a transaction.
  func ended(_ statement: MartletSQLite.Statement)
}
