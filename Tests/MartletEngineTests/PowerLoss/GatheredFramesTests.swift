import Foundation
import MartletSQLite
import MartletTestSupport
import Testing

/// What a commit writes to the log goes there as one write, and a write that fails is never forgotten.
@Suite struct GatheredFramesTests {
  /// With a constraint, SQLite can undo a statement of many rows alone.
  private static let schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, body BLOB CHECK (length(body) > 0))"

  private func open(_ directory: TemporaryDirectory, cacheBytes: Int = 2 << 20) throws -> Connection {
    var setup = ConnectionSetup()
    setup.pageChecksums = .on
    setup.pageCacheBytes = cacheBytes
    return try Connection(
      path: directory.path + "/test.sqlite", label: "writer", access: .writer, setup: setup, clock: { 0 })
  }

  private func rows(_ connection: Connection) throws -> [Int64] {
    let statement = try connection.prepare("SELECT id FROM t ORDER BY id", for: .engine)
    var found: [Int64] = []
    while try statement.step() {
      found.append(statement.value(at: 0).integer)
    }
    return found
  }

  @Test func `a commit is one write to the log and one sync`() throws {
    let directory = TemporaryDirectory()
    let disk = RecordingDisk(directory: directory.path)
    let connection = try open(directory)
    try connection.execute(Self.schema)
    for id in 1...20 {
      let before = disk.recorded.entries.count
      try connection.execute("INSERT INTO t VALUES (\(id), zeroblob(20000))")
      let new = disk.recorded.entries.dropFirst(before)
      let writes = new.filter { if case .wrote = $0 { true } else { false } }
      #expect(writes.count == 1, "\(writes.count) writes")
      #expect(new.contains { if case .synced = $0 { true } else { false } })
    }
    #expect(try rows(connection) == Array(1...20))
  }

  @Test(arguments: [512, 4_096, 65_536]) func `a commit of any size is there whole`(pageBytes: Int) throws {
    let directory = TemporaryDirectory()
    do {
      var setup = ConnectionSetup()
      setup.authority = .owner
      setup.keepsJournalMode = true
      let plain = try Connection(
        path: directory.path + "/test.sqlite", label: "plain", access: .writer, setup: setup, clock: { 0 })
      try plain.execute("PRAGMA page_size = \(pageBytes)")
      try plain.execute(Self.schema)
    }
    let connection = try open(directory)
    let sizes = [1, 119 << 10, 120 << 10, 128 << 10, 256 << 10, 300_000, 1 << 20, 5_000_000]
    for (index, size) in sizes.enumerated() {
      try connection.execute("INSERT INTO t VALUES (\(index), zeroblob(\(size)))")
    }
    let other = try copy(directory)
    let found = try open(other)
    #expect(try rows(found) == Array(0..<Int64(sizes.count)))
    #expect(try found.text(of: "SELECT sum(length(body)) FROM t") == "\(sizes.reduce(0, +))")
    #expect(try found.text(of: "PRAGMA page_size") == "\(pageBytes)")
    #expect(try found.text(of: "PRAGMA integrity_check") == "ok")
  }

  /// The cache is so small that pages go to the log and come back from there long before the commit, and the program
  /// goes on after each error as far as SQLite lets it.
  @Test(arguments: DiskFault.Kind.allCases, [false, true])
  func `a transaction that commits is there whole, whichever write failed`(
    kind: DiskFault.Kind, isPersistent: Bool
  ) throws {
    var (number, committed, failed) = (1, 0, 0)
    while true {
      let directory = TemporaryDirectory()
      let disk = RecordingDisk(directory: directory.path)
      let connection = try open(directory, cacheBytes: 64 << 10)
      try connection.execute(Self.schema)
      disk.arm(DiskFault(.write, kind, on: .log, number: number, isPersistent: isPersistent))
      let (present, isCommitted) = run(on: connection)
      let isMet = disk.faultsMet > 0
      disk.arm(nil)
      if isCommitted { committed += 1 } else { failed += 1 }

      try expect(present, in: directory, connection)
      if !isMet { break }
      number += number < 60 ? 1 : number / 20
    }
    #expect(committed > 0 && failed > 0)
  }

  /// If the disk is full SQLite undoes a statement of many rows, and the transaction goes on. What it had gathered
  /// before is gone then, so it ends with an error unless that was undone as well.
  @Test func `a transaction that goes on after a full disk is whole or not there`() throws {
    var (committed, ended) = (0, 0)
    for number in 1...24 {
      let directory = TemporaryDirectory()
      let disk = RecordingDisk(directory: directory.path)
      let connection = try open(directory, cacheBytes: 64 << 10)
      try connection.execute(Self.schema)
      try connection.execute("INSERT INTO t VALUES (0, 'before')")
      try connection.execute("BEGIN IMMEDIATE")
      for id in 1...200 { try connection.execute("INSERT INTO t VALUES (\(id), randomblob(3000))") }
      disk.arm(DiskFault(.write, .full, on: .log, number: number))
      _ = try? connection.execute("UPDATE t SET body = randomblob(2900) WHERE id > 100")
      guard disk.faultsMet > 0, !connection.isAutocommit else { continue }
      disk.arm(nil)
      let present = goOn(connection)
      if present == [0] { ended += 1 } else { committed += 1 }
      try expect(present, in: directory, connection)
    }
    #expect(ended > 0, "\(committed) were committed")
  }

  /// Changes pages of earlier frames and appends new ones, until SQLite ends the transaction. Gives what ought to be
  /// there.
  private func goOn(_ connection: Connection) -> [Int64] {
    var ids = Array(0...200 as ClosedRange<Int64>)
    _ = try? connection.execute("UPDATE t SET body = randomblob(2800) WHERE id < 5")
    for id in 300...340 as ClosedRange<Int64> where !connection.isAutocommit {
      if (try? connection.execute("INSERT INTO t VALUES (\(id), randomblob(3000))")) != nil { ids.append(id) }
    }
    if !connection.isAutocommit, (try? connection.execute("COMMIT")) != nil { return ids }
    if !connection.isAutocommit { try? connection.execute("ROLLBACK") }
    return [0]
  }

  /// The connection goes on with these rows, and so does one that finds the files after a kill.
  private func expect(_ present: [Int64], in directory: TemporaryDirectory, _ connection: Connection) throws {
    #expect(try rows(connection) == present)
    try connection.execute("INSERT INTO t VALUES (100000, 'later')")
    let other = try copy(directory)
    let found = try open(other)
    #expect(try rows(found) == present + [100_000])
    #expect(try found.text(of: "PRAGMA integrity_check") == "ok")
  }

  private func copy(_ directory: TemporaryDirectory) throws -> TemporaryDirectory {
    let other = TemporaryDirectory()
    for name in ["test.sqlite", "test.sqlite-wal"] {
      try FileManager.default.copyItem(atPath: "\(directory.path)/\(name)", toPath: "\(other.path)/\(name)")
    }
    return other
  }

  @Test func `a log on a full disk is copied into the database, which makes room`() throws {
    let directory = TemporaryDirectory()
    let disk = RecordingDisk(directory: directory.path)
    let connection = try open(directory)
    try connection.execute(Self.schema)
    for id in 1...20 { try connection.execute("INSERT INTO t VALUES (\(id), randomblob(9000))") }
    disk.arm(DiskFault(.write, .full, on: .log, number: 1, isPersistent: true))
    for id in 21...23 {
      #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES (\(id), randomblob(9000))") }
    }
    #expect(try connection.checkpoint(.passive).isComplete)
    disk.arm(nil)
    try connection.execute("INSERT INTO t VALUES (24, 'later')")
    #expect(try rows(connection) == Array(1...20) + [24])
  }

  /// Gives the rows that ought to be there, and whether the commit went well.
  private func run(on connection: Connection) -> (present: [Int64], isCommitted: Bool) {
    var ids: [Int64] = []
    guard (try? connection.execute("BEGIN IMMEDIATE")) != nil else { return ([], false) }
    for id in 1...400 as ClosedRange<Int64> {
      do {
        try connection.execute("INSERT INTO t VALUES (\(id), randomblob(3000))")
        ids.append(id)
        if id % 7 == 0 {
          try connection.execute("UPDATE t SET body = randomblob(2900) WHERE id = \(id / 2)")
        }
        // Pages of earlier frames change again, where they lie.
        if id % 40 == 0 { try connection.execute("UPDATE t SET body = randomblob(3100) WHERE id > \(id - 30)") }
        if id % 50 == 0 { _ = try rows(connection) }
      } catch {
        if connection.isAutocommit { return ([], false) }
      }
    }
    do {
      try connection.execute("COMMIT")
      return (ids, true)
    } catch {
      if !connection.isAutocommit { try? connection.execute("ROLLBACK") }
      return ([], false)
    }
  }
}
