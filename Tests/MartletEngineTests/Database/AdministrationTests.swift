/// Making, renaming and dropping databases: what is there afterwards, and what is refused.
import Foundation
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct AdministrationTests {
  private final class Bench {
    let folder = TemporaryDirectory()
    let engine: Engine
    let sink = CollectingSink()

    init() throws { engine = try Engine(configuration: EngineConfiguration(directory: folder.path + "/data")) }

    deinit { engine.shutdown() }

    var files: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/data")) ?? []).sorted()
    }

    func make(_ name: String, rows: Int = 1) throws {
      let database = try engine.database(named: name, create: true)
      for sql in ["CREATE TABLE t(a)"] + (0..<rows).map({ "INSERT INTO t VALUES (\($0))" }) {
        try #require(run(sql, on: database).error == nil)
      }
    }

    func run(_ sql: String, on database: Database) -> CollectingSink.Outcome {
      let token = sink.token()
      _ = database.start(StatementRequest(source: .statement(Trees.raw(sql))), token: token, sink: sink)
      return sink.outcome(of: token)
    }

    func count(_ name: String) throws -> Int64 {
      let outcome = run("SELECT count(*) FROM t", on: try engine.database(named: name, create: false))
      if case .integer(let count)? = outcome.rows.first?.first { return count }
      return -1
    }

    func names() throws -> [String] { try engine.databases(after: "", limit: 100).entries.map(\.name) }
  }

  private func error(_ body: () throws(RequestError) -> Void) -> RequestError? {
    do throws(RequestError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func `a list has every database by name, in pages, with its sizes and states`() throws {
    let bench = try Bench()
    for name in ["b", "a", "c-1", "Z"] { try bench.make(name) }
    for stray in ["x.sqlite-wal", "no name.sqlite", "d.txt", ".sqlite"] {
      try Data().write(to: URL(filePath: bench.folder.path + "/data/" + stray))
    }
    try FileManager.default.createDirectory(
      atPath: bench.folder.path + "/data/folder.sqlite", withIntermediateDirectories: false)
    #expect(try bench.names() == ["Z", "a", "b", "c-1"])
    let page = try bench.engine.databases(after: "Z", limit: 2)
    #expect(page.entries.map(\.name) == ["a", "b"] && page.hasMore)
    #expect(page.entries.allSatisfy { $0.state == .open && $0.bytes + $0.logBytes > 0 })
  }

  @Test func `what was renamed has all of its rows under the new name, and only there`() throws {
    let bench = try Bench()
    try bench.make("shop", rows: 50)
    try bench.engine.renameDatabase(named: "shop", to: "store", endSessions: nil)
    #expect(try bench.names() == ["store"])
    #expect(bench.files == ["martlet.lock", "store.sqlite", "store.sqlite-lock"])
    #expect(try bench.count("store") == 50)
    #expect(
      error { () throws(RequestError) in _ = try bench.engine.database(named: "shop", create: false) }?.reason
        == .unknownDatabase)
    // The former name can be used again, and has nothing of the former database.
    try bench.make("shop", rows: 2)
    #expect(try bench.count("shop") == 2)
    #expect(try bench.count("store") == 50)
  }

  @Test func `what was dropped is gone, and its name is free`() throws {
    let bench = try Bench()
    try bench.make("shop", rows: 50)
    try bench.engine.dropDatabase(named: "shop", endSessions: nil)
    #expect(bench.files == ["martlet.lock"])
    try bench.make("shop", rows: 3)
    #expect(try bench.count("shop") == 3)
  }

  @Test func `a log that a crash left behind is not taken for that of a new database`() throws {
    let bench = try Bench()
    try bench.make("shop", rows: 5)
    let data = bench.folder.path + "/data/"
    let log = try Data(contentsOf: URL(filePath: data + "shop.sqlite-wal"))
    try #require(!log.isEmpty)
    try bench.engine.dropDatabase(named: "shop", endSessions: nil)
    try log.write(to: URL(filePath: data + "shop.sqlite-wal"))
    let refused = error { () throws(RequestError) in try bench.engine.createDatabase(named: "shop") }
    #expect(refused?.message.contains("shop.sqlite-wal") == true)
    try bench.make("other", rows: 1)
    let rename = error { () throws(RequestError) in
      try bench.engine.renameDatabase(named: "other", to: "shop", endSessions: nil)
    }
    #expect(rename?.message.contains("shop.sqlite-wal") == true)
    #expect(try bench.count("other") == 1)
  }

  @Test func `while somebody has it nothing happens, unless they are made to let go`() throws {
    let bench = try Bench()
    try bench.make("shop", rows: 7)
    var held: Database? = try bench.engine.database(named: "shop", create: false)
    for refused in [
      error({ () throws(RequestError) in try bench.engine.dropDatabase(named: "shop", endSessions: nil) }),
      error({ () throws(RequestError) in try bench.engine.renameDatabase(named: "shop", to: "b", endSessions: nil) }),
    ] {
      #expect(refused?.code == .failedPrecondition && refused?.isRetryable == true)
    }
    #expect(try bench.count("shop") == 7)
    var asked = 0
    try bench.engine.renameDatabase(named: "shop", to: "store", endSessions: { asked += 1 })
    #expect(asked == 1)
    #expect(held?.isLeaving == true)
    // Whoever still has it is answered, and changes nothing.
    let late = held.map { bench.run("INSERT INTO t VALUES (99)", on: $0) }
    #expect(late?.error != nil)
    held = nil
    #expect(try bench.count("store") == 7)
  }

  @Test func `a rename waits until those who were made to let go have done so`() throws {
    let bench = try Bench()
    try bench.make("shop", rows: 7)
    let held = Mutex(Optional(try bench.engine.database(named: "shop", create: false)))
    let hasLetGo = Atomic(false)
    let data = bench.folder.path + "/data/"
    let wasRenamed = Atomic(false)
    try bench.engine.renameDatabase(named: "shop", to: "store") {
      Thread.detachNewThread {
        // Nothing tells that the rename waits, so it lets go when it has seen often that there is no other file yet.
        var isThere = false
        try? waitUntilQuiet(looks: 20) {
          let before = isThere
          isThere = FileManager.default.fileExists(atPath: data + "store.sqlite")
          if isThere { wasRenamed.store(true, ordering: .releasing) }
          return isThere != before
        }
        hasLetGo.store(true, ordering: .releasing)
        held.withLock { $0 = nil }
      }
    }
    let isFree = hasLetGo.load(ordering: .acquiring)
    #expect(isFree)
    let wasEarly = wasRenamed.load(ordering: .acquiring)
    #expect(!wasEarly, "it was renamed while somebody had it")
    #expect(try bench.count("store") == 7)
  }

  @Test(.timeLimit(.minutes(2)))
  func `two renames against each other, of databases that are there or not, both end, and no name stays taken`() throws
  {
    let bench = try Bench()
    try bench.make("a", rows: 3)
    let engine = bench.engine
    for (one, other) in [("a", "b"), ("x", "y")] {
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        for _ in 0..<150 {
          let (from, to) = thread == 0 ? (one, other) : (other, one)
          let refusal = error { () throws(RequestError) in
            try engine.renameDatabase(named: from, to: to, endSessions: {})
          }
          #expect(
            refusal == nil || [.notFound, .alreadyExists].contains(refusal?.code), "\(String(describing: refusal))")
        }
      }
    }
    let left = try #require(try bench.names().first)
    #expect(try bench.names() == [left])
    #expect(try bench.count(left) == 3)
    try engine.createDatabase(named: "x")
    try engine.createDatabase(named: "y")
  }

  @Test func `names that are taken, wrong or unknown are refused and nothing changes`() throws {
    let bench = try Bench()
    try bench.make("a")
    try bench.make("b", rows: 2)
    let engine = bench.engine
    let refusals: [(RequestError?, RequestError.Code)] = [
      (error { () throws(RequestError) in try engine.createDatabase(named: "a") }, .alreadyExists),
      (
        error { () throws(RequestError) in try engine.renameDatabase(named: "a", to: "b", endSessions: {}) },
        .alreadyExists
      ),
      (
        error { () throws(RequestError) in try engine.renameDatabase(named: "a", to: "a", endSessions: nil) },
        .alreadyExists
      ),
      (
        error { () throws(RequestError) in try engine.renameDatabase(named: "x", to: "y", endSessions: nil) }, .notFound
      ),
      (error { () throws(RequestError) in try engine.dropDatabase(named: "x", endSessions: nil) }, .notFound),
      (error { () throws(RequestError) in try engine.dropDatabase(named: "../a", endSessions: nil) }, .invalidArgument),
      (
        error { () throws(RequestError) in try engine.renameDatabase(named: "a", to: "../b", endSessions: nil) },
        .invalidArgument
      ),
      (error { () throws(RequestError) in try engine.createDatabase(named: "") }, .invalidArgument),
    ]
    for (index, (refusal, code)) in refusals.enumerated() { #expect(refusal?.code == code, "\(index)") }
    // A name that is taken ends no session of the other database.
    var ended = 0
    _ = error { () throws(RequestError) in
      try engine.renameDatabase(named: "a", to: "b", endSessions: { ended += 1 })
    }
    #expect(ended == 0)
    #expect(try bench.names() == ["a", "b"])
    #expect(try bench.count("a") == 1)
    #expect(try bench.count("b") == 2)
    try engine.createDatabase(named: "c")
    #expect(try bench.names() == ["a", "b", "c"])
  }
}
