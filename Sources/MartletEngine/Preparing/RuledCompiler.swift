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

  /// What is looked at again when SQLite compiles a statement anew.
  struct Schema {
    var version: String
    /// Ordinary tables, in lower case, that the statement would ask in full text if they were virtual.
    let ordinaryTables: Set<String>
    /// The statement queries a full-text index.
    var searches = false
  }

  func compile(_ plan: Plan) throws(SQLiteError) -> Compiled {
    let (version, schema) = try currentSchema()
    let read = try conditions(of: plan)
    do throws(SQLiteError) {
      guard let reach = plan.reach(conditions: read, schema: schema) else {
        return Compiled(
          statement: try connection.prepare(plan.sql), schema: Schema(version: version, ordinaryTables: []))
      }
      return try compile(plan, within: reach, schema, version)
    } catch {
      // The conditions fitted their tables a moment ago; if they do not any more, SQLite's words may quote them.
      guard Self.isOfStatement(error), try connection.schemaVersion() != version else { throw error }
      throw .schemaChanged
    }
  }

  private func compile(
    _ plan: Plan, within reach: StatementReach, _ schema: SchemaDeeds, _ version: String
  ) throws(SQLiteError) -> Compiled {
    let statement = try connection.prepare(plan.sql, within: reach)
    try checkIndexes(of: plan, schema)
    let asked = statement.fullTextTables.contains(where: schema.isVirtual)
    let searches = asked || plan.treeReach.searches
    let sealed = searches ? try sealedTables(of: plan, statement.tablesOfViews, schema) : []
    let isGuarded = asked || plan.isGuarded
    let kept = Schema(
      version: version, ordinaryTables: isGuarded ? [] : statement.fullTextTables,
      searches: searches || !plan.treeReach.askedIndexes.isEmpty)
    if isGuarded == plan.isGuarded, sealed.isEmpty { return Compiled(statement: statement, schema: kept) }
    // What the statement asks a full-text table may not be a query for one; it fails when it is evaluated.
    guard let sql = plan.sql(isGuarded: isGuarded, sealing: sealed, limits) else {
      throw SQLiteError(extendedCode: SQLiteCode.tooBig, message: "The statement is too long under its rules.")
    }
    return Compiled(statement: try connection.prepare(sql, within: reach), schema: kept)
  }

  // MARK: - Full-text indexes

  /// Tables that must not be searched from around them. A full-text table answers what it is asked of one column from
  /// all of its columns: FTS4 takes `title MATCH 'secret: …'`, and FTS5 gives for `rank` what the statement wants, such
  /// as `highlight(1, '', '')`. So a table with hidden columns is not searched, nor one that stands behind a view.
  private func sealedTables(
    of plan: Plan, _ tablesOfViews: Set<String>, _ schema: SchemaDeeds
  ) throws(SQLiteError) -> Set<String> {
    let hasSearchedView = tablesOfViews.contains(where: schema.isVirtual)
    let sealed = plan.treeReach.tables.filter { table in
      if schema.isVirtual(table) { return plan.rules?.tables[table]?.readColumns != nil }
      return hasSearchedView && schema.isView(table)
    }
    // The table that a statement writes to cannot be replaced by a subquery.
    guard sealed.isDisjoint(with: plan.treeReach.targets) else { throw .unsearchable }
    return sealed
  }

  /// A function of a full-text index would take a column's value for the number of an index. So only the full-text
  /// table itself may have a column with the index's name. That counts for functions that are read as tables too
  /// (`value` of `json_each`).
  private func checkIndexes(of plan: Plan, _ schema: SchemaDeeds) throws(SQLiteError) {
    for index in plan.treeReach.askedIndexes {
      let sources = plan.treeReach.tables.union(plan.treeReach.functions)
      for table in sources where table != index || !schema.isVirtual(table) {
        if try connection.columnNames(of: table).contains(index) { throw .unsearchable }
      }
    }
  }

  /// Looks again at what no authorizer sees, if SQLite has compiled the statement anew: whether conditions still mean
  /// their own table's columns, and tables are still queried as they were. Returns the version of the schema that this
  /// holds for.
  func check(_ plan: Plan, compiledFor schema: Schema) throws(SQLiteError) -> String {
    let version = try connection.schemaVersion()
    // SQLite compiles anew for the values of some parameters, too.
    guard version != schema.version else { return version }
    _ = try conditions(of: plan)
    let (_, deeds) = try currentSchema()
    // The SQL may have to be written in another way now.
    if schema.searches || schema.ordinaryTables.contains(where: deeds.isVirtual) { throw .schemaChanged }
    if deeds.hasVirtualTables, plan.treeReach.tables.contains(where: deeds.isView) { throw .schemaChanged }
    return version
  }

  // MARK: - The operator's conditions

  /// The columns that the conditions read. Throws if the conditions do not fit their tables: inside of a statement a
  /// name that the table lacks could be one of the statement's.
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
        // The statement itself would only fail with the words that a column is missing.
        if case .column? = error.missing { throw .numberless }
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
  fileprivate static let unsearchable = SQLiteError(
    extendedCode: SQLiteCode.authorization,
    message: "A full-text table is searched here of which its client may not read everything. Search another table, or "
      + "ask the server's operator")

  fileprivate static let schemaChanged = SQLiteError(
    extendedCode: SQLiteCode.schema, message: "The schema has changed.")

  fileprivate static let numberless = SQLiteError(
    extendedCode: SQLiteCode.rowsNumberless,
    message: "The table's rows have no numbers.")
}
