/// Tables on terminals of every width, and what else is printed for people.
import MartletValues
import Testing

@testable import MartletCommand

struct TableFitTests {
  @Test(
    arguments: [
      ([5, 5], [], nil, .columns([5, 5])), ([5, 5], [], 12, .columns([5, 5])), ([5, 50], [], 40, .columns([5, 33])),
      ([50, 50], [], 41, .columns([20, 19])), ([50, 3, 50], [], 41, .columns([17, 3, 17])), ([50, 50], [], 10, .lines),
      (Array(repeating: 20, count: 20), [], 80, .lines), ([50, 50], [10], 80, .columns([10, 50])),
      ([], [], 5, .columns([])),
      ([50], [], 0, .lines), ([3], [], 1, .lines), ([50, 50], [4, 4], nil, .columns([4, 4])),
    ] as [([Int], [Int], Int?, TableFit.Layout)])
  func `columns share the width`(wanted: [Int], most: [Int], terminal: Int?, layout: TableFit.Layout) {
    #expect(TableFit.layout(wanted: wanted, most: most, terminal: terminal) == layout)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("ab", 1, "…"), ("ab", 0, ""),
    ("", 0, ""),
  ])
  func `a text is cut to its cells`(text: String, width: Int, cut: String) {
    #expect(TableFit.cut(text, to: width) == cut)
    #expect(DisplayWidth.of(TableFit.cut(text, to: width)) <= width)
  }

  private func print(_ printer: any RowPrinter, _ columns: [String], _ rows: [[Value]]) -> String {
    var printer = printer
    var output: [UInt8] = []
    printer.begin(columns: columns, to: &output)
    printer.append(RowBatch(rows: rows, columnCount: columns.count), to: &output)
    printer.end(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `a table is no wider than its terminal`() {
    let rows: [[Value]] = [[1, .text(String(repeating: "long ", count: 20))], [2, "short"]]
    #expect(
      print(TablePrinter(terminal: 20), ["id", "title"], rows)
        == "id  title\n--  ----------------\n 1  long long long …\n 2  short\n")
    #expect(
      print(TablePrinter(terminal: 8), ["id", "title"], [[1, "a long title"]]) == "   id = 1\ntitle = a long title\n")
  }

  @Test func `a later window of longer rows still fits`() {
    var printer = TablePrinter(terminal: 30)
    var output: [UInt8] = []
    printer.begin(columns: ["a", "b"], to: &output)
    for number in 0..<3_000 {
      let text = Value.text(String(repeating: "x", count: number / 10))
      printer.append(RowBatch(rows: [[.integer(Int64(number)), text]], columnCount: 2), to: &output)
    }
    printer.end(to: &output)
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 3_002)
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 30 })
  }

  @Test func `lines name each value`() {
    #expect(
      print(LinePrinter(), ["id", "name"], [[1, "a\nb"], [2, nil]])
        == "  id = 1\nname = a\\nb\n\n  id = 2\nname = NULL\n")
    #expect(print(LinePrinter(), ["id"], []) == "")
  }

  @Test func `a query plan is a tree`() {
    let rows: [[Value]] = [
      [2, 0, 0, "SCAN a"], [5, 0, 0, "LIST SUBQUERY 1"], [7, 5, 0, "SCAN b"], [9, 5, 0, "SEARCH c"],
      [11, 9, 0, "deep"],
      [3, 99, 0, "USE TEMP B-TREE"],
    ]
    #expect(
      print(QueryPlanPrinter(), ["id", "parent", "notused", "detail"], rows) == """
        QUERY PLAN
        |--SCAN a
        |--LIST SUBQUERY 1
        |  |--SCAN b
        |  `--SEARCH c
        |     `--deep
        `--USE TEMP B-TREE

        """)
    // Rows that hang on themselves or on each other are no trees, and still end.
    #expect(
      print(QueryPlanPrinter(), ["a", "b", "c", "d"], [[1, 1, 0, "x"], [2, 3, 0, "y"], [3, 2, 0, "z"]]).contains("z"))
    #expect(QueryPlanPrinter.isPlan("explain /* a */ query plan select 1"))
    #expect(!QueryPlanPrinter.isPlan("explain select 1"))
  }

  @Test(arguments: [
    (OutputFormat.tsv, "id\tname\n1\t\"a\tb\"\n2\t\n"),
    (.jsonl, "{\"id\":1,\"name\":\"a\\tb\"}\n{\"id\":2,\"name\":null}\n"),
  ])
  func `rows for other programs`(format: OutputFormat, text: String) {
    #expect(print(format.makePrinter(), ["id", "name"], [[1, "a\tb"], [2, nil]]) == text)
  }

  @Test(
    arguments: [
      (OutputFormat.list, "id|b'c", "1|a\tb\n|A|B\n2||x\n", "1|a\\tb\\n|x'417c42'\n2||x\n"),
      (.ascii, "id\u{1F}b'c", "1\u{1F}a\tb\n\u{1F}A|B\u{1E}2\u{1F}\u{1F}x\u{1E}", nil),
      (.quote, "'id','b''c'", "1,'a\tb\n',X'417c42'\n2,NULL,'x'\n", nil),
    ] as [(OutputFormat, String, String, String?)])
  func `rows as SQLite's shell has them are raw, and have a header if it is asked for`(
    format: OutputFormat, header: String, rows: String, onTerminal: String?
  ) {
    let values: [[Value]] = [[1, "a\tb\n", .blob([0x41, 0x7C, 0x42])], [2, nil, "x"]]
    #expect(print(format.makePrinter(), ["id", "b'c", "d"], values) == rows)
    let first = print(format.makePrinter(hasHeader: true), ["id", "b'c"], [])
    #expect(first == header + (format == .ascii ? "\u{1E}" : "\n"))
    #expect(print(format.makePrinter(hasHeader: false), ["id", "b'c"], []) == "")
    if let onTerminal {
      #expect(print(format.makePrinter(isForTerminal: true), ["id", "b'c", "d"], values) == onTerminal)
    }
  }

  @Test(arguments: [
    ("items", "it%", true), ("ITEMS", "_tems", true), ("items", "it", false), ("", "%", true), ("a%b", "a%b", true),
  ])
  func `names are matched as LIKE does`(name: String, pattern: String, matches: Bool) {
    #expect(LikePattern.matches(name, pattern) == matches)
  }

  @Test(arguments: [
    (Value.text("it's"), "'it''s'"), (.text("a\0b"), "CAST(X'610062' AS TEXT)"), (.blob([0, 255]), "X'00ff'"),
    (nil, "NULL"),
    (.real(1), "1.0"), (.real(.infinity), "9.0e999"), (-5, "-5"), (.text("line\nfeed"), "'line\nfeed'"),
    // SQLite's shell would read CR LF inside of a literal as LF.
    (.text("it's\r\nb"), "replace('it''s\\r\nb','\\r',char(13))"),
    (.text("\r \\r (\\r1)"), "CAST(X'0d205c7220285c723129' AS TEXT)"),
  ])
  func `values are literals in a dump`(value: Value, literal: String) {
    var output: [UInt8] = []
    SQLLiteral.append(RowBatch(rows: [[value]], columnCount: 1).columns[0], row: 0, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == literal)
  }
}
