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

  /// A statement, and what it was compiled for.
  struct Compiled {
    let statement: Statement
    var schema: Schema
  }

  /// What is looked at again where SQLite compiles a statement anew.
  struct Schema {
    var version: String
    /// Ordinary tables, in lower case, that the statement would ask in full text if they were virtual.
    let ordinaryTables: Set<String>
  }

  func compile(_ plan: Plan) throws(SQLiteError) -> Compiled {
    let (version, schema) = try currentSchema()
    let read = try conditions(of: plan)
    do throws(SQLiteError) {
      let (statement, ordinaryTables) = try compile(plan, reading: read, schema)
      return Compiled(statement: statement, schema: Schema(version: version, ordinaryTables: ordinaryTables))
    } catch {
      // The conditions fitted their tables a moment ago; if they do not any more, SQLite's words may be theirs.
      guard Self.isOfStatement(error), try connection.schemaVersion() != version else { throw error }
      throw .schemaChanged
    }
  }

  private func compile(
    _ plan: Plan, reading read: ReadColumns, _ schema: SchemaDeeds
  ) throws(SQLiteError) -> (statement: Statement, ordinaryTables: Set<String>) {
    guard let reach = plan.reach(conditions: read, schema: schema) else {
      return (try connection.prepare(plan.sql), [])
    }
    let statement = try connection.prepare(plan.sql, within: reach)
    if plan.isGuarded { return (statement, []) }
    guard statement.fullTextTables.contains(where: schema.isVirtual) else {
      return (statement, statement.fullTextTables)
    }
    // What it asks a full-text table may be no question to one, and fails where it is asked.
    guard let guarded = plan.guardedSQL(limits) else {
      throw SQLiteError(extendedCode: SQLiteCode.tooBig, message: "The statement is too long under its rules.")
    }
    return (try connection.prepare(guarded, within: reach), [])
  }

  /// Looks again at what no authorizer sees, where SQLite has compiled the statement anew: whether conditions still
  /// mean their own table's columns, and tables are still asked as they were. Gives the version of the schema that this
  /// holds for.
  func check(_ plan: Plan, compiledFor schema: Schema) throws(SQLiteError) -> String {
    let version = try connection.schemaVersion()
    // SQLite compiles anew for the values of some parameters, too.
    guard version != schema.version else { return version }
    _ = try conditions(of: plan)
    if !schema.ordinaryTables.isEmpty {
      let (_, deeds) = try currentSchema()
      // It has to be written in another way now.
      if schema.ordinaryTables.contains(where: deeds.isVirtual) { throw .schemaChanged }
    }
    return version
  }

  // MARK: - The operator's conditions

  /// What they read. Throws where they do not fit their tables: inside of a statement a name that the table lacks could
  /// be one of the statement's.
  private func conditions(of plan: Plan) throws(SQLiteError) -> ReadColumns {
    var read = ReadColumns()
    var isTableMissing = false
    for trial in plan.trials {
      do throws(SQLiteError) {
        read.formUnion(try connection.reads(of: trial))
      } catch {
        try checkMissing(plan.rules?.table(ofTrial: trial), error)
        isTableMissing = true
      }
    }
    for table in plan.lookups {
      do throws(SQLiteError) {
        read.formUnion(try connection.reads(of: TableRule.numberTrial(of: table)))
      } catch {
        // The statement itself says of that only that it lacks a column.
        if error.message.hasPrefix("no such column") { throw .numberless }
        try checkMissing(table, error)
        isTableMissing = true
      }
      if try hasColumn(calledAsNumberIn: table) { throw .misfit }
    }
    guard isTableMissing else { return read }
    // SQLite looks for the table before it reads the conditions on it, and those on tables that are there fit them: so
    // its words hold nothing of a condition.
    _ = try connection.prepare(plan.sql)
    throw .misfit
  }

  /// A trial has failed. Throws unless that is because its table is not there: any other words may be the operator's.
  private func checkMissing(_ table: String?, _ error: SQLiteError) throws(SQLiteError) {
    guard Self.isOfStatement(error) else { throw error }
    guard let table, try !isThere(table) else { throw .misfit }
  }

  /// A view that cannot be read is there, too.
  private func isThere(_ table: String) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      return try !connection.columnNames(of: table).isEmpty
    } catch {
      guard Self.isOfStatement(error) else { throw error }
      return true
    }
  }

  private static func isOfStatement(_ error: SQLiteError) -> Bool {
    [SQLiteCode.error, SQLiteCode.authorization].contains(error.code)
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
  /// All that a client is told where a condition does not compile: none of SQLite's words, which may be the operator's.
  static let misfit = SQLiteError(
    extendedCode: SQLiteCode.authorization,
    message: "The server's rules for a table do not fit it: its operator has to correct them")

  fileprivate static let schemaChanged = SQLiteError(
    extendedCode: SQLiteCode.schema, message: "The schema has changed.")

  fileprivate static let numberless = SQLiteError(
    extendedCode: SQLiteCode.rowsNumberless,
    message: "The table's rows have no numbers.")
}
