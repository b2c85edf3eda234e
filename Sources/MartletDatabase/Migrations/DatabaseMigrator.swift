import MartletAST
import MartletQuery
import MartletSQLite
import MartletValues

/// Steps that bring a database's schema up to date, each once.
///
/// Always true: migrations run in the order in which they were registered, each once and in a transaction of its own,
/// which also records that it ran.
public struct DatabaseMigrator: Sendable {
  /// When a migration's changes to rows that others point to are checked.
  public enum ForeignKeyChecks: Sendable {
    /// At the end of the migration; until then tables may be made anew and rows moved. At a server, as `immediate`.
    case deferred
    /// By every statement.
    case immediate
  }

  private struct Migration: Sendable {
    var identifier: String
    var foreignKeyChecks: ForeignKeyChecks
    var migrate: @Sendable (Database) throws -> Void
  }

  private var migrations: [Migration] = []

  /// No migration yet; register them in their order.
  public init() {}

  /// The identifiers, in their order.
  public var identifiers: [String] { migrations.map(\.identifier) }

  /// Adds a migration. Never change one that has been released: add another.
  public mutating func registerMigration(
    _ identifier: String, foreignKeyChecks: ForeignKeyChecks = .deferred,
    migrate: @escaping @Sendable (Database) throws -> Void
  ) {
    precondition(!migrations.contains { $0.identifier == identifier }, "The migration is registered already.")
    migrations.append(
      Migration(identifier: identifier, foreignKeyChecks: foreignKeyChecks, migrate: migrate))
  }

  // MARK: - Running

  /// Runs the migrations that have not run yet, each in a transaction of its own. Throws what one throws; those before
  /// it have run then, it and those behind it have not.
  public func migrate(_ writer: some DatabaseWriter) throws { try migrate(writer, upTo: nil) }

  /// Runs the migrations that have not run yet, up to and with one. Throws `RequestError` where none is registered
  /// under the name.
  public func migrate(_ writer: some DatabaseWriter, upTo last: String) throws {
    try migrate(writer, upTo: Optional(last))
  }

  /// The same on a thread that may block.
  public func migrate(_ writer: some DatabaseWriter) async throws {
    try await ClosureThreads.offload { try self.migrate(writer, upTo: nil) }
  }

  private func migrate(_ writer: some DatabaseWriter, upTo last: String?) throws {
    if let last, !migrations.contains(where: { $0.identifier == last }) {
      throw RequestError(.invalidArgument, .notAllowed, "No migration is registered as \(last). Register it first.")
    }
    for migration in migrations {
      try run(migration, on: writer)
      if migration.identifier == last { return }
    }
  }

  private func run(_ migration: Migration, on writer: some DatabaseWriter) throws {
    func apply(_ db: Database) throws {
      try db.openHome().run(SerializedStatement(AppliedMigration.creation))
      guard try !appliedIdentifiers(db).contains(migration.identifier) else { return }
      try migration.migrate(db)
      try AppliedMigration.insert { AppliedMigration(identifier: migration.identifier) }.execute(db)
    }
    // Most programs start with nothing to do, and reading that takes no lock.
    if try writer.read({ try AppliedMigration.isRecorded($0) && appliedIdentifiers($0).contains(migration.identifier) })
    {
      return
    }
    guard migration.foreignKeyChecks == .deferred else { return try writer.write(apply) }
    try writer.writeWithoutTransaction { db in
      try db.openHome().inMigration { try apply(db) }
    }
  }

  // MARK: - Asking

  /// The identifiers that ran on the database, of any version of the program.
  public func appliedIdentifiers(_ db: Database) throws -> Set<String> {
    guard try AppliedMigration.isRecorded(db) else { return [] }
    return Set(try AppliedMigration.select(\.identifier).fetchAll(db))
  }

  /// Whether one of its migrations ran.
  public func hasBeenMigrated(_ db: Database, _ identifier: String) throws -> Bool {
    try appliedIdentifiers(db).contains(identifier)
  }

  /// Whether all of its migrations ran.
  public func hasBeenMigrated(_ db: Database) throws -> Bool {
    try Set(migrations.map(\.identifier)).isSubset(of: appliedIdentifiers(db))
  }

  /// Whether every registered migration has run, as `hasBeenMigrated`.
  public func hasCompletedMigrations(_ db: Database) throws -> Bool { try hasBeenMigrated(db) }

  /// Whether a later version of the program was here: migrations ran that it does not know.
  public func hasBeenSuperseded(_ db: Database) throws -> Bool {
    try !appliedIdentifiers(db).isSubset(of: migrations.map(\.identifier))
  }
}

/// A migration that ran, as the database remembers it.
struct AppliedMigration: Table {
  var identifier: String

  static let tableName = "martlet_migrations"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = AppliedMigration
    var identifier: TableColumn<AppliedMigration, String> { TableColumn("identifier") }
    static let allColumns = [ColumnDescription("identifier", String.self)]
  }

  var columnFragments: [QueryFragment] { String.fragments(of: identifier) }

  static let creation = ASTStatement.createTable(
    tableName, [.column("identifier", "TEXT", .notNull, .primaryKey())]
  ) {
    $0.ifNotExists = true
  }

  /// Whether the table is there yet.
  static func isRecorded(_ db: Database) throws -> Bool {
    let found = SerializedStatement(
      .select {
        var column = ASTResultColumn()
        column.expression = .literal(Int64(1))
        $0.columns = [column]
        $0.from = .table("sqlite_master")
        $0.where = .call(.equal, .column("name"), .parameter(1))
      }, parameters: [.text(tableName)])
    return try !db.fetch(SingleRow<Int>.self, found, limit: 1).isEmpty
  }
}

extension AppliedMigration {
  init(decoder: inout some QueryDecoder) throws { identifier = try decoder.value(String.self) }
}
