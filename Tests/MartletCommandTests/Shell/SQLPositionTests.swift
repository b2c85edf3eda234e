/// Where the shell points when SQLite refuses a statement.
import MartletValues
import Testing

@testable import MartletCommand

struct SQLPositionTests {
  @Test(arguments: [
    (
      "select 1 form t", "Near \"form\": syntax error.", "raw.parts[0]@9",
      "Near \"form\": syntax error. Did you mean FROM?\n  select 1 form t\n           ^"
    ),
    ("select\n  nope", "no such column: nope", "raw.parts[0]@9", "no such column: nope. (line 2)\n    nope\n    ^"),
    (
      "select 'é日', x x", "No.", "raw.parts[0]@18",
      "No.\n  select 'é日', x x\n  \(String(repeating: " ", count: 16))^"
    ),
    ("select 1", "No place.", "", "No place."),
    ("select 1", "too far", "raw@99", "too far."),
  ])
  func `the error points at the place where one is known`(sql: String, message: String, path: String, shown: String) {
    let error = RequestError(.invalidArgument, .sqlite, message, path: path)
    #expect(SQLPosition.describe(error, in: sql) == shown)
  }

  private static let words: CompletionWords = {
    var words = CompletionWords()
    words.tables = [("items", ["id", "title"]), ("orders", ["a"])]
    return words
  }()

  @Test(arguments: [
    ("select i.a from items i", "No such column: i.a.", "The table orders has one of that name"),
    ("select Titel from items", "No such column: Titel.", "Did you mean title?"),
    ("select * from ITEMS", "No such table: ITEMS.", ""), ("select * from itms", "No such table: itms.", "items?"),
    ("\\dt", "Unrecognized token: \"\\\".", ".tables is what \\dt is elsewhere."),
    ("\\dt+ a", "Unrecognized token: \"\\\".", ".tables is what \\dt is elsewhere."),
    ("select 1 \\G", "Unrecognized token: \"\\\".", ".mode line prints a value a line."),
    ("begin work", "A statement may not control transactions with SQL.", "SQLite has no word WORK there: BEGIN."),
    ("START TRANSACTION", "Near \"START\": syntax error.", "BEGIN IMMEDIATE"),
  ])
  func `the hint says what there is, and never what was written`(sql: String, message: String, hint: String) {
    let shown = SQLPosition.describe(RequestError(.invalidArgument, .sqlite, message), in: sql, words: Self.words)
    #expect(shown.hasPrefix(message) && shown.contains(hint))
    #expect(!hint.isEmpty || shown == message)
  }
}
