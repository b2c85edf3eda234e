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
}
