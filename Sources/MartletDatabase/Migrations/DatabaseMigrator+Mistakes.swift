/// What the compiler says of GRDB's spellings of the migrator that are not here.
///
/// Always true: nothing here is available, so nothing calls it.
extension DatabaseMigrator {
  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'try await migrator.migrate(database)'.")
  public func asyncMigrate(_ writer: any DatabaseWriter, completion: @escaping (Result<Database, any Error>) -> Void) {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'foreignKeyChecks: .immediate' in each 'registerMigration'.")
  public func disablingDeferredForeignKeyChecks() -> DatabaseMigrator { self }

  /// Says what to write instead.
  @available(*, unavailable, message: "Keep the migrations as they were released, and register another behind them.")
  public mutating func registerMigration(
    _ identifier: String, merging mergedIdentifiers: Set<String>,
    migrate: @escaping (Database, Set<String>) throws -> Void
  ) {}
}
