import MartletAST
import MartletQuery
import MartletSQLite
import MartletValues

/// Steps that bring a database's schema up to date, each once.
///
/// Always true: migrations run in the order in which they were registered, each once and in a transaction of its own,
/// which also records that it ran. If GRDB recorded migrations of the database, its record is the one that counts
/// and that is kept.
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

  /// For development: if the schema is not what the registered migrations make, or one ran that is not registered
  /// any more, everything in the database is deleted before they run. Never set it in a program that is released.
  ///
  /// Only for a database of this process; `migrate` throws if it is set and the database is at a server. A database in
  /// which GRDB recorded migrations is never erased: `migrate` throws if its tables, columns, indexes or foreign keys
  /// differ. Other words in its SQL do not count.
  public var eraseDatabaseOnSchemaChange = false

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

  /// Runs the migrations that have not run yet, up to and with one. Throws `RequestError` if none is registered
  /// under the name.
  public func migrate(_ writer: some DatabaseWriter, upTo last: String) throws {
    try migrate(writer, upTo: Optional(last))
  }

  /// The same on a thread that may block. Cancelling the task undoes the migration that runs, and throws
  /// `CancellationError`.
  public func migrate(_ writer: some DatabaseWriter) async throws {
    if eraseDatabaseOnSchemaChange {
      try await ClosureThreads.offload { if try mustBeErased(writer) { try writer.erase() } }
    }
    for migration in migrations { try await run(migration, on: writer) }
  }

  private func migrate(_ writer: some DatabaseWriter, upTo last: String?) throws {
    if let last, !migrations.contains(where: { $0.identifier == last }) {
      throw RequestError.noMigration(last)
    }
    if eraseDatabaseOnSchemaChange, try mustBeErased(writer) { try writer.erase() }
    for migration in migrations {
      try run(migration, on: writer)
      if migration.identifier == last { return }
    }
  }

  private func run(_ migration: Migration, on writer: some DatabaseWriter) throws {
    // Most programs start with nothing to do, and reading that takes no lock.
    if try writer.read({ try hasBeenMigrated($0, migration.identifier) }) { return }
    guard migration.foreignKeyChecks == .deferred else { return try writer.write { try apply(migration, $0) } }
    try writer.writeWithoutTransaction { db in
      try db.openHome().inMigration { try apply(migration, db) }
    }
  }

  /// The same for a task, which can be cancelled.
  private func run(_ migration: Migration, on writer: some DatabaseWriter) async throws {
    if try await writer.read({ try hasBeenMigrated($0, migration.identifier) }) { return }
    guard migration.foreignKeyChecks == .deferred else { return try await writer.write { try apply(migration, $0) } }
    try await writer.writeWithoutTransaction { db in
      try db.openHome().inMigration { try apply(migration, db) }
    }
  }

  private func apply(_ migration: Migration, _ db: Database) throws {
    guard try !hasBeenMigrated(db, migration.identifier) else { return }
    try MigrationRecord.prepare(db)
    try migration.migrate(db)
    try MigrationRecord.add(migration.identifier, db)
  }

  /// Whether the schema differs. Throws if it does and GRDB recorded migrations of it: such a file has rows that the
  /// first start of another program must not delete.
  private func mustBeErased(_ writer: some DatabaseWriter) throws -> Bool {
    guard let local = writer as? any LocalDatabase else {
      throw RequestError.erasedByMigratorWhereItIsServed
    }
    guard try isOutdated(local) else { return false }
    guard try !local.read(MigrationRecord.isOfGRDB) else {
      throw RequestError.erasedAfterGRDB
    }
    return true
  }

  /// Whether the schema differs from the one that the same migrations make in an empty database.
  private func isOutdated(_ local: any LocalDatabase) throws -> Bool {
    let applied = try local.read(appliedIdentifiers)
    guard let last = identifiers.last(where: applied.contains) else { return !applied.isEmpty }
    guard applied.isSubset(of: identifiers) else { return true }
    var migrator = self
    migrator.eraseDatabaseOnSchemaChange = false
    let model = try local.emptyTwin()
    try migrator.migrate(model, upTo: last)
    if try local.read(SchemaObject.all) == model.read(SchemaObject.all) { return false }
    // GRDB has other words for the same tables.
    guard try local.read(MigrationRecord.isOfGRDB) else { return true }
    return try local.read(SchemaForm.all) != model.read(SchemaForm.all)
  }

  // MARK: - Asking

  /// The identifiers that ran on the database, of any version of the program.
  public func appliedIdentifiers(_ db: Database) throws -> Set<String> {
    try MigrationRecord.identifiers(db)
  }

  /// Whether that migration of the migrator ran.
  public func hasBeenMigrated(_ db: Database, _ identifier: String) throws -> Bool {
    try appliedIdentifiers(db).contains(identifier)
  }

  /// Whether all migrations of the migrator ran.
  public func hasBeenMigrated(_ db: Database) throws -> Bool {
    try Set(migrations.map(\.identifier)).isSubset(of: appliedIdentifiers(db))
  }

  /// Whether every registered migration has run, as `hasBeenMigrated`.
  public func hasCompletedMigrations(_ db: Database) throws -> Bool { try hasBeenMigrated(db) }

  /// The registered identifiers that ran, in their order.
  public func appliedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return identifiers.filter(applied.contains)
  }

  /// The registered identifiers that ran, in their order, up to the first one that did not.
  public func completedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return Array(identifiers.prefix(while: applied.contains))
  }

  /// Whether a later version of the program was here: migrations ran that it does not know.
  public func hasBeenSuperseded(_ db: Database) throws -> Bool {
    try !appliedIdentifiers(db).isSubset(of: migrations.map(\.identifier))
  }
}
