/// The types of columns that are made for JSON.
import Testing

@testable import MartletCommand

@Suite struct JSONColumnTypeTests {
  private static func text(_ text: String) -> JSONValue { .text(Array(text.utf8)) }

  @Test(
    arguments: [
      ([.integer(1), .null, .boolean(true)], "INTEGER"), ([.integer(1), .real(0.5)], "REAL"),
      ([.real(0.5), .integer(1 << 53)], "REAL"),
      // A real number would be another one.
      ([.integer((1 << 53) + 1), .real(0.5)], "BLOB"), ([.real(0.5), .integer(.max)], "BLOB"),
      ([.integer(1), text("x")], "BLOB"), ([text("x"), .real(1), .integer(1)], "BLOB"),
      ([text("x"), .document(Array("[]".utf8))], "TEXT"), ([.null], "TEXT"), ([], "TEXT"),
    ] as [([JSONValue], String)])
  func `a column keeps what its values are`(values: [JSONValue], word: String) {
    var type = JSONColumnType()
    for value in values { type.seen(value) }
    #expect(type.word == word)
  }
}
