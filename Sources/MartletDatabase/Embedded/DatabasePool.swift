import MartletValues

/// A file of this process with one connection that writes and several that read.
///
/// Always true: a read sees the last commit before it began, and no write waits for it. What `write` makes on its
/// connection (temporary views and triggers, functions) readers do not have: that is for
/// `Configuration.prepareDatabase`.
public final class DatabasePool: DatabaseWriter {
  private let database: EmbeddedDatabase

  /// The file.
  public var path: String { database.file.path }

  /// The options that the pool was opened with.
  public var configuration: Configuration { database.file.configuration }

  /// Opens a file, and makes it if it does not exist. Throws if it cannot be opened, and what
  /// `prepareDatabase` throws.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    guard path != ":memory:", !path.isEmpty else {
      throw RequestError.poolInMemory
    }
    database = try EmbeddedDatabase(
      path: path, configuration: configuration, readerCount: configuration.maximumReaderCount)
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

extension DatabasePool: ObservableDatabase {
  var observers: CommitObservers { database.file.observers }
  var isEmbedded: Bool { true }
}

extension DatabasePool: LocalDatabase {
  func emptyTwin() throws -> any DatabaseWriter { try configuration.emptyDatabase() }
}
