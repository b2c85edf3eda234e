/// The numbers of commits over the life of a database: restarts, crashes, clocks that go back, names that change.
import Foundation
import MartletSQLite
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct SequenceLifeTests {
  /// One opening of a directory's databases.
  private final class Opening {
    let engine: Engine
    let sink = CollectingSink()

    init(_ path: String, clock microseconds: UInt64?) throws {
      var configuration = EngineConfiguration(directory: path)
      configuration.limits.diskFreeBytesMin = 1 << 20
      if let microseconds { configuration.wallClock = { microseconds } }
      engine = try Engine(configuration: configuration)
    }

    deinit { engine.shutdown() }

    func run(_ sql: String, on name: String = "shop") throws -> UInt64 {
      let token = sink.token()
      let database = try engine.database(named: name, create: true)
      _ = database.start(StatementRequest(source: .statement(Trees.raw(sql))), token: token, sink: sink)
      let outcome = sink.outcome(of: token)
      if let error = outcome.error { throw error }
      return outcome.completion?.commitSequence ?? 0
    }

    func write(_ name: String = "shop") throws -> UInt64 {
      _ = try run("CREATE TABLE IF NOT EXISTS t(a)", on: name)
      return try run("INSERT INTO t VALUES (1)", on: name)
    }
  }

  private static func opening<T>(
    _ path: String, clock microseconds: UInt64? = nil, _ body: (Opening) throws -> T
  ) throws -> T {
    let opening = try Opening(path, clock: microseconds)
    defer { opening.engine.shutdown() }
    return try body(opening)
  }

  /// What happens between two openings, and the clock of the second.
  private static let betweens: [(name: String, clock: UInt64?, deed: @Sendable (_ path: String) throws -> Void)] = [
    ("nothing", nil, { _ in }), ("the clock went back to its beginning", 0, { _ in }),
    ("the clock went back", 1_000_000, { _ in }),
    ("the lock file was removed", nil, { try FileManager.default.removeItem(atPath: $0 + "/shop.sqlite-lock") }),
    (
      "the lock file was emptied", nil,
      { try Data().write(to: URL(filePath: $0 + "/shop.sqlite-lock"), options: []) }
    ),
    (
      "both halves of the record were damaged", nil,
      { try damage($0 + "/shop.sqlite-lock", at: 20) }
    ),
  ]

  @Test(arguments: betweens.indices) func `numbers grow over restarts, whatever happened between them`(
    index: Int
  ) throws {
    let (name, clock, deed) = Self.betweens[index]
    let folder = TemporaryDirectory()
    var last = try Self.opening(folder.path) { try $0.write() }
    for round in 0..<3 {
      try deed(folder.path)
      try Self.opening(folder.path, clock: clock) { (opening) throws in
        let number = try opening.write()
        #expect(number > last, "\(name), round \(round)")
        #expect(try opening.write() > number)
        last = try opening.write()
        #expect(try opening.run("SELECT 1") == last)
      }
    }
  }

  @Test func `a read before the first commit of an opening says no less than was told before`() throws {
    let folder = TemporaryDirectory()
    var last = try Self.opening(folder.path) { try $0.write() }
    for _ in 0..<3 {
      last = try Self.opening(folder.path, clock: 0) { (opening) throws in
        let read = try opening.run("SELECT 1")
        #expect(read >= last)
        return read
      }
    }
    let written = try Self.opening(folder.path, clock: 0) { try $0.write() }
    #expect(written > last)
  }

  @Test func `files as a crash leaves them give larger numbers than all that were acknowledged`() throws {
    let folder = TemporaryDirectory()
    let opening = try Opening(folder.path, clock: nil)
    for round in 1...3 {
      let acknowledged = try opening.write()
      // The server runs on; what is copied is what a kill would leave at this moment.
      let copy = TemporaryDirectory()
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file != "martlet.lock" {
        try FileManager.default.copyItem(atPath: "\(folder.path)/\(file)", toPath: "\(copy.path)/\(file)")
      }
      try Self.opening(copy.path, clock: 0) { (copied) throws in
        #expect(try copied.run("SELECT 1") >= acknowledged)
        #expect(try copied.write() > acknowledged)
        #expect(try copied.run("SELECT count(*) FROM t") > acknowledged, "round \(round)")
      }
    }
  }

  @Test func `a database that is renamed goes on with its numbers`() throws {
    let folder = TemporaryDirectory()
    let last = try Self.opening(folder.path) { try $0.write() }
    try Self.opening(folder.path, clock: 0) { (opening) throws in
      try opening.engine.renameDatabase(named: "shop", to: "store", endSessions: nil)
      #expect(try opening.write("store") > last)
      // What takes the former name is another database.
      #expect(try opening.write("shop") < last)
    }
  }

  @Test func `the number of a dropped database is not given again while the clock goes forward`() throws {
    let folder = TemporaryDirectory()
    try Self.opening(folder.path) { (opening) throws in
      let last = try opening.write()
      try opening.engine.dropDatabase(named: "shop", endSessions: nil)
      #expect(try opening.write() > last)
    }
  }

  @Test func `a follower keeps its database open, and hears of its end`() throws {
    let folder = TemporaryDirectory()
    try Self.opening(folder.path) { (opening) throws in
      _ = try opening.write()
      var follower: CommitSubscription? = try opening.engine.database(named: "shop", create: false)
        .subscribe(queueMax: 4) {}
      #expect(throws: RequestError.databaseInUse("shop")) {
        try opening.engine.dropDatabase(named: "shop", endSessions: nil)
      }
      _ = try opening.write()
      try opening.engine.renameDatabase(named: "shop", to: "store", endSessions: {})
      let news = follower?.take()
      #expect(news?.commits.count == 2 && news?.end == .closed)
      follower = nil
      try opening.engine.dropDatabase(named: "store", endSessions: nil)
    }
  }

  @Test func `a commit of unknown outcome ends what is told`() throws {
    let isBroken = Atomic(false)
    let shop = try Shop {
      $0.commitFault = {
        isBroken.load(ordering: .relaxed)
          ? SQLiteError(extendedCode: SQLiteCode.io | (4 << 8), message: "injected") : nil
      }
    }
    let follower = shop.database.subscribe(queueMax: 4) {}
    try shop.base.run(Shop.insertParent, [1])
    isBroken.store(true, ordering: .relaxed)
    #expect(shop.base.result(Shop.insertParent, [2]).error?.isOutcomeUnknown == true)
    let news = follower.take()
    #expect(news.commits.count == 1 && news.end == .fenced)
    #expect(shop.database.subscribe(queueMax: 4) {}.take().end == .fenced)
  }

  private static func damage(_ path: String, at offset: Int) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    for place in SequenceRecord.offsets where place + offset < bytes.count { bytes[place + offset] ^= 1 }
    try bytes.write(to: URL(filePath: path), options: [])
  }
}
