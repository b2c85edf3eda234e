import MartletValues

/// Rows in, bytes of one output format out.
///
/// Always true: `begin` comes once before the rows and `end` once after them; a printer holds a bounded number of rows
/// however many pass through it.
protocol RowPrinter {
  mutating func begin(columns: [String], to output: inout [UInt8])
  mutating func append(_ batch: RowBatch, to output: inout [UInt8])
  mutating func end(to output: inout [UInt8])
}

/// The formats that `--format` and `.mode` name.
enum OutputFormat: String, CaseIterable, Sendable {
  case table
  case line
  case csv
  case tsv
  case json
  case jsonl
  case list
  case markdown
  case insert

  static var names: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// `terminal` and `widths` are for people's tables: the width there is, and the most that columns may take. `null`
  /// stands for NULL; nil is the format's own.
  func makePrinter(
    terminal: Int? = nil, widths: [Int] = [], hasHeader: Bool = true, null: String? = nil,
    insertTable: String = "table"
  ) -> any RowPrinter {
    switch self {
    case .table: TablePrinter(terminal: terminal, most: widths, hasHeader: hasHeader, null: null ?? "NULL")
    case .line: LinePrinter(null: null ?? "NULL")
    case .csv: CSVPrinter(hasHeader: hasHeader, null: null ?? "")
    case .tsv: CSVPrinter(delimiter: 0x09, hasHeader: hasHeader, null: null ?? "")
    case .json: JSONPrinter()
    case .jsonl: JSONLinesPrinter()
    case .list: ListPrinter(hasHeader: hasHeader, null: null ?? "")
    case .markdown: MarkdownPrinter(null: null ?? "NULL")
    case .insert: InsertPrinter(table: insertTable)
    }
  }
}

extension [UInt8] {
  mutating func append(text: some StringProtocol) { append(contentsOf: text.utf8) }

  /// Lower-case hexadecimal digits.
  mutating func append(hex bytes: some Sequence<UInt8>) {
    let digits = Array("0123456789abcdef".utf8)
    for byte in bytes {
      append(digits[Int(byte >> 4)])
      append(digits[Int(byte & 15)])
    }
  }
}
