/// The formats' bytes for rows of every type, and for what could break a format.
import MartletValues
import Testing

@testable import MartletCommand

struct RowPrinterTests {
  static let columns = ["id", "name"]

  func print(_ format: OutputFormat, _ columns: [String], _ batches: [[[Value]]]) -> String {
    var printer = format.makePrinter()
    var output: [UInt8] = []
    printer.begin(columns: columns, to: &output)
    for rows in batches { printer.append(RowBatch(rows: rows, columnCount: columns.count), to: &output) }
    printer.end(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test(arguments: [
    (
      OutputFormat.table, "id  name\n--  ----\n 1  a\n22  NULL\n"
    ),
    (.json, "[\n{\"id\":1,\"name\":\"a\"},\n{\"id\":22,\"name\":null}\n]\n"),
    (.csv, "id,name\n1,a\n22,\n"),
  ])
  func `each format prints integers, text and NULL in its way`(format: OutputFormat, expected: String) {
    #expect(print(format, Self.columns, [[[1, "a"], [22, nil]]]) == expected)
    #expect(print(format, Self.columns, [[[1, "a"]], [[22, nil]]]) == expected)
  }

  @Test(arguments: [
    (OutputFormat.table, "id  name\n--  ----\n"), (.json, "[]\n"), (.csv, "id,name\n"),
  ])
  func `no rows is still a whole document`(format: OutputFormat, expected: String) {
    #expect(print(format, Self.columns, []) == expected)
  }

  @Test(arguments: [
    (Value.real(1), "1.0", "1.0"),
    (.real(-0.0), "-0.0", "-0.0"),
    (.real(.infinity), "9.0e999", "9.0e999"),
    (.integer(.min), "-9223372036854775808", "-9223372036854775808"),
    (.blob([0xCA, 0xFE, 0x00]), "\"yv4A\"", "cafe00"),
    (.blob([]), "\"\"", ""),
    (.text(""), "\"\"", "\"\""),
    (.text("a\"b,c\nd"), "\"a\\\"b,c\\nd\"", "\"a\"\"b,c\nd\""),
    (.text("\u{0}\u{1B}\\"), "\"\\u0000\\u001b\\\\\"", "\u{0}\u{1B}\\"),
    (.text("é 日本"), "\"é 日本\"", "é 日本"),
  ])
  func `values read back from JSON and CSV as what they were`(value: Value, json: String, csv: String) {
    #expect(print(.json, ["v"], [[[value]]]) == "[\n{\"v\":\(json)}\n]\n")
    #expect(print(.csv, ["v"], [[[value]]]) == "v\n\(csv)\n")
  }

  @Test func `columns of one name do not hide each other in JSON`() {
    #expect(print(.json, ["a", "a", "a:2"], [[[1, 2, 3]]]) == "[\n{\"a\":1,\"a:2\":2,\"a:2:2\":3}\n]\n")
  }

  @Test func `text that is not UTF-8 stays valid JSON`() {
    var batch = RowBatch(columnCount: 1)
    [UInt8]([0x61, 0xFF]).withUnsafeBytes { batch.columns[0].appendText($0, row: 0) }
    batch.rowCount = 1
    var printer = JSONPrinter()
    var output: [UInt8] = []
    printer.begin(columns: ["v"], to: &output)
    printer.append(batch, to: &output)
    printer.end(to: &output)
    #expect(String(decoding: output, as: UTF8.self) == "[\n{\"v\":\"a\u{FFFD}\"}\n]\n")
  }

  @Test func `a table lines up wide and combining characters and shows controls as escapes`() {
    let rows: [[Value]] = [["日本", 1], ["e\u{301}", 22], ["a\nb\u{1B}[2J", 333]]
    #expect(
      print(.table, ["t", "n"], [rows])
        == """
        t                n
        -------------  ---
        日本             1
        e\u{301}               22
        a\\nb\\u{1b}[2J  333

        """)
  }

  @Test func `a long blob shows its beginning and its size`() {
    let text = print(.table, ["b"], [[[.blob(Array(repeating: 0xAB, count: 40))]]])
    #expect(text.contains("x'" + String(repeating: "ab", count: 32) + "…' (40 bytes)"))
  }

  @Test func `a table of many rows is printed in windows with one header`() {
    let rows = (0..<2_500).map { [Value.integer(Int64($0)), Value.text("x")] }
    var printer = TablePrinter()
    var output: [UInt8] = []
    printer.begin(columns: Self.columns, to: &output)
    printer.append(RowBatch(rows: rows, columnCount: 2), to: &output)
    let linesBeforeEnd = output.count { $0 == UInt8(ascii: "\n") }
    printer.end(to: &output)
    #expect(linesBeforeEnd == 2_002)
    #expect(output.count { $0 == UInt8(ascii: "\n") } == 2_502)
  }

  @Test(arguments: [
    ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("❤️", 2), ("ｱ", 1), ("한", 2), ("", 0), ("ß", 1),
  ])
  func `a text's width is what a terminal gives it`(text: String, width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test func `a progress bar speaks ten times a second and not at all to a file`() {
    var bar = ProgressBar(label: "items", total: 100, isEnabled: true, now: MonotonicTime(nanoseconds: 0))
    let half = bar.advanced(done: 50, rows: 1_000, now: MonotonicTime(nanoseconds: 1_000_000_000))
    #expect(half == "\ritems  ████████████░░░░░░░░░░░░ 50 %  1,000 rows  1,000/s\u{1B}[K")
    #expect(bar.advanced(done: 51, rows: 1_010, now: MonotonicTime(nanoseconds: 1_050_000_000)) == nil)
    #expect(bar.advanced(done: 52, rows: 1_020, now: MonotonicTime(nanoseconds: 1_100_000_000)) != nil)
    #expect(bar.finished() == "\r\u{1B}[K")
    var silent = ProgressBar(label: "items", total: 100, isEnabled: false, now: MonotonicTime(nanoseconds: 0))
    #expect(silent.advanced(done: 50, rows: 1, now: MonotonicTime(nanoseconds: 1_000_000_000)) == nil)
    #expect(silent.finished() == nil)
  }
}
