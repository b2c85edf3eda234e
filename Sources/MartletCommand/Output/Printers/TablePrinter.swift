import MartletValues

/// Rows as aligned columns for people.
///
/// Always true: at most `CommandLimits.windowRowsMax` rows or `CommandLimits.windowBytesMax` bytes are held at once;
/// columns are as wide as the widest cell seen so far, so a later window may be wider than an earlier one and is never
/// narrower. If a width is given no line is wider.
struct TablePrinter: RowPrinter {
  private struct Cell {
    var text: String
    var width: Int
    var isNumber: Bool
  }

  /// The width of the terminal that it is for; nil if lines may be of any length.
  private let terminal: Int?
  /// What a person set for the columns.
  private let most: [Int]
  private let hasHeader: Bool
  private let null: String
  private var headers: [Cell] = []
  private var widths: [Int] = []
  private var isNumeric: [Bool] = []
  private var window: [[Cell]] = []
  private var windowSize = 0
  private var hasPrintedHeader = false
  private var printsLines = false
  private var rowCount = 0

  init(terminal: Int? = nil, most: [Int] = [], hasHeader: Bool = true, null: String = "NULL") {
    self.hasHeader = hasHeader
    self.null = CellText.escaped(null)
    self.terminal = terminal
    self.most = most
  }

  mutating func begin(columns: [String], to output: inout [UInt8]) {
    headers = columns.map { name in
      let text = CellText.escaped(name)
      return Cell(text: text, width: DisplayWidth.of(text), isNumber: false)
    }
    widths = headers.map { hasHeader ? $0.width : 1 }
    isNumeric = Array(repeating: true, count: columns.count)
  }

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount {
      var cells: [Cell] = []
      cells.reserveCapacity(batch.columns.count)
      for column in batch.columns {
        let kind = column.kind(at: row)
        let text = column.isNull(at: row) ? null : CellText.of(column, row: row)
        windowSize += text.utf8.count + 32
        cells.append(
          Cell(text: text, width: DisplayWidth.of(text), isNumber: kind != .text && kind != .blob))
      }
      window.append(cells)
      if window.count >= CommandLimits.windowRowsMax || windowSize >= CommandLimits.windowBytesMax {
        flush(to: &output)
      }
    }
  }

  mutating func end(to output: inout [UInt8]) {
    flush(to: &output)
  }

  private mutating func flush(to output: inout [UInt8]) {
    for row in window {
      for (index, cell) in row.enumerated() where index < widths.count {
        widths[index] = max(widths[index], cell.width)
        if !cell.isNumber { isNumeric[index] = false }
      }
    }
    print(in: TableFit.layout(wanted: widths, most: most, terminal: terminal), to: &output)
    window.removeAll(keepingCapacity: true)
    windowSize = 0
  }

  private mutating func print(in layout: TableFit.Layout, to output: inout [UInt8]) {
    // What began as lines goes on as lines; what began as columns is cut to fit.
    if !hasPrintedHeader, layout == .lines { printsLines = true }
    if printsLines {
      for row in window { printLines(row, to: &output) }
      return
    }
    let fitted =
      if case .columns(let fitted) = layout { fitted } else { widths.map { min($0, CommandLimits.cutColumnCellsMin) } }
    if hasHeader && !hasPrintedHeader && !headers.isEmpty {
      hasPrintedHeader = true
      print(headers, fitted, to: &output)
      for (index, width) in fitted.enumerated() {
        if index > 0 { output.append(text: "  ") }
        output.append(contentsOf: repeatElement(UInt8(ascii: "-"), count: max(width, 1)))
      }
      output.append(UInt8(ascii: "\n"))
    }
    for row in window { print(row, fitted, to: &output) }
  }

  private func print(_ cells: [Cell], _ fitted: [Int], to output: inout [UInt8]) {
    for (index, cell) in cells.enumerated() where index < fitted.count {
      if index > 0 { output.append(text: "  ") }
      let text = cell.width > fitted[index] ? TableFit.cut(cell.text, to: fitted[index]) : cell.text
      let width = cell.width > fitted[index] ? DisplayWidth.of(text) : cell.width
      let padding = repeatElement(UInt8(ascii: " "), count: max(0, fitted[index] - width))
      if isNumeric[index] {
        output.append(contentsOf: padding)
        output.append(text: text)
      } else {
        output.append(text: text)
        // No blanks at the end of a line.
        if index < cells.count - 1 { output.append(contentsOf: padding) }
      }
    }
    output.append(UInt8(ascii: "\n"))
  }

  private mutating func printLines(_ cells: [Cell], to output: inout [UInt8]) {
    if rowCount > 0 { output.append(UInt8(ascii: "\n")) }
    rowCount += 1
    LinePrinter.print(zip(headers, cells).map { ($0.text, $1.text) }, to: &output)
  }
}
