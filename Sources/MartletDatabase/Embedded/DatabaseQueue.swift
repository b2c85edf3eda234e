/// A file, or memory, of this process with one connection: reads and writes come one after the other.
///
/// Always true: what is made on the connection (temporary views and triggers, functions) is there for every closure.
public final class DatabaseQueue: DatabaseWriter {
  private let database: EmbeddedDatabase

  /// The file; `:memory:` if there is none.
  public var path: String { database.file.path }

  /// The options that the queue was opened with.
  public var configuration: Configuration { database.file.configuration }

  /// A database in memory, which is gone when the queue is.
  public init(configuration: Configuration = Configuration()) throws {
    database = try EmbeddedDatabase(path: ":memory:", configuration: configuration, readerCount: nil)
  }

  /// Opens a file, and makes it if it does not exist. Throws if it cannot be opened, and what
  /// `prepareDatabase` throws.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    database = try EmbeddedDatabase(path: path, configuration: configuration, readerCount: nil)
  }

  deinit { database.close() }

  /// Closes the file, and waits for nobody. Closures that wait fail; one that runs is finished, commits, and has the
  /// file until then: a server cannot open it before.
  public func close() { database.close() }

  public func read<T>(_ body: (Database) throws -> T) throws -> T { try database.run(.read, body) }

  public func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
    try await database.run(.read, body)
  }

  public func write<T>(_ body: (Database) throws -> T) throws -> T { try database.run(.write, body) }

  public func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
    try await database.run(.write, body)
  }

  @discardableResult
  public func writeWithoutTransaction<T>(_ body: (Database) throws -> T) throws -> T {
    try database.run(.withoutTransaction, body)
  }

  @discardableResult
  public func writeWithoutTransaction<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await database.run(.withoutTransaction, body)
  }
}

extension DatabaseQueue: ObservableDatabase {
  var observers: CommitObservers { database.file.observers }
  var isEmbedded: Bool { true }
}

extension DatabaseQueue: LocalDatabase {
  func emptyTwin() throws -> any DatabaseWriter { try configuration.emptyDatabase() }
}

extension Configuration {
  /// A database in memory with these options, as far as they concern one.
  func emptyDatabase() throws -> DatabaseQueue {
    var options = self
    (options.key, options.pageChecksums, options.readonly) = (nil, false, false)
    return try DatabaseQueue(configuration: options)
  }
}
