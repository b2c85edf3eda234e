public import MartletDatabase

/// The program's database as a dependency: what `@FetchAll` and its like use unless another is named.
///
/// Always true: if none was prepared, every use throws an error that says how to do that.
extension DependencyValues {
  /// The program's database. Prepare it once, at the start: `prepareDependencies { $0.defaultDatabase = database }`.
  public var defaultDatabase: any DatabaseWriter {
    get { self[DefaultDatabaseKey.self] }
    set { self[DefaultDatabaseKey.self] = newValue }
  }

  private enum DefaultDatabaseKey: DependencyKey {
    static let liveValue: any DatabaseWriter = MissingDatabase(
      advice: """
        No default database was prepared. Do it before the first use: prepareDependencies { $0.defaultDatabase = … }. \
        A program that declares \\.defaultDatabase itself prepares its own. Take that declaration away.
        """)
  }
}
