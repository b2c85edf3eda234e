import MartletAST
import MartletQuery
import MartletValues

/// Where a database remembers which migrations ran on it: a table of this library's, or the one that GRDB made.
///
/// Always true: what either of them names has run. A database that GRDB migrated before goes on with GRDB's table, so
/// that new programs with this library and old ones with GRDB run each migration once.
enum MigrationRecord {
  /// The tables that are there.
  private static func tables(_ db: Database) throws -> Set<String> {
    let found = SerializedStatement(
      .select(
        ["name"], from: .table("sqlite_master"),
        where: .call(
          .and, .call(.equal, .column("type"), .literal("table")),
          .call(
            .or, .call(.equal, .column("name"), .parameter(1)), .call(.equal, .column("name"), .parameter(2))))),
      parameters: [.text(AppliedMigration<Own>.tableName), .text(AppliedMigration<GRDB>.tableName)])
    return Set(try db.fetch(SingleRow<String>.self, found))
  }

  /// Whether GRDB was here before: its table is there.
  static func isOfGRDB(_ db: Database) throws -> Bool { try tables(db).contains(GRDB.name) }

  static func identifiers(_ db: Database) throws -> Set<String> {
    let tables = try tables(db)
    var identifiers: Set<String> = []
    if tables.contains(GRDB.name) { identifiers.formUnion(try read(GRDB.self, db)) }
    if tables.contains(Own.name) { identifiers.formUnion(try read(Own.self, db)) }
    return identifiers
  }

  private static func read<Record: MigrationTable>(_ record: Record.Type, _ db: Database) throws -> [String] {
    try AppliedMigration<Record>.select(\.identifier).fetchAll(db)
  }

  /// Makes the table if there is none.
  static func prepare(_ db: Database) throws {
    guard try !tables(db).contains(GRDB.name) else { return }
    try db.openHome().run(SerializedStatement(AppliedMigration<Own>.creation))
  }

  /// The migration has run.
  static func add(_ identifier: String, _ db: Database) throws {
    func add<Record: MigrationTable>(to record: Record.Type) throws {
      try AppliedMigration<Record>.insert { AppliedMigration(identifier: identifier) }.execute(db)
    }
    if try tables(db).contains(GRDB.name) { return try add(to: GRDB.self) }
    try add(to: Own.self)
  }

  /// The names of the tables.
  static var names: [String] { [Own.name, GRDB.name] }
}

private protocol MigrationTable: Sendable {
  static var name: String { get }
}

private enum Own: MigrationTable { static var name: String { "martlet_migrations" } }
private enum GRDB: MigrationTable { static var name: String { "grdb_migrations" } }

/// A migration that ran, as the database remembers it.
private struct AppliedMigration<Record: MigrationTable>: Table {
  var identifier: String

  static var tableName: String { Record.name }
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = AppliedMigration
    var identifier: TableColumn<AppliedMigration, String> { TableColumn("identifier") }
    static var allColumns: [ColumnDescription] { [ColumnDescription("identifier", String.self)] }
  }

  var columnFragments: [QueryFragment] { String.fragments(of: identifier) }

  static var creation: ASTStatement {
    .createTable(tableName, [.column("identifier", "TEXT", .notNull, .primaryKey())]) { $0.ifNotExists = true }
  }
}

extension AppliedMigration {
  init(decoder: inout some QueryDecoder) throws { identifier = try decoder.value(String.self) }
}
