public import MartletQuery

/// What the compiler says of GRDB's spellings that are not here: without these it says that a type has no such member.
///
/// Always true: nothing here is available, so no program calls it, and the compiler looks at it only if nothing else
/// has the name.
extension DatabaseReader {
  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'read': it sees one snapshot.")
  public func unsafeRead<T>(_ body: (Database) throws -> T) throws -> T {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'read', and hand the Database on to what reads inside of it.")
  public func unsafeReentrantRead<T>(_ body: (Database) throws -> T) throws -> T {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'try await database.read { … }'.")
  public func asyncRead(_ body: @escaping (Result<Database, any Error>) -> Void) {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Read what belongs together in one 'read': it sees one snapshot.")
  public func makeSnapshot() throws -> any DatabaseReader {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'vacuum(into: path)', and open the file.")
  public func backup(to destination: any DatabaseWriter) throws {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Cancel the task of 'await', or give it a 'withDeadline'.")
  public func interrupt() {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Set 'configuration.pageCacheBytes': no connection uses more.")
  public func releaseMemory() {}
}

extension DatabaseWriter {
  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'write', in which 'inSavepoint' can be rolled back.")
  public func writeInTransaction(_ body: (Database) throws -> Database.TransactionCompletion) throws {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'writeWithoutTransaction'.")
  public func barrierWriteWithoutTransaction<T>(_ body: (Database) throws -> T) throws -> T {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'write', and hand the Database on to what writes inside of it.")
  public func unsafeReentrantWrite<T>(_ body: (Database) throws -> T) throws -> T {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'try await database.write { … }'.")
  public func asyncWrite<T>(
    _ updates: @escaping (Database) throws -> T, completion: @escaping (Database, Result<T, any Error>) -> Void
  ) {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'try await database.writeWithoutTransaction { … }'.")
  public func asyncWriteWithoutTransaction(_ body: @escaping (Database) -> Void) {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'read', 'write' or 'writeWithoutTransaction'.")
  public func inDatabase<T>(_ body: (Database) throws -> T) throws -> T {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'read' behind the write: readers do not wait for writers.")
  public func spawnConcurrentRead(_ body: @escaping (Result<Database, any Error>) -> Void) {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Follow the tables with 'ValueObservation.tracking { … }'.")
  public func add<Observer>(transactionObserver: Observer) {}
}

extension Database {
  /// Says what to write instead.
  @available(*, unavailable, message: "Run it with 'execute(sql:arguments:)': statements are kept compiled.")
  public func makeStatement(sql: String) throws -> any Sendable {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Run it with 'execute(sql:arguments:)': statements are kept compiled.")
  public func cachedStatement(sql: String) throws -> any Sendable {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write what follows behind 'write': it returns when the commit is on disk.")
  public func afterNextTransaction(onCommit: @escaping (Database) -> Void) {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Follow the tables with 'ValueObservation.tracking { … }'.")
  public func add<Observer>(transactionObserver: Observer) {}
}

// MARK: - Records

extension Table {
  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.insert { item }.execute(db)'.")
  public func insert(_ db: Database) throws {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.insert { item }.returning(\\.self).fetchOne(db)'.")
  public func inserted(_ db: Database) throws -> Self { fatalError("because it is unavailable, nothing calls this") }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.upsert { item }.execute(db)'.")
  public func save(_ db: Database) throws {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.upsert { item }.execute(db)'.")
  public func upsert(_ db: Database) throws {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.update(item).execute(db)'.")
  public func update(_ db: Database) throws {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.delete(item).execute(db)'.")
  public func delete(_ db: Database) throws {}

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.find(item.id).fetchOne(db) != nil'.")
  public func exists(_ db: Database) throws -> Bool { fatalError("because it is unavailable, nothing calls this") }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.where { $0.price > 10 }'.")
  public static func filter<Condition>(_ condition: (TableColumns) -> Condition) -> Where<Self> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.find(key)'.")
  public static func filter<Key>(key: Key) -> Where<Self> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.find(id)'.")
  public static func filter<Key>(id: Key) -> Where<Self> { fatalError("because it is unavailable, nothing calls this") }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.find(key).fetchOne(db)'.")
  public static func fetchOne<Key>(_ db: Database, key: Key) throws -> Self? {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.find(id).fetchOne(db)'.")
  public static func fetchOne<Key>(_ db: Database, id: Key) throws -> Self? {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.find(keys).fetchAll(db)'.")
  public static func fetchAll<Keys: Sequence>(_ db: Database, keys: Keys) throws -> [Self] {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.find(ids).fetchAll(db)'.")
  public static func fetchAll<Keys: Sequence>(_ db: Database, ids: Keys) throws -> [Self] {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.find(key).fetchOne(db) != nil'.")
  public static func exists<Key>(_ db: Database, key: Key) throws -> Bool {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.find(id).fetchOne(db) != nil'.")
  public static func exists<Key>(_ db: Database, id: Key) throws -> Bool {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.delete().execute(db)'; 'db.changesCount' tells how many.")
  public static func deleteAll(_ db: Database) throws -> Int {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.find(key).delete().execute(db)'.")
  public static func deleteOne<Key>(_ db: Database, key: Key) throws -> Bool {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what to write instead.
  @available(*, unavailable, message: "Write 'Item.find(id).delete().execute(db)'.")
  public static func deleteOne<Key>(_ db: Database, id: Key) throws -> Bool {
    fatalError("because it is unavailable, nothing calls this")
  }
}
