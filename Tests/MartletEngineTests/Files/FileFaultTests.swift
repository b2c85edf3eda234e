/// Files that go, change or get further names under an open database: noticed, and nothing acknowledged after it.
import Foundation
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct FileFaultTests {
  /// An engine with two databases in a directory that the test may do anything to.
  struct Bench {
    let folder = TemporaryDirectory()
    let engine: Engine
    let database: Database
    let neighbour: Database
    let sink = CollectingSink()
    let notices: Notices
    private let shift: Shift

    final class Notices: Sendable {
      let list = Mutex<[EngineNotice]>([])
    }

    /// How far the engine's clock is ahead of the machine's.
    private final class Shift: Sendable {
      let milliseconds = Atomic(0)
    }

    var directory: String { engine.directoryPath ?? "" }
    var file: String { directory + "/shop.sqlite" }

    init() throws {
      var configuration = EngineConfiguration(directory: folder.path + "/data")
      configuration.limits.diskFreeBytesMin = 1 << 20
      let notices = Notices()
      self.notices = notices
      let shift = Shift()
      self.shift = shift
      configuration.clock = {
        EngineConfiguration.systemClock().advanced(milliseconds: shift.milliseconds.load(ordering: .acquiring))
      }
      configuration.report = { notice in notices.list.withLock { $0.append(notice) } }
      engine = try Engine(configuration: configuration)
      database = try engine.database(named: "shop", create: true)
      neighbour = try engine.database(named: "neighbour", create: true)
      for database in [database, neighbour] {
        for sql in ["CREATE TABLE t(a)", "INSERT INTO t VALUES (1)"] { _ = try run(sql, on: database).get() }
      }
    }

    func run(_ sql: String, on database: Database) -> Result<CollectingSink.Outcome, RequestError> {
      let token = sink.token()
      _ = database.start(StatementRequest(source: .statement(Trees.raw(sql))), token: token, sink: sink)
      let outcome = sink.outcome(of: token)
      return outcome.error.map { .failure($0) } ?? .success(outcome)
    }

    /// The engine's time goes on, and nobody waits for it.
    func advance(milliseconds: Int) { shift.milliseconds.add(milliseconds, ordering: .acquiringAndReleasing) }

    func insert() -> RequestError? {
      if case .failure(let error) = run("INSERT INTO t VALUES (2)", on: database) { error } else { nil }
    }
  }

  @Test(arguments: Harm.all) func `a write that comes after is refused, and reads go on`(_ harm: Harm) throws {
    let bench = try Bench()
    defer { bench.engine.shutdown() }
    try harm.harm(bench.directory, bench.file)
    // The shared file's going is noticed by the ticker, everything else by the commit itself.
    if harm.testDescription.contains("shared") {
      try waitUntil { bench.database.isFenced }
    }
    let error = try #require(bench.insert())
    #expect(error.reason == .fenced)
    #expect(error.message.contains("unfence") && error.message.contains("shop"))
    // The writer fences the queue after it has answered.
    try waitUntil { bench.database.isFenced }
    #expect(bench.insert()?.isOutcomeUnknown == false)
    let isAboutDirectory = harm.testDescription.contains("directory")
    if !isAboutDirectory {
      if case .failure(let error) = bench.run("INSERT INTO t VALUES (2)", on: bench.neighbour) { throw error }
    }
    // It counts and reports after that.
    try waitUntil { bench.engine.counters().contains { $0.name == "file_faults" && $0.value >= 1 } }
    try waitUntil { bench.notices.list.withLock { $0.contains { $0.level == .error && $0.database == "shop" } } }
  }

  @Test(arguments: Harm.all) func `it is noticed although nobody writes`(_ harm: Harm) throws {
    let bench = try Bench()
    defer { bench.engine.shutdown() }
    // Lengths are looked at by commits only.
    guard !harm.testDescription.contains("is cut") else { return }
    try harm.harm(bench.directory, bench.file)
    try waitUntil(within: .seconds(20)) { bench.database.isFenced }
  }

  @Test(arguments: Harm.undone) func `what was acknowledged is there once the files are back`(_ harm: Harm) throws {
    let bench = try Bench()
    var acknowledged = 1
    let stop = ContinuousClock.now + .milliseconds(50)
    while ContinuousClock.now < stop { if bench.insert() == nil { acknowledged += 1 } }
    try harm.harm(bench.directory, bench.file)
    let end = ContinuousClock.now + .seconds(60)
    while bench.insert() == nil {
      acknowledged += 1
      try #require(ContinuousClock.now < end, "it goes on to acknowledge writes")
    }
    bench.engine.shutdown()
    try harm.undo?(bench.folder.path + "/data", bench.folder.path + "/data/shop.sqlite")
    for name in ["kept", "other"] { unlink(bench.folder.path + "/data/" + name) }
    let engine = try Engine(configuration: EngineConfiguration(directory: bench.folder.path + "/data"))
    defer { engine.shutdown() }
    let database = try engine.database(named: "shop", create: false)
    let rows = try bench.run("SELECT count(*) FROM t", on: database).get().rows
    guard case .integer(let count)? = rows.first?.first else { throw RequestError.lostResult }
    // A write whose outcome was unknown may be there too.
    #expect(count >= acknowledged && count <= acknowledged + 1)
    #expect(try bench.run("PRAGMA integrity_check", on: database).get().rows == [["ok"]])
  }

  @Test func `a log that is removed is saved into the database first`() throws {
    let bench = try Bench()
    for _ in 0..<100 { #expect(bench.insert() == nil) }
    unlink(bench.file + "-wal")
    try waitUntil { bench.database.isFenced }
    bench.engine.shutdown()
    let engine = try Engine(configuration: EngineConfiguration(directory: bench.folder.path + "/data"))
    defer { engine.shutdown() }
    let database = try engine.database(named: "shop", create: false)
    #expect(try bench.run("SELECT count(*) FROM t", on: database).get().rows == [[101]])
  }

  @Test func `an interactive transaction is not committed to files that have gone`() throws {
    let bench = try Bench()
    defer { bench.engine.shutdown() }
    let begin = bench.sink.token()
    let transaction = bench.database.begin(.write, deadline: .distantFuture, token: begin, sink: bench.sink)
    _ = bench.sink.outcome(of: begin)
    let insert = bench.sink.token()
    let request = StatementRequest(source: .statement(Trees.raw("INSERT INTO t VALUES (3)")))
    _ = transaction.start(request, token: insert, sink: bench.sink)
    #expect(bench.sink.outcome(of: insert).error == nil)
    // The files were looked at before the insert. A commit that comes soon after looks again only when it is done, and
    // its outcome is unknown then.
    bench.advance(milliseconds: 2 * EngineLimits.commitLookMs)
    try Harm.move(bench.file, bench.file + ".away")
    let finish = bench.sink.token()
    transaction.finish(commit: true, token: finish, sink: bench.sink)
    let error = try #require(bench.sink.outcome(of: finish).error)
    #expect(error.reason == .fenced && !error.isOutcomeUnknown)
  }

  @Test func `a reader that opens late does not read the file that took the name`() throws {
    let bench = try Bench()
    defer { bench.engine.shutdown() }
    try FileManager.default.copyItem(atPath: bench.file, toPath: bench.directory + "/other")
    try Harm.move(bench.directory + "/other", bench.file)
    #expect(throws: RequestError.self) { try bench.database.makeInlineReader(label: "late") }
    try waitUntil { bench.database.isFenced }
    #expect(throws: RequestError.self) { try bench.database.makeInlineReader(label: "later") }
  }
}
