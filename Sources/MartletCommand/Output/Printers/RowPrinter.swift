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
  case ascii
  case quote

  /// SQLite's names for those that people use most.
  private static let synonyms = ["column": OutputFormat.table, "box": .table, "tabs": .tsv]

  /// The format that a person calls so.
  init?(named name: String) {
    guard let format = OutputFormat(rawValue: name) ?? Self.synonyms[name] else { return nil }
    self = format
  }

  static var names: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// `terminal` and `widths` are for people's tables: the width there is, and the most that columns may take. `null`
  /// stands for NULL, and `hasHeader` says whether the names of the columns come first; nil is the format's own.
  /// `isForTerminal`: the bytes go to one, which control characters would steer.
  func makePrinter(
    terminal: Int? = nil, isForTerminal: Bool = false, widths: [Int] = [], hasHeader: Bool? = nil, null: String? = nil,
    insertTable: String = "table"
  ) -> any RowPrinter {
    switch self {
    case .table: TablePrinter(terminal: terminal, most: widths, hasHeader: hasHeader ?? true, null: null ?? "NULL")
    case .line: LinePrinter(null: null ?? "NULL")
    case .csv: CSVPrinter(hasHeader: hasHeader ?? true, null: null ?? "")
    case .tsv: CSVPrinter(delimiter: 0x09, hasHeader: hasHeader ?? true, null: null ?? "")
    case .json: JSONPrinter()
    case .jsonl: JSONLinesPrinter()
    // As SQLite's shell has it: names come only if they are asked for.
    case .list: ListPrinter(hasHeader: hasHeader ?? false, null: null ?? "", isForTerminal: isForTerminal)
    case .ascii:
      ListPrinter(
        hasHeader: hasHeader ?? false, null: null ?? "", isForTerminal: isForTerminal, columnEnd: 0x1F, rowEnd: 0x1E)
    case .quote: QuotePrinter(hasHeader: hasHeader ?? false)
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
