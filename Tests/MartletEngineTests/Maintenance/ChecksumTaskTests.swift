/// Page checksums of a file that no server has open: told, made anew, added.
import Foundation
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct ChecksumTaskTests {
  private static let rowCount = 500

  /// A database with checksums, closed.
  private func makeDirectory(checksums: Bool = true) throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try withEngine(directory, checksums: checksums) { database in
      for sql in ["CREATE TABLE item(id INTEGER PRIMARY KEY, body TEXT)", "CREATE INDEX item_id ON item(id)"] {
        #expect(run(database, Trees.raw(sql)).error == nil)
      }
      let rows = (1...Self.rowCount).map {
        [Value.integer(Int64($0)), .text("row \($0) " + String(repeating: "v", count: 90))]
      }
      let bulk = Trees.insertRows("item", ["id", "body"])
      #expect(run(database, bulk, [.rows(RowBatch(rows: rows, columnCount: 2))]).error == nil)
    }
    return directory
  }

  private func withEngine<Result>(
    _ directory: TemporaryDirectory, checksums: Bool = true, _ body: (Database) throws -> Result
  ) throws -> Result {
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.diskFreeBytesMin = 1 << 20
    configuration.makesPageChecksums = checksums
    let engine = try Engine(configuration: configuration)
    defer { engine.shutdown() }
    return try body(try engine.database(named: "test", create: true))
  }

  private func run(_ database: Database, _ statement: [UInt8], _ parameters: [Value] = []) -> CollectingSink.Outcome {
    let sink = CollectingSink()
    let token = sink.token()
    _ = database.start(
      StatementRequest(source: .statement(statement), parameters: parameters), token: token, sink: sink)
    return sink.outcome(of: token)
  }

  private func bodies(_ directory: TemporaryDirectory) throws -> CollectingSink.Outcome {
    try withEngine(directory) { run($0, Trees.select(["body"], from: "item")) }
  }

  private func file(_ directory: TemporaryDirectory) -> String { "\(directory.path)/test.sqlite" }

  /// Writes as a program does that knows nothing of checksums: changes a text where it stands, and nothing else.
  /// Returns the pages: one may have what is left of a text that was moved.
  private func writeStrangely(_ directory: TemporaryDirectory, _ body: (inout [UInt8], Int) -> Void) throws -> [Int] {
    var bytes = [UInt8](try #require(FileManager.default.contents(atPath: file(directory))))
    let marker = Array("row 250 v".utf8)
    let places = bytes.indices.dropLast(marker.count).filter {
      bytes[$0] == marker[0] && bytes[$0..<$0 + marker.count].elementsEqual(marker)
    }
    for place in places { body(&bytes, place) }
    try Data(bytes).write(to: URL(filePath: file(directory)))
    return Set(places.map { $0 / 4096 + 1 }).sorted()
  }

  private func task(_ task: ChecksumTask, _ directory: TemporaryDirectory) throws -> ChecksumTask.Report {
    var limits = Limits()
    limits.diskFreeBytesMin = 1 << 20
    return try task.run(onDatabase: "test", in: directory.path, limits: limits)
  }

  @Test func `a page that another program wrote is told, and has a checksum again after renew`() throws {
    let directory = try makeDirectory()
    let whole = try task(.status, directory)
    #expect(whole.hasChecksums && whole.damagedCount == 0 && whole.pages > 10)
    let pages = try writeStrangely(directory) { bytes, place in bytes[place + 8] = UInt8(ascii: "w") }
    let told = try task(.status, directory)
    #expect(told.damaged == pages && told.damagedCount == pages.count && !pages.isEmpty && told.pages == whole.pages)
    #expect(try bodies(directory).error?.reason == .pageCorrupt)
    #expect(try task(.renew, directory).damagedCount == 0)
    let rows = try bodies(directory).rows
    #expect(rows.count == Self.rowCount)
    #expect(rows.contains([.text("row 250 w" + String(repeating: "v", count: 89))]))
  }

  @Test func `a log beside the file is told, and is none any more after renew`() throws {
    let (directory, former) = (TemporaryDirectory(), TemporaryDirectory())
    // What a killed server leaves.
    try withEngine(former) { database in
      #expect(run(database, Trees.raw("CREATE TABLE item(id INTEGER PRIMARY KEY, body TEXT)")).error == nil)
      for part in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: file(former) + part, toPath: file(directory) + part)
      }
    }
    let size = try #require(FileManager.default.contents(atPath: file(directory) + "-wal")).count
    let report = try task(.status, directory)
    #expect(size > 0 && report.logBytes == Int64(size) && report.damagedCount == 0)
    #expect(try task(.renew, directory).logBytes == 0)
    #expect(try task(.status, directory).logBytes == 0)
  }

  @Test func `the first page is told and renewed like any other`() throws {
    let directory = try makeDirectory()
    _ = try writeStrangely(directory) { bytes, _ in bytes[63] = 7 }
    #expect(try task(.status, directory).damaged == [1])
    let error = #expect(throws: RequestError.self) { try bodies(directory) }
    #expect(error?.reason == .pageCorrupt && error?.message.contains("martlet checksums renew") == true)
    #expect(try task(.renew, directory).damagedCount == 0)
    #expect(try bodies(directory).rows.count == Self.rowCount)
  }

  @Test func `a file without checksums gets them, with every row`() throws {
    let directory = try makeDirectory(checksums: false)
    let before = try bodies(directory).rows
    #expect(before.count == Self.rowCount)
    #expect(throws: RequestError.self) { try task(.renew, directory) }
    for (task, has) in [(ChecksumTask.status, false), (.on, true), (.on, true), (.status, true), (.renew, true)] {
      let report = try self.task(task, directory)
      #expect(report.hasChecksums == has && report.damagedCount == 0 && (report.pages > 0) == has)
      #expect(try bodies(directory).rows == before)
    }
  }

  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST"])
  func `a file that another program left in rollback mode is looked at, and gets its checksums`(mode: String) throws {
    for checksums in [true, false] {
      let directory = try makeDirectory(checksums: checksums)
      do {
        var setup = ConnectionSetup()
        setup.keepsJournalMode = true
        setup.pageChecksums = .unverified
        let stranger = try Connection(
          path: file(directory), label: "stranger", access: .writer, setup: setup, clock: { 0 })
        #expect(try stranger.text(of: "PRAGMA journal_mode = \(mode)") == mode.lowercased())
      }
      let looked = try task(.status, directory)
      #expect(looked.hasChecksums == checksums)
      let whole = try task(checksums ? .renew : .on, directory)
      #expect(whole.hasChecksums && whole.damagedCount == 0 && whole.pages > 10)
      #expect(try bodies(directory).rows.count == Self.rowCount)
    }
  }

  @Test func `a file whose content is damaged stays as it is, byte for byte`() throws {
    let directory = try makeDirectory()
    _ = try writeStrangely(directory) { bytes, place in
      for index in (place / 4096 * 4096)..<(place / 4096 * 4096 + 100) { bytes[index] = 0xA5 }
    }
    let before = FileManager.default.contents(atPath: file(directory))
    let error = #expect(throws: RequestError.self) { try task(.renew, directory) }
    #expect(error?.code == .dataLoss && error?.message.contains("backup") == true)
    #expect(FileManager.default.contents(atPath: file(directory)) == before)
  }

  @Test func `nothing is done while a server has the directory, or where there is no such database`() throws {
    let directory = try makeDirectory()
    try withEngine(directory) { _ in
      for task in ChecksumTask.allCases {
        let error = #expect(throws: RequestError.self) { try self.task(task, directory) }
        #expect(error?.code == .failedPrecondition)
      }
    }
    for (name, reason) in [("nobody", RequestError.Reason.unknownDatabase), ("../test", .unknownDatabase)] {
      let error = #expect(throws: RequestError.self) {
        try ChecksumTask.status.run(onDatabase: name, in: directory.path)
      }
      #expect(error?.reason == reason)
    }
  }
}
