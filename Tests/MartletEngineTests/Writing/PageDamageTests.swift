/// A damaged page is an error that names it, for whoever needs that page, and for nobody else.
import Foundation
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct PageDamageTests {
  private static let select = Trees.select(["id", "body"], from: "victim")
  private static let insert = Trees.insert("neighbour", ["id", "body"])

  /// Makes a closed database of two tables, one of whose pages was damaged; returns that page's number.
  private func damagedDirectory() throws -> (directory: TemporaryDirectory, page: Int) {
    let directory = TemporaryDirectory()
    let engine = try Engine(configuration: configuration(directory))
    let database = try engine.database(named: "test", create: true)
    for sql in [
      "CREATE TABLE victim(id INTEGER PRIMARY KEY, body TEXT)",
      "CREATE TABLE neighbour(id INTEGER PRIMARY KEY, body TEXT)",
    ] { #expect(run(database, Trees.raw(sql)).error == nil) }
    let rows = (1...400).map { [Value.integer(Int64($0)), .text("victim \($0) " + String(repeating: "v", count: 90))] }
    let bulk = Trees.insertRows("victim", ["id", "body"])
    #expect(run(database, bulk, [.rows(RowBatch(rows: rows, columnCount: 2))]).error == nil)
    engine.shutdown()
    let path = "\(directory.path)/test.sqlite"
    var bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
    let marker = Array("victim 200 ".utf8)
    let place = try #require(
      bytes.indices.dropLast(marker.count).first { bytes[$0..<$0 + marker.count].elementsEqual(marker) })
    bytes[place + 20] ^= 0x04
    try Data(bytes).write(to: URL(filePath: path))
    return (directory, place / 4096 + 1)
  }

  private func configuration(_ directory: TemporaryDirectory) -> EngineConfiguration {
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.diskFreeBytesMin = 1 << 20
    return configuration
  }

  private func run(_ database: Database, _ statement: [UInt8], _ parameters: [Value] = []) -> CollectingSink.Outcome {
    let sink = CollectingSink()
    let token = sink.token()
    _ = database.start(
      StatementRequest(source: .statement(statement), parameters: parameters), token: token, sink: sink)
    return sink.outcome(of: token)
  }

  private func expectDamage(_ error: RequestError?, _ page: Int) {
    #expect(error?.code == .dataLoss && error?.reason == .pageCorrupt, "\(String(describing: error))")
    #expect(error?.message.contains("Page \(page) of test.sqlite") == true, "\(String(describing: error))")
  }

  @Test func `a damaged page is named to its readers and writers and harms nobody else`() throws {
    let (directory, page) = try damagedDirectory()
    let engine = try Engine(configuration: configuration(directory))
    defer { engine.shutdown() }
    let database = try engine.database(named: "test", create: false)
    // The pool.
    expectDamage(run(database, Self.select).error, page)
    // An event loop.
    let inline = try database.makeInlineReader(label: "loop.0")
    var rows = RowBatch(columnCount: 0)
    var columns: ResultColumns?
    let outcome = inline.execute(
      StatementRequest(source: .statement(Self.select), parameters: []), rows: &rows, columns: &columns)
    switch outcome {
    case .completed: Issue.record("a loop gave rows of a damaged page")
    case .failed(let error): expectDamage(error, page)
    default: break
    }
    let sink = CollectingSink()
    // The writer, in one group with neighbours.
    var neighbours: [RequestToken] = []
    var victims: [RequestToken] = []
    let begin = sink.token()
    let gate = database.begin(.write, deadline: .distantFuture, token: begin, sink: sink)
    _ = sink.outcome(of: begin)
    for id in 1...6 {
      let token = sink.token()
      if id % 3 == 0 {
        victims.append(token)
        let update = Trees.delete("victim", where: "id")
        _ = database.start(
          StatementRequest(source: .statement(update), parameters: [200]), token: token, sink: sink)
      } else {
        neighbours.append(token)
        let values: [Value] = [.integer(Int64(id)), "kept"]
        _ = database.start(
          StatementRequest(source: .statement(Self.insert), parameters: values), token: token, sink: sink)
      }
    }
    let end = sink.token()
    gate.finish(commit: false, token: end, sink: sink)
    for token in neighbours { #expect(sink.outcome(of: token).error == nil) }
    for token in victims { expectDamage(sink.outcome(of: token).error, page) }
    #expect(!database.isFenced)
    #expect(run(database, Trees.select(["id"], from: "neighbour")).rows.count == 4)
    // Rows of the same table on other pages.
    #expect(run(database, Trees.raw("SELECT body FROM victim WHERE id = 1")).rows.count == 1)
    #expect(run(database, Trees.delete("victim", where: "id"), [1]).completion?.rowsChanged == 1)
  }

  @Test func `stock SQLite reads the file, and what it writes there is told from what Martlet wrote`() throws {
    let directory = TemporaryDirectory()
    let path = "\(directory.path)/test.sqlite"
    let engine = try Engine(configuration: configuration(directory))
    let database = try engine.database(named: "test", create: true)
    #expect(run(database, Trees.raw("CREATE TABLE t(a)")).error == nil)
    for _ in 0..<50 { #expect(run(database, Trees.raw("INSERT INTO t VALUES (zeroblob(500))")).error == nil) }
    engine.shutdown()
    do {
      let stock = try StockDatabase(path)
      #expect(try stock.run("PRAGMA integrity_check; SELECT count(*) FROM t").map { $0[0] } == ["ok", "50"])
      try stock.run("PRAGMA journal_mode=DELETE; UPDATE t SET a = 'x' WHERE rowid = 20")
    }
    let again = try Engine(configuration: configuration(directory))
    defer { again.shutdown() }
    // That program changed the first page, as each does that does not use a log; so the file does not open.
    let error = #expect(throws: RequestError.self) { try again.database(named: "test", create: false) }
    expectDamage(error, 1)
  }
}
