/// What a checkpoint moves, what keeps it from that, and what it leaves.
import Foundation
import MartletSQLite
import Testing

@Suite struct CheckpointTests {
  private static let modes: [CheckpointMode] = [.passive, .full, .restart, .truncate]

  /// Nobody waits for a lock here.
  private static var impatient: ConnectionSetup {
    var setup = ConnectionSetup()
    setup.busyTimeoutMs = 0
    return setup
  }

  private func logBytes(_ scratch: ScratchDatabase) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: scratch.path + "-wal")[.size] as? Int ?? -1
  }

  @Test(arguments: modes)
  func `without readers all of the log is moved, and the file alone has everything`(mode: CheckpointMode) throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer(Self.impatient)
    try writer.run("CREATE TABLE t(a)")
    try writer.run("INSERT INTO t VALUES (1), (2), (3)")
    #expect(writer.walBytes > 0)
    let result = try writer.checkpoint(mode)
    #expect(result.isComplete && !result.isBusy && result.framesDone == result.framesInLog)
    // Only what cuts the log says that nothing is in it.
    #expect((result.framesInLog == 0) == (mode == .truncate))
    #expect(try (logBytes(scratch) == 0) == (mode == .truncate))
    #expect(writer.walBytes == 0)
    let copy = scratch.directory.appendingPathComponent("alone.sqlite").path
    try FileManager.default.copyItem(atPath: scratch.path, toPath: copy)
    let alone = try Connection(path: copy, label: "alone", access: .writer, clock: { 0 })
    #expect(try alone.integer("SELECT sum(a) FROM t") == 6)
  }

  @Test(arguments: modes)
  func `a reader keeps its snapshot, and the log is not complete until it has gone`(mode: CheckpointMode) throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer(Self.impatient)
    try writer.run("CREATE TABLE t(a)")
    try writer.run("INSERT INTO t VALUES (1)")
    let reader = try scratch.reader()
    try reader.execute("BEGIN")
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
    for _ in 0..<5 { try writer.run("INSERT INTO t VALUES (zeroblob(9000))") }
    let bytes = writer.walBytes
    let held = try writer.checkpoint(mode)
    #expect(!held.isComplete && held.isBusy == (mode != .passive))
    #expect(held.framesDone > 0 && held.framesDone < held.framesInLog)
    #expect(writer.walBytes == bytes, "what is in the log is still in it")
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
    try reader.execute("COMMIT")
    #expect(try writer.checkpoint(mode).isComplete)
    #expect(writer.walBytes == 0)
    #expect(try reader.integer("SELECT count(*) FROM t") == 6)
  }

  @Test func `after a complete checkpoint the next commit begins the log anew`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.run("CREATE TABLE t(a)")
    for _ in 0..<4 { try writer.run("INSERT INTO t VALUES (zeroblob(9000))") }
    let bytes = try logBytes(scratch)
    #expect(try writer.checkpoint(.passive).isComplete)
    try writer.run("INSERT INTO t VALUES (1)")
    #expect(writer.walBytes > 0 && writer.walBytes < bytes)
    #expect(try logBytes(scratch) == bytes, "the file is written over, not longer")
    #expect(try scratch.reader().integer("SELECT count(*) FROM t") == 5)
  }

  @Test func `a reader may not, and says who may`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.run("CREATE TABLE t(a)")
    let reader = try scratch.reader()
    for mode in Self.modes {
      let error = #expect(throws: SQLiteError.self) { try reader.checkpoint(mode) }
      #expect(error?.code == SQLiteCode.misuse && error?.message == "Only the writer's connection may checkpoint.")
    }
    #expect(writer.walBytes > 0)
  }

  @Test(arguments: ["BEGIN", "BEGIN IMMEDIATE"])
  func `within a transaction it is refused, and the transaction goes on`(begin: String) throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer(Self.impatient)
    try writer.run("CREATE TABLE t(a)")
    try writer.execute(begin)
    _ = try writer.integer("SELECT count(*) FROM t")
    let bytes = writer.walBytes
    for mode in Self.modes {
      let error = #expect(throws: SQLiteError.self) { try writer.checkpoint(mode) }
      #expect(error?.code == SQLiteCode.locked)
    }
    #expect(!writer.isAutocommit && writer.walBytes == bytes)
    try writer.run("INSERT INTO t VALUES (1)")
    try writer.execute("COMMIT")
    #expect(try writer.checkpoint(.truncate).isComplete)
    #expect(try writer.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `another writer keeps it from all but the passive one`() throws {
    let scratch = try ScratchDatabase()
    let (writer, other) = (try scratch.writer(Self.impatient), try scratch.writer(Self.impatient))
    try writer.run("CREATE TABLE t(a)")
    try other.execute("BEGIN IMMEDIATE")
    try other.run("INSERT INTO t VALUES (1)")
    for mode in Self.modes.dropFirst() { #expect(try writer.checkpoint(mode).isBusy, "\(mode)") }
    let passive = try writer.checkpoint(.passive)
    #expect(!passive.isBusy)
    try other.execute("COMMIT")
    #expect(try writer.checkpoint(.truncate).isComplete)
    #expect(try writer.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `where there is no log nothing is left to do`() throws {
    let scratch = try ScratchDatabase()
    var setup = ConnectionSetup()
    setup.keepsJournalMode = true
    let journal = try scratch.writer(setup)
    try journal.run("CREATE TABLE t(a)")
    for connection in [journal, try Connection.inMemory()] {
      for mode in Self.modes {
        let result = try connection.checkpoint(mode)
        #expect(result == CheckpointResult(framesInLog: 0, framesDone: 0, isBusy: false) && result.isComplete)
      }
    }
  }

  @Test func `complete is what nobody disturbed and left nothing`() {
    let cases: [(frames: Int, done: Int, isBusy: Bool, isComplete: Bool)] = [
      (0, 0, false, true), (7, 7, false, true), (7, 6, false, false), (7, 7, true, false), (0, 0, true, false),
    ]
    for (frames, done, isBusy, isComplete) in cases {
      let result = CheckpointResult(framesInLog: frames, framesDone: done, isBusy: isBusy)
      #expect(result.isComplete == isComplete, "\(result)")
    }
  }
}
