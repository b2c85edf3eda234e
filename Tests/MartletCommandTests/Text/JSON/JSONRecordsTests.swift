/// Records of JSON files, whole and in pieces, and mistakes with their places.
import Testing

@testable import MartletCommand

@Suite struct JSONRecordsTests {
  private func records(_ text: String, pieces: Int = 1_000_000) throws -> [[String: JSONValue]] {
    var reader = JSONRecords()
    var found: [[String: JSONValue]] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      try reader.consume(bytes[start..<min(start + pieces, bytes.count)]) { record, _ in
        found.append(Dictionary(record.map { ($0.name, $0.value) }) { $1 })
      }
    }
    try reader.finish()
    return found
  }

  private func text(_ text: String) -> JSONValue { .text(Array(text.utf8)) }
  private func document(_ text: String) -> JSONValue { .document(Array(text.utf8)) }

  @Test func `an array and objects behind each other give the same records, cut anywhere`() throws {
    let objects = [
      #"{"a": 1, "b": "x, {}\"\u00e9\ud83d\ude00"}"#, "{}", #"{"a":null,"c":[1, {"d": [ ]}, "]"] }"#,
      #"{ "a" : -1.5e3 , "t":true,"f":false, "big": 9223372036854775808, "zero":0, "huge": 1e400, "#
        + #""tiny": 2E-400, "none": 0.0e9}"#,
    ]
    let expected: [[String: JSONValue]] = [
      ["a": .integer(1), "b": text("x, {}\"é😀")], [:], ["a": .null, "c": document(#"[1, {"d": [ ]}, "]"]"#)],
      [
        "a": .real(-1_500), "t": .boolean(true), "f": .boolean(false), "big": text("9223372036854775808"),
        "zero": .integer(0), "huge": text("1e400"), "tiny": text("2E-400"), "none": .real(0),
      ],
    ]
    let spellings = [
      "[" + objects.joined(separator: ",") + "]", "\u{FEFF} [\n" + objects.joined(separator: " ,\r\n") + "\n] \n",
      objects.joined(separator: "\n") + "\n", objects.joined(),
    ]
    for spelling in spellings {
      for pieces in [1, 2, 7, 100_000] { #expect(try records(spelling, pieces: pieces) == expected, "\(spelling)") }
    }
    for empty in ["", "[]", " [ ] "] { #expect(try records(empty).isEmpty) }
  }

  @Test(
    arguments: [
      ("123456789012345678.5", false), ("12345678901234567890.5", false), ("0.1234567890123456789", false),
      ("9007199254740993.5", false), ("99999999999999999.5", false), ("3e-324", false), ("-1e400", false),
      ("0.30000000000000004", true), ("0.10000000000000001", true), ("1.50000000000000000000", true),
      ("1234567890.123457", true), ("5e-324", true), ("1e-320", true), ("-0.0", true), ("1.7976931348623157e308", true),
      ("9.0e999", true), ("-9.0e999", true), ("9e999", false), ("1e999", false),
    ])
  func `a number is a real one only if its digits survive, in CSV as in JSON`(number: String, isReal: Bool) throws {
    let value = try records("{\"a\": \(number)}")[0]["a"]
    #expect(value == (isReal ? Double(number).map { .real($0) } : text(number)))
    // Of exponents CSV takes those alone that export writes.
    guard !number.contains("e") || number.hasSuffix("e999") else { return }
    #expect((ColumnTypeInference.real(Array(number.utf8)) != nil) == isReal)
  }

  @Test func `mistakes are told with line and column`() {
    let table: [(String, Int, Int, String)] = [
      ("{\"a\": 1}\n{\"a\": x}", 2, 7, "no value"), ("[{\"a\": 1}\n {\"a\": 1}]", 2, 2, "comma"),
      ("[1]", 1, 2, "object"), ("{\"a\" 1}", 1, 6, "colon"), ("{a: 1}", 1, 2, "name in quotes"),
      ("{\"a\": 1,}", 1, 9, "name in quotes"), ("{\"a\": [1,]}", 1, 10, "no value"),
      ("{\"a\": [1 2]}", 1, 10, "comma"), ("{\"a\": {\"b\"}}", 1, 11, "colon"), ("{\"a\": 01}", 1, 9, "number"),
      ("{\"a\": 1.}", 1, 9, "digits"), ("{\"a\": \"\\x\"}", 1, 9, "escape"),
      ("{\"a\": \"\\ud800\"}", 1, 14, "half"), ("{\"a\": \"x\ny\"}", 1, 9, "line breaks"), ("{\"a\": 1", 1, 1, "end"),
      ("[{\"a\": 1}", 1, 9, "]"), ("[{\"a\": 1}] 5", 1, 12, "behind"), ("[{\"a\": 1},]", 1, 11, "object"),
      ("{\"a\": [1}", 1, 1, "end"), ("{\"a\": {]}}", 1, 8, "name"), ("{\"a\": [[1},2]}", 1, 10, "comma"),
    ]
    for (text, line, column, words) in table {
      do {
        let found = try records(text)
        Issue.record("\(text) gave \(found)")
      } catch let failure as JSONRecords.Failure {
        #expect(failure.problem.contains(words), "\(text): \(failure)")
        #expect((failure.line, failure.column) == (line, column), "\(text): \(failure)")
      } catch {
        Issue.record("\(text): \(error)")
      }
    }
  }

  @Test func `deep nesting costs nothing`() throws {
    let deep = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
    #expect(try records("{\"a\": \(deep)}") == [["a": document(deep)]])
  }

  @Test func `an exact field says what it is`() {
    let table: [(String, Bool, ExactField?)] = [
      ("1", false, .integer(1)), ("-9223372036854775808", false, .integer(.min)), ("1.5", false, .real(1.5)),
      ("9.0e999", false, .real(.infinity)), ("1", true, .text(Array("1".utf8)[...])), ("", true, .text([])),
      ("X'00fF'", false, .blob([0, 255])), ("X''", false, .blob([])), ("X'0'", false, nil), ("X'0g'", false, nil),
      ("X'00'", true, .text(Array("X'00'".utf8)[...])), ("abc", false, nil), ("nan", false, nil), ("+1", false, nil),
    ]
    for (text, isQuoted, field) in table {
      #expect(ExactField(Array(text.utf8)[...], isQuoted: isQuoted, isNull: false) == field, "\(text)")
    }
    #expect(ExactField([], isQuoted: false, isNull: true) == .null)
  }

  @Test func `a pager counts lines of the screen`() {
    #expect(Pager.lines(of: Array("a\nbb\n".utf8), columns: 80) == 2)
    #expect(Pager.lines(of: Array((String(repeating: "x", count: 81) + "\n\n").utf8), columns: 80) == 3)
    #expect(Pager.lines(of: Array((String(repeating: "音", count: 40) + "\n").utf8), columns: 80) == 1)
    let environments: [([String: String], String?)] = [
      (["PAGER": "more"], "more"), (["PAGER": "more", "MARTLET_PAGER": "most -x"], "most -x"),
      (["PAGER": "cat"], nil), (["MARTLET_PAGER": "", "PAGER": "more"], nil), (["PATH": "/nowhere"], nil),
    ]
    for (environment, command) in environments { #expect(Pager.command { environment[$0] } == command) }
  }
}
