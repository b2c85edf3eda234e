/// SQL text that nobody would write: each is answered, none with an error that nobody foresaw, and the engine goes on.
///
/// Always true: MARTLET_SEED says where the texts begin.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct RandomTextTests {
  private static let pieces = [
    ";", ";;;;;;;;;", " ", "\n", "\u{FEFF}", "/**/", "/*", "--", "-- x\n", "(", ")", ",", ".", "=", "||", "->>", "'",
    "''",
    "'a'", "\"", "\"item\"", "[", "[item]", "`", "?", "?1", "?99", ":a", "@a", "$a::b", "x'ff'", "x'f", "1", "-1",
    "1e999",
    "9223372036854775808", "0x", "ä", "\u{0}", "*", "EXPLAIN ", "QUERY PLAN ", "VACUUM ", "INTO ", "main ", "main.",
    "temp.", "PRAGMA ", "optimize", "user_version", "ANALYZE ", "REINDEX ", "ATTACH ", "DETACH ", "AS ", "BEGIN ",
    "COMMIT ", "ROLLBACK ", "SAVEPOINT ", "RELEASE ", "TO ", "SELECT ", "DISTINCT ", "FROM ", "WHERE ", "GROUP BY ",
    "HAVING ", "WINDOW ", "OVER ", "ORDER BY ", "LIMIT ", "VALUES ", "UNION ", "ALL ", "WITH ", "RECURSIVE ", "item ",
    "child ", "id ", "name ", "qty ", "rowid ", "INSERT ", "OR REPLACE ", "DEFAULT VALUES ", "ON CONFLICT ", "DO ",
    "NOTHING ", "UPDATE ", "SET ", "DELETE ", "RETURNING ", "CREATE ", "TEMP ", "TABLE ", "VIRTUAL ", "USING ", "fts5",
    "VIEW ", "TRIGGER ", "INDEX ", "IF NOT EXISTS ", "DROP ", "ALTER ", "RENAME ", "COLUMN ", "ADD ", "MATCH ", "LIKE ",
    "count(*)", "max(id)", "pragma_table_info", "json_each", "sqlite_schema", "NULL", "CASE ", "WHEN ", "END ", "CAST ",
  ]
  /// What gives a text a chance of being taken.
  private static let beginnings = [
    "", "SELECT ", "SELECT * FROM item ", "INSERT INTO item VALUES (", "UPDATE item SET qty = ", "DELETE FROM child ",
    "CREATE TABLE ", "PRAGMA ", "VACUUM ", "WITH a AS (SELECT ", ";", ";;;;;;;;;", "SELECT 1 AS a ",
    "SELECT id FROM item ",
    "SELECT count(*) ", "VALUES (1", "SELECT * FROM item AS a WHERE id ",
  ]

  private struct Run {
    let shop: Shop

    /// What each way to run the text ends with: nil if it succeeded.
    func errors(of text: String) -> [RequestError?] {
      let bytes = Trees.raw(text)
      let deadline = Deadline.now().advanced(milliseconds: 500)
      var errors = [shop.sink.outcome(of: shop.start(bytes, deadline: deadline).token).error]

      let batch = shop.sink.token()
      let steps = [StatementStep(source: .statement(bytes), parameters: [])]
      _ = shop.database.start(
        BatchRequest(steps: steps, isAtomic: true, deadline: deadline), token: batch, sink: shop.sink)
      errors.append(shop.sink.outcome(of: batch).error)

      for mode in [TransactionMode.read, .write] {
        let begin = shop.sink.token()
        let transaction = shop.database.begin(mode, deadline: .distantFuture, token: begin, sink: shop.sink)
        #expect(shop.sink.outcome(of: begin).error == nil)
        let token = shop.sink.token()
        let request = StatementRequest(source: .statement(bytes), deadline: deadline)
        _ = transaction.start(request, token: token, sink: shop.sink)
        errors.append(shop.sink.outcome(of: token).error)
        let end = shop.sink.token()
        transaction.finish(commit: false, token: end, sink: shop.sink)
        _ = shop.sink.outcome(of: end)
      }
      return errors
    }
  }

  @Test func `any text is answered, alone, in a batch and in transactions`() throws {
    let run = Run(shop: try Shop())
    let seed = ProcessInfo.processInfo.environment["MARTLET_SEED"].flatMap(UInt64.init) ?? 1
    var random = SeededGenerator(seed: seed)
    var taken = 0
    for _ in 0..<1_500 {
      var text = Self.beginnings.randomElement(using: &random) ?? ""
      for _ in 0..<Int.random(in: 0...8, using: &random) { text += Self.pieces.randomElement(using: &random) ?? "" }
      for error in run.errors(of: text) {
        guard let error else {
          taken += 1
          continue
        }
        let isForeseen = error.code != .internal && error.code != .unknown && error.message.hasSuffix(".")
        #expect(isForeseen, "\(text.debugDescription): \(error)")
      }
    }
    #expect(taken > 100)
    #expect(run.shop.counter("connection_recoveries") == 0)
    #expect(run.shop.counter("databases_fenced") == 0)
  }
}
