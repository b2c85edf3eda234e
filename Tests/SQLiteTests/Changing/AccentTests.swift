import Foundation
import SQLite
import Testing

/// What Swift makes one character of, and SQLite does not: a quote and an accent, the end of a line as on Windows.
@Suite struct AccentTests {
  @Test(arguments: Place.allCases)
  func `a quote with an accent ends a text, and is doubled in a name`(_ place: Place) throws {
    let db = try place.open().db
    #expect(try db.scalar("SELECT '\u{301}?' || ?", "a") as? String == "\u{301}?a")
    #expect(try db.scalar("SELECT length('\u{301}:x') + :x", [":x": 1]) as? Int64 == 4)
    #expect(try db.scalar("SELECT 1 -- ?\r\n + ?", 2) as? Int64 == 3)
    let name = "a\"\u{308}, b"
    let (table, column) = (Table("t\"\u{308}; --"), Expression<String>(name))
    try db.run(table.create { $0.column(column, defaultValue: "'\u{301}, 'x") })
    try db.run(table.insert())
    #expect(try db.scalar(table.select(column)) == "'\u{301}, 'x")
    #expect(try db.prepare(table).map { $0[column] } == ["'\u{301}, 'x"])
  }

  /// The table is made anew, and a definition of its columns does not hold such a condition.
  @Test(arguments: Place.allCases)
  func `a condition behind a comment with a return is seen`(_ place: Place) throws {
    for comment in ["-- id\r\n", "/*/ id */", "/* ' */", "'\u{301}' "] {
      let db = try place.open().db
      let start = comment.hasPrefix("'") ? "id INTEGER DEFAULT \(comment)" : "id INTEGER \(comment)"
      try db.execute("CREATE TABLE t (\(start), a TEXT CHECK (a <> 'x'), b TEXT UNIQUE)")
      #expect(throws: SchemaChanger.Error.self, "\(comment)") {
        try SchemaChanger(connection: db).alter(table: "t") { $0.drop(column: "b") }
      }
      #expect(throws: Result.self) { try db.run("INSERT INTO t (a) VALUES ('x')") }
    }
  }
}
