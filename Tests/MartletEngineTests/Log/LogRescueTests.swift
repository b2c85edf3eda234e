/// A log that loses its name while somebody writes: what was acknowledged is in the database's file all the same.
import Foundation
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct LogRescueTests {
  typealias Bench = FileFaultTests.Bench

  /// Threads that insert numbered rows until they are refused.
  private final class Load: Sendable {
    struct Tally {
      var acknowledged: Set<Int64> = []
      var errors: [RequestError] = []
    }

    let tally = Mutex(Tally())

    init(_ writers: Int, on bench: Bench) {
      for writer in 0..<writers {
        Thread.detachNewThread { [self] in
          for row in 1... {
            let number = Int64(writer * 10_000_000 + 1_000 + row)
            switch bench.run("INSERT INTO t VALUES (\(number))", on: bench.database) {
            case .success: tally.withLock { _ = $0.acknowledged.insert(number) }
            case .failure(let error): return tally.withLock { $0.errors.append(error) }
            }
          }
        }
      }
    }

    var acknowledged: Set<Int64> { tally.withLock { $0.acknowledged } }
  }

  /// What is in the table after everything was closed and opened again.
  private func rows(of bench: Bench) throws -> Set<Int64> {
    bench.engine.shutdown()
    let engine = try Engine(configuration: EngineConfiguration(directory: bench.folder.path + "/data"))
    defer { engine.shutdown() }
    let database = try engine.database(named: "shop", create: false)
    #expect(try bench.run("PRAGMA integrity_check", on: database).get().rows == [["ok"]])
    let rows = try bench.run("SELECT a FROM t", on: database).get().rows
    return Set(rows.compactMap { if case .integer(let number)? = $0.first { number } else { nil } })
  }

  private func says(_ words: String, _ bench: Bench) -> Bool {
    bench.notices.list.withLock { $0.contains { $0.database == "shop" && $0.text.contains(words) } }
  }

  @Test(arguments: [1, 4], [["-wal"], ["-wal", "-shm"], ["-shm", "-wal"]])
  func `a log that is removed while others write loses nothing`(_ writers: Int, _ parts: [String]) throws {
    let bench = try Bench()
    let load = Load(writers, on: bench)
    try waitUntil { load.acknowledged.count >= 50 * writers }
    for part in parts { try Harm.check(unlink(bench.file + part), "unlink") }
    try waitUntil { load.tally.withLock { $0.errors.count == writers } }
    #expect(load.tally.withLock { $0.errors.allSatisfy { $0.reason == .fenced } })
    try waitUntil { bench.database.isFenced }
    let late = try #require(bench.insert())
    #expect(late.reason == .fenced && !late.isOutcomeUnknown)
    try waitUntil { says("all that the log held was copied into the database's file", bench) }
    let kept = try rows(of: bench)
    #expect(load.acknowledged.subtracting(kept).isEmpty)
  }

  @Test func `a log that was removed while others wrote is no reason to refuse the unfencing`() throws {
    let bench = try Bench()
    let load = Load(2, on: bench)
    try waitUntil { load.acknowledged.count >= 50 }
    try Harm.check(unlink(bench.file + "-wal"), "unlink")
    try waitUntil { bench.database.isFenced }
    try waitUntil { load.tally.withLock { $0.errors.count == 2 } }
    try bench.engine.unfence(named: "shop", deadline: .distantFuture) {}
    let database = try bench.engine.database(named: "shop", create: false)
    _ = try bench.run("INSERT INTO t VALUES (7)", on: database).get()
    let kept = try rows(of: bench)
    #expect(load.acknowledged.subtracting(kept).isEmpty && kept.contains(7))
  }

  @Test func `an old snapshot ends when the log goes, so that no part of the log is left`() throws {
    let bench = try Bench()
    defer { bench.engine.shutdown() }
    _ = try bench.run("CREATE INDEX i ON t(a)", on: bench.database).get()
    let begin = bench.sink.token()
    let reader = bench.database.begin(.read, deadline: .distantFuture, token: begin, sink: bench.sink)
    #expect(bench.sink.outcome(of: begin).error == nil)
    #expect(count(in: reader, bench) == nil)
    #expect(bench.insert() == nil)
    try Harm.check(unlink(bench.file + "-wal"), "unlink")
    #expect(bench.insert()?.reason == .fenced)
    try waitUntil { says("all that the log held was copied", bench) }
    let isTold = bench.sink.wait(for: begin) { events in
      events.contains {
        guard case .transactionEnded(let error, _) = $0 else { return false }
        let isForLog = error.message.contains("The log of the database was removed")
        return error.reason == .snapshotEvicted && error.isRetryable && isForLog
      }
    }
    #expect(isTold)
    // What a process that is killed now would leave behind.
    let left = bench.folder.path + "/left.sqlite"
    try FileManager.default.copyItem(atPath: bench.file, toPath: left)
    let stock = try StockDatabase(left)
    #expect(try stock.run("PRAGMA integrity_check") == [["ok"]])
    #expect(try stock.run("SELECT a FROM t ORDER BY a") == [["1"], ["2"]])
    #expect(try stock.run("SELECT a FROM t INDEXED BY i WHERE a = 2") == [["2"]])
    // And reads go on with what was copied.
    #expect(try bench.run("SELECT count(*) FROM t", on: bench.database).get().rows == [[.integer(2)]])
  }

  /// Counts the rows in a read transaction, and gives the error if it has ended.
  private func count(in transaction: Transaction, _ bench: Bench) -> RequestError? {
    let token = bench.sink.token()
    let request = StatementRequest(source: .statement(Trees.raw("SELECT count(*) FROM t")))
    _ = transaction.start(request, token: token, sink: bench.sink)
    return bench.sink.outcome(of: token).error
  }

  @Test func `what a snapshot of somebody else keeps from being copied is copied when it has ended`() throws {
    let bench = try Bench()
    do {
      let other = try StockDatabase(bench.file)
      other.keepLogOnClose()
      try other.run("BEGIN")
      #expect(try other.run("SELECT count(*) FROM t") == [["1"]])
      #expect(bench.insert() == nil)
      try Harm.check(unlink(bench.file + "-wal"), "unlink")
      #expect(bench.insert()?.reason == .fenced)
      try waitUntil { says("could not all be copied", bench) }
      try other.run("COMMIT")
    }
    try waitUntil { says("what was left of the log has been copied", bench) }
    // The row of the bench, and the one that was acknowledged.
    #expect(try rows(of: bench).isSuperset(of: [1, 2]))
  }

  @Test func `a transaction that is open when the log goes is rolled back and the log is copied`() throws {
    let bench = try Bench()
    #expect(bench.insert() == nil)
    let begin = bench.sink.token()
    let transaction = bench.database.begin(.write, deadline: .distantFuture, token: begin, sink: bench.sink)
    _ = bench.sink.outcome(of: begin)
    let insert = bench.sink.token()
    let request = StatementRequest(source: .statement(Trees.raw("INSERT INTO t VALUES (3)")))
    _ = transaction.start(request, token: insert, sink: bench.sink)
    #expect(bench.sink.outcome(of: insert).error == nil)
    try Harm.check(unlink(bench.file + "-wal"), "unlink")
    let finish = bench.sink.token()
    transaction.finish(commit: true, token: finish, sink: bench.sink)
    let error = try #require(bench.sink.outcome(of: finish).error)
    #expect(error.reason == .fenced && !error.isOutcomeUnknown)
    #expect(try rows(of: bench) == [1, 2])
  }

  @Test func `a VACUUM that finds the log gone copies it`() throws {
    let bench = try Bench()
    #expect(bench.insert() == nil)
    try Harm.check(unlink(bench.file + "-wal"), "unlink")
    let outcome = bench.run("VACUUM", on: bench.database)
    guard case .failure(let error) = outcome else { throw RequestError.lostResult }
    #expect(error.reason == .fenced)
    #expect(try rows(of: bench) == [1, 2])
  }

  @Test(arguments: Harm.all)
  func `a reader that is opened on a fenced database gets no words for writes`(_ harm: Harm) throws {
    let bench = try Bench()
    defer { bench.engine.shutdown() }
    for _ in 0..<10 { #expect(bench.insert() == nil) }
    try harm.harm(bench.directory, bench.file)
    bench.advance(milliseconds: 2 * EngineLimits.commitLookMs)
    // The shared file's going is noticed by the ticker.
    if harm.testDescription.contains("shared") { try waitUntil { bench.database.isFenced } }
    #expect(bench.insert()?.reason == .fenced)
    try waitUntil { bench.database.isFenced }
    do throws(RequestError) {
      _ = try bench.database.makeInlineReader(label: "late")
    } catch {
      #expect(!error.message.contains("write"), "\(error.message)")
      #expect(error.reason == .fenced)
      #expect(!harm.testDescription.contains("second name"), "\(error.message)")
    }
    if harm.testDescription.contains("second name") {
      let rows = try bench.run("SELECT count(*) FROM t", on: bench.database).get().rows
      guard case .integer(let count)? = rows.first?.first else { throw RequestError.lostResult }
      #expect(count >= 11)
    }
  }

  @Test func `only what keeps the log readable by its descriptors lets it be rescued`() {
    func status(_ inode: UInt64, bytes: Int64 = 100, links: Int = 1) -> FileStatus {
      FileStatus(identity: FileIdentity(device: 1, inode: inode), kind: .file, links: links, bytes: bytes)
    }
    var expected = FileExpectation()
    expected.identities[.log] = FileIdentity(device: 1, inode: 2)
    expected.identities[.shared] = FileIdentity(device: 1, inode: 3)
    expected.logBytes = 100
    let (log, shared) = (status(2), status(3))
    #expect(expected.lostPart(log: log, shared: shared) == nil)
    #expect(expected.lostPart(log: nil, shared: shared) == .log)
    #expect(expected.lostPart(log: nil, shared: nil) == .log)
    #expect(expected.lostPart(log: log, shared: nil) == .shared)
    #expect(expected.lostPart(log: status(2, bytes: 50), shared: nil) == nil)
    // Another log: an empty one holds nothing that could be replayed.
    #expect(expected.lostPart(log: status(9, bytes: 0), shared: shared) == .log)
    #expect(expected.lostPart(log: status(9), shared: shared) == nil)
    #expect(expected.lostPart(log: nil, shared: status(9)) == nil)
    #expect(expected.readingFault(of: .log, status(2, links: 2), named: "log") == nil)
    #expect(expected.readingFault(of: .log, nil, named: "log")?.kind == .missing)
    expected.logBytes = 0
    #expect(expected.readingFault(of: .log, nil, named: "log") == nil)
  }
}
