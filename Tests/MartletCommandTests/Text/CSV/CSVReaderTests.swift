/// CSV files as people and programs write them, cut anywhere; and the types that their columns get.
import MartletValues
import Testing

@testable import MartletCommand

struct CSVReaderTests {
  func records(_ text: String, chunk: Int = .max, hasOneColumn: Bool = false) throws -> [[String?]] {
    var reader = CSVReader()
    reader.hasOneColumn = hasOneColumn
    var records: [[String?]] = []
    var bytes = Array(text.utf8)[...]
    while true {
      while try reader.next() {
        let record = reader.record
        records.append((0..<record.count).map { record.isNull(at: $0) ? nil : record.text(at: $0) })
      }
      if reader.isOver { return records }
      if bytes.isEmpty { reader.end() } else { reader.feed(Array(bytes.prefix(chunk))) }
      bytes = bytes.dropFirst(chunk)
    }
  }

  static let files: [(String, [[String?]])] = [
    ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
    ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]),
    ("a\rb\r", [["a"], ["b"]]),
    ("\u{FEFF}a,b\n", [["a", "b"]]),
    ("\"a\"\"b\",\"c,d\"\n", [["a\"b", "c,d"]]),
    ("\"line\nbreak\",\"x\r\ny\"\n", [["line\nbreak", "x\r\ny"]]),
    (",\"\",\n", [[nil, "", nil]]),
    ("a,\n", [["a", nil]]),
    ("a,", [["a", nil]]),
    ("\n\na\n\nb\n", [["a"], ["b"]]),
    ("\"\"\n", [[""]]),
    ("a\"b,c\n", [["a\"b", "c"]]),
    ("é,日本\n", [["é", "日本"]]),
    ("", []),
  ]

  @Test(arguments: files)
  func `a file gives the same records however it is cut`(text: String, expected: [[String?]]) throws {
    for chunk in [1, 2, 3, 7, .max] { #expect(try records(text, chunk: chunk) == expected) }
  }

  @Test(
    arguments: [
      ("a\n\nb\n", [["a"], [nil], ["b"]]), ("a\r\n\r\n", [["a"], [nil]]), ("\n\n", [[nil], [nil]]), ("a", [["a"]]),
      ("a\n\"\"\n\n", [["a"], [""], [nil]]), ("", []), ("a\r\rb", [["a"], [nil], ["b"]]),
    ] as [(String, [[String?]])])
  func `of one column an empty line is a record`(text: String, expected: [[String?]]) throws {
    for chunk in [1, 2, 3, .max] { #expect(try records(text, chunk: chunk, hasOneColumn: true) == expected) }
  }

  @Test(arguments: [
    ("a\n\"b", CSVReader.Failure(line: 2, column: 1, problem: "a quoted field does not end before the file does.")),
    (
      "\"a\nb\"c\n",
      CSVReader.Failure(line: 2, column: 3, problem: "after a closing quote comes a comma or the end of the line.")
    ),
  ])
  func `a broken file is refused with the line`(text: String, failure: CSVReader.Failure) {
    #expect(throws: failure) { try records(text) }
  }

  @Test(arguments: [
    ("a,b,c\n1;2", ","), ("a;b;c\n1,2", ";"), ("a\tb\n", "\t"), ("a|b|c", "|"), ("one\n", ","), ("", ","),
    ("\"a;b;c;d\",x\n", ","), ("\"a,b\";\"c,d\"\n1,1;1,1,1\n", ";"), ("a,b;c\n1,2;3\n4,5;6\n", ","),
  ])
  func `the byte between fields is found`(text: String, delimiter: String) {
    #expect(CSVFormat.delimiter(of: Array(text.utf8)) == delimiter.utf8.first)
  }

  @Test func `what the CSV format writes is read back`() throws {
    var printer = CSVPrinter()
    var output: [UInt8] = []
    printer.begin(columns: ["a b", "c"], to: &output)
    let rows: [[Value]] = [["", nil], [" x", "a,\"b\"\r\n"], [nil, "y"]]
    printer.append(RowBatch(rows: rows, columnCount: 2), to: &output)
    let back = try records(String(decoding: output, as: UTF8.self))
    #expect(back == [["a b", "c"], ["", nil], [" x", "a,\"b\"\r\n"], [nil, "y"]])
  }

  @Test(arguments: [
    // A real number would be another one.
    (["0.5", "9007199254740993"], ColumnTypeInference.ColumnType.text),
    (["9007199254740993", "0.5"], .text), (["9007199254740992", "0.5"], .real), (["9007199254740993"], .integer),
    (["1", "-2", "0"], .integer),
    (["1", "2.5"], .real),
    (["1", "x"], .text),
    (["2.5", "1", "x"], .text),
    (["007"], .text),
    (["+1"], .text),
    (["1e5"], .text),
    (["1e+100"], .real),
    (["-0.0", "0.5"], .real),
    ([".5"], .text),
    (["5."], .text),
    (["9223372036854775807"], .integer),
    (["9223372036854775808"], .text),
    (["0.123456789012345678"], .text),
    (["nan"], .text),
    ([], .text),
  ])
  func `a column's type is the one that keeps every field as it is written`(
    fields: [String], type: ColumnTypeInference.ColumnType
  ) {
    var inference = ColumnTypeInference()
    for field in fields { inference.fieldSeen(Array(field.utf8)[...], isNull: false, isQuoted: false) }
    #expect(inference.type == type)
    inference.fieldSeen([], isNull: true, isQuoted: false)
    #expect(inference.type == type)
  }

  @Test func `a quoted number is text`() {
    var inference = ColumnTypeInference()
    inference.fieldSeen(Array("12".utf8)[...], isNull: false, isQuoted: true)
    #expect(inference.type == .text)
  }
}
