/// How large a schema may become, since each connection reads all of it after each change.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct SchemaBoundTests {
  private func refusal(of sql: String, in base: TemporaryDatabase) throws -> RequestError? {
    base.result(Trees.raw(sql)).error
  }

  @Test func `what is beyond the bound is refused alone, and dropping makes room`() throws {
    let base = try TemporaryDatabase { $0.limits.schemaObjectsMax = 12 }
    for index in 0..<12 { #expect(try refusal(of: "CREATE TABLE t\(index)(a)", in: base) == nil) }
    for sql in [
      "CREATE TABLE more(a)", "CREATE TABLE more AS SELECT 1 AS a", "CREATE INDEX more ON t0(a)",
      "CREATE VIEW more AS SELECT a FROM t0", "CREATE VIRTUAL TABLE more USING fts5(a)",
      "CREATE TRIGGER more AFTER INSERT ON t0 BEGIN SELECT 1; END", "ALTER TABLE t0 ADD COLUMN b",
    ] {
      let error = try #require(try refusal(of: sql, in: base), "\(sql)")
      #expect(error.code == .resourceExhausted && error.reason == .limit, "\(sql): \(error)")
      #expect(error.message.contains("has 12 tables, indexes, views and triggers, and may have 12"), "\(error)")
    }
    // Rows, and what takes from the schema, go on as before.
    for sql in ["INSERT INTO t0 VALUES (1)", "ANALYZE", "REINDEX", "DROP TABLE t11", "DROP TABLE t10"] {
      #expect(try refusal(of: sql, in: base) == nil, "\(sql)")
    }
    #expect(try refusal(of: "CREATE INDEX more ON t0(a)", in: base) == nil)
    #expect(try refusal(of: "CREATE TABLE last(a)", in: base) != nil, "ANALYZE made a table")
  }

  @Test func `the text of a schema is bounded too`() throws {
    let base = try TemporaryDatabase { $0.limits.schemaBytesMax = 4_000 }
    // A text of three bytes a character counts as what it takes.
    let long = String(repeating: "…", count: 600)
    #expect(try refusal(of: "CREATE TABLE a(x TEXT DEFAULT '\(long)')", in: base) == nil)
    #expect(try refusal(of: "CREATE TABLE b(x TEXT DEFAULT '\(long)')", in: base) == nil)
    #expect(try refusal(of: "CREATE TABLE c(x TEXT DEFAULT '\(long)')", in: base) == nil)
    let error = try #require(try refusal(of: "CREATE TABLE d(x)", in: base))
    #expect(error.reason == .limit && error.message.contains("bytes of SQL, and may have 4000"), "\(error)")
    #expect(try refusal(of: "DROP TABLE a", in: base) == nil)
    #expect(try refusal(of: "CREATE TABLE d(x)", in: base) == nil)
  }

  @Test func `a transaction goes on after a refusal, and what it drops makes room at once`() throws {
    let shop = try Shop { $0.limits.schemaObjectsMax = 10 }
    let bound = try #require(try refusal(of: "CREATE TABLE more(a)", in: shop.base))
    #expect(bound.reason == .limit)
    let begin = shop.sink.token()
    let transaction = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
    for (sql, isRefused) in [
      ("INSERT INTO numbers VALUES (1000)", false), ("CREATE TABLE more(a)", true), ("DROP TABLE slow", false),
      ("DROP TABLE log", false), ("CREATE TABLE more(a)", false), ("INSERT INTO more VALUES (1)", false),
    ] {
      let token = shop.sink.token()
      _ = transaction.start(StatementRequest(source: .statement(Trees.raw(sql))), token: token, sink: shop.sink)
      #expect((shop.sink.outcome(of: token).error?.reason == .limit) == isRefused, "\(sql)")
    }
    let token = shop.sink.token()
    transaction.finish(commit: true, required: 0, token: token, sink: shop.sink)
    #expect(shop.sink.outcome(of: token).error == nil)
    #expect(try shop.base.run(Trees.select(["a"], from: "more")).rows == [[1]])
  }
}
