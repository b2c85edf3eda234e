/// Texts that are not UTF-8: every way out of the engine refuses them by name, and nothing is changed on the way.
import Foundation
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct InvalidTextTests {
  private static let bad = "cast(x'ff41' as text)"

  private func expectRefusal(
    _ error: RequestError?, column: Int, name: String, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(error?.reason == .notUTF8 && error?.code == .failedPrecondition, sourceLocation: location)
    #expect(error?.column == name && error?.isRetryable == false, sourceLocation: location)
    #expect(error?.sqliteCode == 0, "SQLite takes such text", sourceLocation: location)
    #expect(error?.message.hasPrefix("Column \(column) (\(name)) holds") == true, sourceLocation: location)
    #expect(error?.message.contains("AS BLOB") == true, sourceLocation: location)
  }

  @Test func `the loop and the pool name the column, and a blob gives its bytes`() throws {
    let fixture = try ReadFixture()
    try fixture.run("INSERT INTO items VALUES (1, \(Self.bad), 0), (2, 'a' || char(0) || 'é', 0)")
    let reader = try fixture.inlineReader()
    var rows = RowBatch()
    var columns: ResultColumns?
    for _ in 0..<3 {
      let request = StatementRequest(source: .statement(ReadFixture.byID), parameters: [1])
      guard case .failed(let error) = reader.execute(request, rows: &rows, columns: &columns) else {
        Issue.record("the loop sent such a text")
        return
      }
      expectRefusal(error, column: 2, name: "title")
      #expect(rows.rowCount == 0)
    }
    let sound = StatementRequest(source: .statement(ReadFixture.byID), parameters: [2])
    guard case .completed = reader.execute(sound, rows: &rows, columns: &columns) else { throw InvalidText() }
    #expect(try rows.row(0) == [2, "a\u{0}é", 0.0])
    let (token, _) = try fixture.start("SELECT id, title AS words FROM items")
    expectRefusal(fixture.sink.outcome(of: token).error, column: 2, name: "words")
    let (blob, _) = try fixture.start("SELECT cast(title AS blob) FROM items WHERE id = 1")
    #expect(fixture.sink.outcome(of: blob).rows == [[.blob([0xFF, 0x41])]])
  }

  @Test func `a stream gives the batches before the bad row and then the error`() throws {
    let fixture = try ReadFixture()
    let (token, _) = try fixture.start(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      SELECT i, iif(i = 40000, \(Self.bad), 'é' || i) AS t FROM n
      """)
    let outcome = fixture.sink.outcome(of: token)
    expectRefusal(outcome.error, column: 2, name: "t")
    let count = outcome.rows.count
    #expect(count > 10_000 && count < 40_000)
    #expect(outcome.rows.last == [.integer(Int64(count)), .text("é\(count)")])
  }

  @Test func `two halves of a character in two rows are two bad texts`() throws {
    let fixture = try ReadFixture()
    try fixture.run(
      "INSERT INTO items VALUES (1, cast(x'c3' as text), 0), (2, cast(x'a9' as text), 0), (3, 'é', 0)")
    for (sql, isRefused) in [
      ("SELECT title FROM items WHERE id < 3 ORDER BY id", true),
      ("SELECT title FROM items WHERE id = 2", true),
      ("SELECT cast(title AS blob) AS title FROM items WHERE id < 3 UNION ALL SELECT 'é'", false),
      ("SELECT id, iif(id = 2, title, 1) AS title FROM items WHERE id <> 1 ORDER BY id", true),
      ("SELECT title FROM items WHERE id = 3", false),
      ("SELECT iif(id = 2, title, '') AS title, iif(id = 1, title, '') FROM items ORDER BY id", true),
    ] {
      let (token, _) = try fixture.start(sql)
      let outcome = fixture.sink.outcome(of: token)
      #expect(isRefused ? outcome.error?.reason == .notUTF8 : outcome.error == nil, "\(sql)")
      #expect(!isRefused || (outcome.error?.column == "title" && outcome.rows.isEmpty), "\(sql)")
    }
  }

  @Test func `a write that returns one is undone, alone, in a group, in batches and in a transaction`() throws {
    let shop = try Shop()
    let wrong = "INSERT INTO log (note) VALUES (\(Self.bad)) RETURNING id, note"
    expectRefusal(shop.base.result(Trees.raw(wrong)).error, column: 2, name: "note")
    var tokens: [RequestToken] = []
    shop.together {
      tokens = (1...3).map {
        $0 == 2 ? shop.start(Trees.raw(wrong)).token : shop.start(Trees.insert("log", ["note"]), ["x"]).token
      }
    }
    #expect(tokens.map { shop.sink.outcome(of: $0).error?.reason } == [nil, .notUTF8, nil])
    for isAtomic in [true, false] {
      let token = shop.sink.token()
      let steps = [Trees.raw("INSERT INTO log (note) VALUES ('y')"), Trees.raw(wrong)].map {
        StatementStep(source: .statement($0))
      }
      _ = shop.database.start(BatchRequest(steps: steps, isAtomic: isAtomic), token: token, sink: shop.sink)
      var second = token
      second.step = 2
      _ = shop.sink.outcome(of: token)
      expectRefusal(shop.sink.outcome(of: second).error, column: 2, name: "note")
    }
    #expect(try shop.base.sql("SELECT note FROM log ORDER BY note").rows == [["x"], ["x"], ["y"]])
  }

  @Test func `what cannot be read can be counted, kept from a batch's reference, and repaired`() throws {
    let shop = try Shop()
    try shop.base.sql("INSERT INTO log (id, note) VALUES (1, \(Self.bad))")
    let token = shop.sink.token()
    let batch = BatchRequest(
      steps: [
        .init(source: .statement(Trees.raw("SELECT note FROM log WHERE id = 1"))),
        .init(
          source: .statement(Trees.insert("log", ["note"])), parameters: [.firstRow(step: 1, column: 0)]),
      ], isAtomic: true)
    _ = shop.database.start(batch, token: token, sink: shop.sink)
    #expect(shop.sink.outcome(of: token).error?.reason == .notUTF8)
    #expect(try shop.base.sql("SELECT count(*), length(note) FROM log").rows == [[1, 2]])
    try shop.base.sql("UPDATE log SET note = 'A' WHERE cast(note AS blob) = x'ff41'")
    #expect(try shop.base.sql("SELECT note FROM log").rows == [["A"]])
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `a database in UTF-16 gives its texts in UTF-8, and refuses half a surrogate`(encoding: String) throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/main.sqlite"
    var setup = ConnectionSetup()
    setup.keepsJournalMode = true
    do {
      let maker = try Connection(path: path, label: "maker", access: .writer, setup: setup, clock: { 0 })
      try maker.execute("PRAGMA encoding = '\(encoding)'")
      try maker.execute("CREATE TABLE words(id INTEGER PRIMARY KEY, word TEXT)")
      let half = encoding == "UTF-16le" ? "x'00d8'" : "x'd800'"
      try maker.execute("INSERT INTO words VALUES (1, 'é日👍' || char(0)), (2, cast(\(half) AS text)), (3, '')")
    }
    let engine = try Engine(configuration: EngineConfiguration(directory: directory.path))
    defer { engine.shutdown() }
    let database = try engine.database(named: "main", create: false)
    func read(_ id: Int) -> CollectingSink.Outcome {
      let sink = CollectingSink()
      let token = sink.token()
      let sql = Trees.raw("SELECT word FROM words WHERE id = \(id)")
      _ = database.start(StatementRequest(source: .statement(sql)), token: token, sink: sink)
      return sink.outcome(of: token)
    }
    #expect(read(1).rows == [["é日👍\u{0}"]])
    expectRefusal(read(2).error, column: 1, name: "word")
    #expect(read(3).rows == [[""]])
  }

  @Test func `names in a file of another program that are not UTF-8 come with a mark in the place of what is not`()
    throws
  {
    let directory = TemporaryDirectory()
    let path = directory.path + "/main.sqlite"
    var setup = ConnectionSetup()
    setup.keepsJournalMode = true
    do {
      let maker = try Connection(path: path, label: "maker", access: .writer, setup: setup, clock: { 0 })
      try maker.execute("CREATE TABLE t(wrongwrong TEXT)")
      try maker.execute("INSERT INTO t VALUES ('fine')")
    }
    var file = try Data(contentsOf: URL(filePath: path))
    let place = try #require(file.range(of: Data("wrongwrong".utf8)))
    file.replaceSubrange(place, with: Data("wrong".utf8) + [0xFF, 0xFE, 0x80, 0xFF, 0xC3])
    try file.write(to: URL(filePath: path))
    let engine = try Engine(configuration: EngineConfiguration(directory: directory.path))
    defer { engine.shutdown() }
    let database = try engine.database(named: "main", create: false)
    let sink = CollectingSink()
    let token = sink.token()
    _ = database.start(StatementRequest(source: .statement(Trees.raw("SELECT * FROM t"))), token: token, sink: sink)
    let outcome = sink.outcome(of: token)
    #expect(outcome.rows == [["fine"]])
    #expect(outcome.columns?.columns.first?.name.hasPrefix("wrong\u{FFFD}") == true)
  }
}
