/// Rows in, bytes of one output format out.
///
/// Always true: `begin` comes once before the rows and `end` once after them; a printer holds a bounded number of rows
/// however many pass through it.
import MartletAST

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

  static var names: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// `terminal` and `widths` are for people's tables: the width there is, and the most that columns may take.
  func makePrinter(terminal: Int? = nil, widths: [Int] = [], hasHeader: Bool = true) -> any RowPrinter {
    switch self {
    case .table: TablePrinter(terminal: terminal, most: widths)
    case .line: LinePrinter()
    case .csv: CSVPrinter(hasHeader: hasHeader)
    case .tsv: CSVPrinter(delimiter: 0x09, hasHeader: hasHeader)
    case .json: JSONPrinter()
    case .jsonl: JSONLinesPrinter()
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
