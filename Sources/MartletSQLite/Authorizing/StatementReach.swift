import CSQLite

/// What a statement may touch, as its tree says. SQLite's authorizer checks it again whenever SQLite compiles the
/// statement.
///
/// Always true: names are in lower case. What views and triggers touch is their owner's matter and is not asked, and
/// what the schema does in the statement's name (`SchemaDeeds`) is let through. It knows tables and columns, and no
/// rows.
package final class StatementReach: Sendable {
  /// What may be done with one table.
  package struct Table: Sendable, Equatable {
    /// What is done with a table's rows.
    package enum Deed: Sendable { case read, insert, update, delete }

    package var deeds: Set<Deed>
    /// Columns that may be read; nil: all.
    package var readColumns: Set<String>?
    /// Columns that an update may set; nil: all.
    package var writtenColumns: Set<String>?

    package init(deeds: Set<Deed>, readColumns: Set<String>? = nil, writtenColumns: Set<String>? = nil) {
      self.deeds = deeds
      self.readColumns = readColumns
      self.writtenColumns = writtenColumns
    }

    func mayRead(_ column: String) -> Bool { deeds.contains(.read) && readColumns?.contains(column) ?? true }
    func mayUpdate(_ column: String) -> Bool { deeds.contains(.update) && writtenColumns?.contains(column) ?? true }
  }

  let tables: [String: Table]
  /// The statement's common tables: SQLite treats what stands in one like the content of a view.
  let commonTables: Set<String>
  /// Functions that are read as tables.
  let tableFunctions: Set<String>
  /// Functions that the statement may not call.
  let closedFunctions: Set<String>
  /// What the operator's conditions read.
  let conditions: ReadColumns
  let schema: SchemaDeeds

  package init(
    tables: [String: Table], commonTables: Set<String> = [], tableFunctions: Set<String> = [],
    closedFunctions: Set<String> = [], conditions: ReadColumns = ReadColumns(), schema: SchemaDeeds = SchemaDeeds()
  ) {
    self.tables = tables
    self.commonTables = commonTables
    self.tableFunctions = tableFunctions
    self.closedFunctions = closedFunctions
    self.conditions = conditions
    self.schema = schema
  }

  func adding(_ schema: SchemaDeeds) -> StatementReach {
    StatementReach(
      tables: tables, commonTables: commonTables, tableFunctions: tableFunctions, closedFunctions: closedFunctions,
      conditions: conditions, schema: schema)
  }

  /// The tables that the statement may write to.
  var written: Set<String> { Set(tables.filter { $0.value.deeds != [.read] }.keys) }

  /// What SQLite asks about, in words for an error; nil if it is allowed.
  ///
  /// - Parameter inside: the view, the trigger or the common table in which it stands.
  func refusal(
    _ action: Int32, _ first: String, _ second: String, schema database: String, inside: String?
  ) -> String? {
    if let inside, !commonTables.contains(inside) { return nil }
    switch action {
    case SQLITE_READ: return mayRead(first, second, database) ? nil : "read this table or column"
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      return mayWrite(action, first, second, database) ? nil : "write to this table or column"
    case SQLITE_FUNCTION: return closedFunctions.contains(second) ? "call the function \(second)" : nil
    case SQLITE_SELECT, SQLITE_RECURSIVE: return nil
    case SQLITE_PRAGMA: return schema.asksPragma(first) ? nil : "ask pragmas"
    default: return "do this"
    }
  }

  private func mayRead(_ table: String, _ column: String, _ database: String) -> Bool {
    guard database.isEmpty || database == "main" else { return false }
    // If no column of a common table is read, SQLite asks about the table without a column.
    if column.isEmpty, commonTables.contains(table) { return true }
    if let rule = tables[table], column.isEmpty ? rule.deeds.contains(.read) : rule.mayRead(column) { return true }
    return tableFunctions.contains(table) || conditions.contains(table, column) || schema.reads(table, column)
  }

  private func mayWrite(_ action: Int32, _ table: String, _ column: String, _ database: String) -> Bool {
    guard database == "main" else { return false }
    if schema.writes(action, table, column) { return true }
    guard let rule = tables[table] else { return false }
    return switch action {
    case SQLITE_INSERT: rule.deeds.contains(.insert)
    case SQLITE_UPDATE: rule.mayUpdate(column)
    default: rule.deeds.contains(.delete)
    }
  }
}

/// Columns by their tables, in lower case, as SQLite named them when it compiled something.
package struct ReadColumns: Sendable, Equatable {
  private var columns: [String: Set<String>] = [:]

  package init() {}

  package var tables: Set<String> { Set(columns.keys) }

  /// An empty column is the table itself.
  mutating func insert(_ table: String, _ column: String) { columns[table, default: []].insert(column) }

  func contains(_ table: String, _ column: String) -> Bool {
    guard let known = columns[table] else { return false }
    return column.isEmpty || known.contains(column)
  }

  package mutating func formUnion(_ other: ReadColumns) { columns.merge(other.columns) { $0.union($1) } }
}
