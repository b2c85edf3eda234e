import MartletAST
import MartletSQLite
import MartletValues

/// Compiles plans under rules for tables: the operator's conditions alone first, then the statement, within what it may
/// touch.
///
/// Always true: used where its connection is. What it knows of the schema is of the version that it read last.
final class RuledCompiler {
  private let connection: Connection
  private let limits: Limits
  private var schema: (version: String, deeds: SchemaDeeds)?

  init(connection: Connection, limits: Limits) {
    self.connection = connection
    self.limits = limits
  }

  /// The statement, and the version of the schema that it was compiled for.
  func compile(_ plan: Plan) throws(SQLiteError) -> (statement: Statement, version: String) {
    let (version, schema) = try currentSchema()
    guard let reach = plan.reach(conditions: try conditions(of: plan), schema: schema) else {
      return (try connection.prepare(plan.sql), version)
    }
    let statement = try connection.prepare(plan.sql, within: reach)
    guard !plan.isGuarded, statement.fullTextTables.contains(where: schema.isVirtual) else {
      return (statement, version)
    }
    // What it asks a full-text table may be no question to one, and fails where it is asked.
    guard let guarded = plan.guardedSQL(limits) else {
      throw SQLiteError(extendedCode: SQLiteCode.tooBig, message: "The statement is too long under its rules.")
    }
    return (try connection.prepare(guarded, within: reach), version)
  }

  /// Looks again at what no authorizer sees, where SQLite has compiled the statement anew: whether conditions still
  /// mean their own table's columns. Gives the version of the schema that this holds for.
  func check(_ plan: Plan, compiledFor version: String) throws(SQLiteError) -> String {
    let now = try connection.schemaVersion()
    // SQLite compiles anew for the values of some parameters, too.
    if now != version { _ = try conditions(of: plan) }
    return now
  }

  // MARK: - The operator's conditions

  /// What they read. Throws where they do not fit their tables: inside of a statement a name that the table lacks could
  /// be one of the statement's.
  private func conditions(of plan: Plan) throws(SQLiteError) -> ReadColumns {
    var read = ReadColumns()
    for trial in plan.trials {
      do throws(SQLiteError) {
        read.formUnion(try connection.reads(of: trial))
      } catch {
        throw try refusal(error, plan, .misfit)
      }
    }
    for table in plan.lookups {
      do throws(SQLiteError) {
        read.formUnion(try connection.reads(of: TableRule.numberTrial(of: table)))
      } catch {
        // The statement itself says of that only that it lacks a column.
        throw try error.message.hasPrefix("no such column") ? .numberless : refusal(error, plan, .misfit)
      }
      if try hasColumn(calledAsNumberIn: table) { throw .misfit }
    }
    return read
  }

  /// What the statement itself does not compile for comes before that.
  private func refusal(
    _ error: SQLiteError, _ plan: Plan, _ refusal: SQLiteError
  ) throws(SQLiteError) -> SQLiteError {
    guard [SQLiteCode.error, SQLiteCode.authorization].contains(error.code) else { return error }
    _ = try connection.prepare(plan.sql)
    return refusal
  }

  private func hasColumn(calledAsNumberIn table: String) throws(SQLiteError) -> Bool {
    try connection.columnNames(of: table).contains { RuledFunctions.rowNumbers.contains($0) }
  }

  private func currentSchema() throws(SQLiteError) -> (version: String, deeds: SchemaDeeds) {
    let version = try connection.schemaVersion()
    if let schema, schema.version == version { return schema }
    let read = (version, try SchemaDeeds(on: connection))
    schema = read
    return read
  }
}

extension SQLiteError {
  fileprivate static let misfit = SQLiteError(
    extendedCode: SQLiteCode.authorization,
    message: "The server's rules for a table do not fit it: its operator has to correct them")

  fileprivate static let numberless = SQLiteError(
    extendedCode: SQLiteCode.rowsNumberless,
    message: "The table's rows have no numbers.")
}
