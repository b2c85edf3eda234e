/// Logs of databases that nobody opened since a server was killed: they are in the files after a proper end.
import Foundation
import MartletSQLite
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct ClosedLogsTests {
  private final class Notices: Sendable {
    let all = Mutex<[EngineNotice]>([])
  }

  private let former = TemporaryDirectory()
  private let directory = TemporaryDirectory()
  private let notices = Notices()

  /// What a killed server leaves of the database `shop`, with a table and a row that are in the log.
  init() throws {
    let engine = try Self.engine(in: former, Notices())
    defer { engine.shutdown() }
    let database = try engine.database(named: "shop", create: true)
    for sql in ["CREATE TABLE item(id INTEGER PRIMARY KEY, body TEXT)", "INSERT INTO item VALUES(1, 'one')"] {
      let sink = CollectingSink()
      let token = sink.token()
      _ = database.start(
        StatementRequest(source: .statement(Trees.raw(sql)), parameters: []), token: token, sink: sink)
      #expect(sink.outcome(of: token).error == nil)
    }
    for part in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: "\(former.path)/shop.sqlite\(part)", toPath: "\(directory.path)/shop.sqlite\(part)")
    }
  }

  private static func engine(in directory: TemporaryDirectory, _ notices: Notices) throws -> Engine {
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.diskFreeBytesMin = 1 << 20
    configuration.report = { notice in notices.all.withLock { $0.append(notice) } }
    return try Engine(configuration: configuration)
  }

  private func file(_ part: String = "") -> String { "\(directory.path)/shop.sqlite\(part)" }

  private var logBytes: Int { FileManager.default.contents(atPath: file("-wal"))?.count ?? 0 }

  /// Starts an engine and ends it; nobody opens the database.
  private func pass(dueIn milliseconds: Int?) throws {
    let engine = try Self.engine(in: directory, notices)
    engine.shutdown(
      copyingLogsUntil: milliseconds.map { engine.configuration.clock().advanced(milliseconds: $0) })
  }

  private var told: [String] {
    notices.all.withLock { $0.filter { $0.level == .warning && $0.database == "shop" }.map(\.text) }
  }

  @Test func `the file alone has every row after a proper end`() throws {
    #expect(logBytes > 0)
    try pass(dueIn: 60_000)
    #expect(logBytes == 0 && told.isEmpty, "\(told)")
    let copy = "\(former.path)/copy.sqlite"
    try FileManager.default.copyItem(atPath: file(), toPath: copy)
    let connection = try Connection(path: copy, label: "copy", access: .reader, setup: .init(), clock: { 0 })
    #expect(try connection.text(of: "SELECT body FROM item") == "one")
  }

  @Test func `without time the log stays, and the database is named`() throws {
    let before = logBytes
    try pass(dueIn: 0)
    #expect(logBytes == before && told.count == 1 && told[0].contains("-wal") && told[0].contains("no time"))
    try pass(dueIn: nil)
    #expect(logBytes == before && told.count == 1)
  }

  @Test(arguments: ["", "-wal"])
  func `what SQLite would throw away stays as it is, and the database is named`(emptied part: String) throws {
    // The file without a page, or a log without a commit.
    if part.isEmpty { try Data().write(to: URL(filePath: file())) }
    if part == "-wal" { try Data(repeating: 7, count: 40).write(to: URL(filePath: file("-wal"))) }
    let before = (FileManager.default.contents(atPath: file()), FileManager.default.contents(atPath: file("-wal")))
    try pass(dueIn: 60_000)
    #expect(FileManager.default.contents(atPath: file()) == before.0)
    #expect(FileManager.default.contents(atPath: file("-wal")) == before.1)
    #expect(told.count == 1 && told[0].contains("holds no commit"), "\(told)")
  }
}
