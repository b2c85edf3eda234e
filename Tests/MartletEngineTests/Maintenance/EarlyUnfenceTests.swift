/// An operator who asks too early, while the disk still fails, and disks that fail without anybody being told by an
/// answer.
import Foundation
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct EarlyUnfenceTests {
  private final class Notices: Sendable {
    let list = Mutex<[String]>([])
    func count(_ words: String) -> Int { list.withLock { $0.count { $0.contains(words) } } }
  }

  /// How far the engine's clock is ahead of the machine's.
  private final class Shift: Sendable {
    let milliseconds = Atomic(0)
  }

  private let directory = TemporaryDirectory()
  private let disk: RecordingDisk
  private let engine: Engine
  private let notices = Notices()
  private let shift = Shift()
  private let sink = CollectingSink()

  init() throws {
    disk = RecordingDisk(directory: directory.path)
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.diskFreeBytesMin = 1 << 20
    configuration.limits.walCheckpointBytes = 64 << 10
    configuration.report = { [notices] notice in notices.list.withLock { $0.append(notice.text) } }
    configuration.clock = { [shift] in
      EngineConfiguration.systemClock().advanced(milliseconds: shift.milliseconds.load(ordering: .acquiring))
    }
    engine = try Engine(configuration: configuration)
  }

  private func run(_ sql: String, on database: Database) -> RequestError? {
    let token = sink.token()
    _ = database.start(StatementRequest(source: .statement(Trees.raw(sql))), token: token, sink: sink)
    return sink.outcome(of: token).error
  }

  /// A database with one row, fenced because its log could not be synced.
  private func fenced() throws -> Database {
    let database = try engine.database(named: "shop", create: true)
    for sql in ["CREATE TABLE t(a)", "INSERT INTO t VALUES (1)"] { #expect(run(sql, on: database) == nil) }
    disk.arm(DiskFault(.sync, on: .log, number: 1, isPersistent: true))
    #expect(run("INSERT INTO t VALUES (2)", on: database) != nil)
    try waitUntil { database.isFenced }
    return database
  }

  @Test func `while the log cannot be synced the database stays as it is, and is read`() throws {
    defer { engine.shutdown() }
    let database = try fenced()
    for _ in 0..<3 {
      #expect(throws: RequestError.self) { try engine.unfence(named: "shop", deadline: .distantFuture) {} }
      #expect(run("SELECT a FROM t", on: database) == nil)
      _ = try engine.database(named: "shop", create: false)
    }
    disk.arm(nil)
    try engine.unfence(named: "shop", deadline: .distantFuture) {}
    #expect(run("INSERT INTO t VALUES (3)", on: try engine.database(named: "shop", create: false)) == nil)
  }

  @Test func `a database that could not be opened anew is tried again for who comes, and then takes writes`() throws {
    defer { engine.shutdown() }
    _ = try fenced()
    disk.arm(DiskFault(.write, on: .database, number: 1, isPersistent: true))
    #expect(throws: RequestError.self) { try engine.unfence(named: "shop", deadline: .distantFuture) {} }
    // Not again and again for everybody who comes.
    #expect(throws: RequestError.self) { try engine.database(named: "shop", create: false) }
    disk.arm(nil)
    #expect(throws: RequestError.self) { try engine.database(named: "shop", create: false) }
    let wanted = Mutex<[String]>([])
    engine.whenBarredIsWanted { name in wanted.withLock { $0.append(name) } }
    shift.milliseconds.add(EngineLimits.reopeningRetryMs, ordering: .acquiringAndReleasing)
    for _ in 0..<3 { #expect(throws: RequestError.self) { try engine.database(named: "shop", create: false) } }
    #expect(wanted.withLock(\.self) == ["shop"])
    try engine.recover("shop", deadline: .distantFuture) {}
    #expect(run("INSERT INTO t VALUES (3)", on: try engine.database(named: "shop", create: false)) == nil)
    #expect(notices.count("takes writes again") == 1)
    // Who asked for it before is told that it has happened, once.
    try engine.unfence(named: "shop", deadline: .distantFuture) {}
    let error = #expect(throws: RequestError.self) {
      try engine.unfence(named: "shop", deadline: .distantFuture) {}
    }
    #expect(error?.code == .failedPrecondition)
  }

  @Test func `whoever wants it, a database whose log was cut meanwhile is not opened`() throws {
    defer { engine.shutdown() }
    _ = try fenced()
    disk.arm(DiskFault(.write, on: .database, number: 1, isPersistent: true))
    #expect(throws: RequestError.self) { try engine.unfence(named: "shop", deadline: .distantFuture) {} }
    disk.arm(nil)
    #expect(truncate(directory.path + "/shop.sqlite-wal", 0) == 0)
    let error = #expect(throws: RequestError.self) { try engine.recover("shop", deadline: .distantFuture) {} }
    #expect(error?.message.contains("shop.sqlite-wal") == true, "\(String(describing: error))")
    // And whoever comes is told that.
    let told = #expect(throws: RequestError.self) { try engine.database(named: "shop", create: false) }
    #expect(told?.message == error?.message)
  }

  @Test func `copies of the log that fail are told once, and so is the first that works again`() throws {
    defer { engine.shutdown() }
    let database = try engine.database(named: "shop", create: true)
    #expect(run("CREATE TABLE t(a)", on: database) == nil)
    func write() throws {
      for _ in 0..<6 { #expect(run("INSERT INTO t VALUES (zeroblob(40000))", on: database) == nil) }
      shift.milliseconds.add(60_000, ordering: .acquiringAndReleasing)
    }
    disk.arm(DiskFault(.write, .full, on: .database, number: 1, isPersistent: true))
    for _ in 0..<5 { try write() }
    try waitUntil { engine.counters().contains { $0.name == "checkpoint_failures" && $0.value >= 2 } }
    #expect(notices.count("could not be copied") == 1 && !database.isFenced)
    disk.arm(nil)
    for _ in 0..<5 { try write() }
    try waitUntil { notices.count("is copied into the database's file again") == 1 }
  }
}
