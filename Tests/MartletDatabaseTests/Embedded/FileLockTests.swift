import Foundation
import MartletDatabase
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

/// The locks that embedded databases have on the files that they opened and attached, whatever other objects of the
/// process do with those files.
@Suite struct FileLockTests {
  /// A file with a table, and what to look at it with.
  private struct Fixture {
    let directory = TemporaryDirectory()
    let path: String
    let other: String

    init() throws {
      path = directory.path + "/app.sqlite"
      other = directory.path + "/other.sqlite"
      for path in [path, other] { try Self.make(path) }
    }

    static func make(_ path: String) throws {
      let queue = try DatabaseQueue(path: path)
      defer { queue.close() }
      try queue.write { db in try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, bytes BLOB)") }
    }

    /// Opens the file with another object of this process, which goes at once.
    func openAndClose(_ path: String) throws {
      let queue = try DatabaseQueue(path: path)
      _ = try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
      queue.close()
    }
  }

  /// Whether this process has one of the locks on the file by which SQLite tells who has it open.
  private static func isLocked(_ path: String) throws -> Bool {
    // It stays open, because closing it would take those locks.
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    var wanted = flock()
    wanted.l_type = Int16(F_WRLCK)
    wanted.l_whence = Int16(SEEK_SET)
    wanted.l_start = 0x4000_0000
    wanted.l_len = 512
    // Linux's F_OFD_GETLK, which tells of the asking process's locks, too.
    try #require(fcntl(descriptor, 36, &wanted) == 0)
    return wanted.l_type != Int16(F_UNLCK)
  }

  #if os(Linux)
    private static let tellsLocks = true
  #else
    private static let tellsLocks = false
  #endif

  @Test(.enabled(if: tellsLocks)) func `another object of the process does not take the locks of an attached file`()
    throws
  {
    let fixture = try Fixture()
    let queue = try DatabaseQueue(path: fixture.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH '\(fixture.other)' AS other; INSERT INTO other.t VALUES (1, NULL)")
    }
    #expect(try Self.isLocked(fixture.other))
    try fixture.openAndClose(fixture.other)
    #expect(try Self.isLocked(fixture.other))
    queue.close()
    #expect(try !Self.isLocked(fixture.other))
  }

  @Test(.enabled(if: tellsLocks)) func `another object does not take the locks of a database that only reads`() throws {
    let fixture = try Fixture()
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: fixture.path, configuration: configuration)
    _ = try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
    #expect(try Self.isLocked(fixture.path))
    try fixture.openAndClose(fixture.path)
    #expect(try Self.isLocked(fixture.path))
  }

  @Test(.enabled(if: tellsLocks)) func `another object does not take the locks of a database opened by a URI`() throws {
    let fixture = try Fixture()
    let queue = try DatabaseQueue(path: "file:\(fixture.path)?cache=private")
    _ = try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
    #expect(try Self.isLocked(fixture.path))
    try fixture.openAndClose(fixture.path)
    #expect(try Self.isLocked(fixture.path))
    #expect(throws: InodeLock.Failure.held) { try InodeLock.acquire(path: fixture.path, mode: .exclusive) }
  }

  @Test func `a file that a server has is not attached`() throws {
    let fixture = try Fixture()
    let server = try InodeLock.acquire(path: fixture.other, mode: .exclusive)
    let queue = try DatabaseQueue(path: fixture.path)
    let error = #expect(throws: RequestError.self) {
      try queue.writeWithoutTransaction { db in try db.execute(sql: "ATTACH '\(fixture.other)' AS other") }
    }
    #expect(error?.message.hasPrefix("A Martlet server has the file \(fixture.other) open.") == true)
    for path in [fixture.other, "file:\(fixture.other)"] {
      let error = #expect(throws: RequestError.self) { try DatabaseQueue(path: path) }
      #expect(error?.message.hasPrefix("A Martlet server has the file \(path) open.") == true)
    }
    server.release()
    try queue.writeWithoutTransaction { db in try db.execute(sql: "ATTACH '\(fixture.other)' AS other") }
    #expect(throws: InodeLock.Failure.held) { try InodeLock.acquire(path: fixture.other, mode: .exclusive) }
    try queue.writeWithoutTransaction { db in try db.execute(sql: "DETACH other") }
    _ = try InodeLock.acquire(path: fixture.other, mode: .exclusive)
  }

  @Test func `the log of an attached file does not grow without bound`() throws {
    let fixture = try Fixture()
    let queue = try DatabaseQueue(path: fixture.path)
    let row = 1 << 20
    for number in 0..<20 {
      try queue.writeWithoutTransaction { db in
        if number == 0 { try db.execute(sql: "ATTACH '\(fixture.other)' AS other") }
        try db.execute(sql: "INSERT INTO other.t VALUES (\(number), zeroblob(\(row)))")
      }
    }
    let log = try FileManager.default.attributesOfItem(atPath: fixture.other + "-wal")[.size] as? Int
    #expect(try #require(log) < 8 * row)
  }

  @Test(arguments: [true, false]) func `a closure that runs keeps the file from servers until it has committed`(
    isPool: Bool
  ) throws {
    let fixture = try Fixture()
    let database: any DatabaseWriter =
      isPool ? try DatabasePool(path: fixture.path) : try DatabaseQueue(path: fixture.path)
    try database.write { db in
      (database as? DatabasePool)?.close()
      (database as? DatabaseQueue)?.close()
      #expect(throws: InodeLock.Failure.held) { try InodeLock.acquire(path: fixture.path, mode: .exclusive) }
      try db.execute(sql: "INSERT INTO t VALUES (1, NULL)")
    }
    let server = try InodeLock.acquire(path: fixture.path, mode: .exclusive)
    #expect(throws: RequestError.self) { try database.read { _ in } }
    withExtendedLifetime(server) {}
  }

  @Test func `those who are of one group are not others to each other`() throws {
    let fixture = try Fixture()
    final class Group {}
    let (first, second) = (Group(), Group())
    let lock = try InodeLock.acquire(path: fixture.path, mode: .shared)
    #expect(!lock.hasOthers)
    lock.join(first)
    let neighbour = try InodeLock.acquire(path: fixture.path, mode: .shared)
    #expect(lock.hasOthers && neighbour.hasOthers)
    neighbour.join(first)
    #expect(!lock.hasOthers && !neighbour.hasOthers)
    var reader: InodeLock? = try InodeLock.acquire(path: fixture.path, mode: .watching)
    reader?.join(second)
    #expect(lock.hasOthers && reader?.hasOthers == true)
    reader = nil
    #expect(!lock.hasOthers)
  }

  /// What one object has committed, another one of the process sees at once.
  @Test(arguments: [false, true]) func `a read returns what the disk has, whichever object wrote it`(
    isReadonly: Bool
  ) async throws {
    let fixture = try Fixture()
    let disk = RecordingDisk(directory: fixture.directory.path)
    let pool = try DatabasePool(path: fixture.path)
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (1, NULL)") }
    var configuration = Configuration()
    configuration.readonly = isReadonly
    let other = try DatabaseQueue(path: fixture.path, configuration: configuration)
    disk.slowSyncs(microseconds: 200_000)
    async let write: Void = pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (2, NULL)") }
    while try await other.read({ db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }) != 2 {
      await Task.yield()
    }
    let entries = disk.recorded.entries
    let lastSync = entries.lastIndex { if case .synced = $0 { true } else { false } }
    let lastWrite = entries.lastIndex { if case .wrote = $0 { true } else { false } }
    #expect(try #require(lastSync) > #require(lastWrite), "The read returned before the sync.")
    try await write
  }

  @Test func `a connection that a hook closes is closed after the commit`() throws {
    let fixture = try Fixture()
    let standing = try StandingDatabase(path: fixture.path, configuration: Configuration())
    try standing.onCommit {
      standing.close()
      #expect(throws: InodeLock.Failure.held) { try InodeLock.acquire(path: fixture.path, mode: .exclusive) }
    }
    try standing.call { db in try db.execute(sql: "INSERT INTO t VALUES (1, NULL)") }
    _ = try InodeLock.acquire(path: fixture.path, mode: .exclusive)
    #expect(throws: RequestError.self) { try standing.call { _ in } }
    let queue = try DatabaseQueue(path: fixture.path)
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") } == 1)
  }
}
