/// What a program shows of an error.
import Foundation
import MartletClient
import MartletValues
import Testing

@Suite struct ErrorSentenceTests {
  private static let mistakes: [(name: String, part: String, make: @Sendable () throws -> Void)] = [
    ("a text", "UTF-8", { throw InvalidText() }),
    ("a condition", "semicolon", { _ = try RowRule("a; b") }),
    ("a list of shapes", "line 1: ", { _ = try ShapeList("no shape") }),
    ("a value", "NULL", { throw RowValueMismatch.null(expected: "Int") }),
  ]

  @Test func `an error says what it is, by whatever way it is printed`() {
    for (name, part, make) in Self.mistakes {
      let error = #expect(throws: (any Error).self, "\(name)") { try make() }
      let text = error?.localizedDescription ?? ""
      #expect(text.contains(part), "\(name): \(text)")
      #expect(error.map { "\($0)" } == text, "\(name)")
    }
  }
}
