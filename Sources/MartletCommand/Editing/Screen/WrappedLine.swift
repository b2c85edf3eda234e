/// A line that is typed on as many rows of the terminal as it takes, and where the cursor stands in them.
///
/// Always true: no row reaches the last column, because terminals differ in what they do there; if there are more rows
/// than the terminal has, those around the cursor are shown.
struct WrappedLine: Equatable {
  private(set) var rows: [String]
  private(set) var cursorRow = 0
  /// Cells from the left edge of the terminal.
  private(set) var cursorColumn = 0

  init(prompt: String, line: [Character], cursor: Int, columns: Int, rowsMax: Int) {
    let room = max(2, columns - 1)
    var rows = [""]
    var width = 0
    for (index, character) in (Array(prompt) + line.map(LineView.shown)).enumerated() {
      let cells = DisplayWidth.of(character)
      if width + cells > room {
        rows.append("")
        width = 0
      }
      if index == prompt.count + cursor { (cursorRow, cursorColumn) = (rows.count - 1, width) }
      rows[rows.count - 1].append(character)
      width += cells
    }
    if cursor == line.count { (cursorRow, cursorColumn) = (rows.count - 1, width) }
    let shown = max(1, rowsMax)
    let first = max(0, min(cursorRow - shown / 2, rows.count - shown))
    self.rows = Array(rows[first..<min(rows.count, first + shown)])
    cursorRow -= first
  }

  /// What makes a terminal show it in the place of `former`, in which its cursor stands.
  func escapeSequence(after former: WrappedLine?) -> String {
    Self.moved(former?.cursorRow ?? 0, "A") + "\r\u{1B}[J" + rows.joined(separator: "\r\n")
      + Self.moved(rows.count - 1 - cursorRow, "A") + "\r" + Self.moved(cursorColumn, "C")
  }

  /// Brings the cursor to the last row, so that what comes next stands below.
  var toLastRow: String { Self.moved(rows.count - 1 - cursorRow, "B") }

  private static func moved(_ count: Int, _ direction: String) -> String {
    count > 0 ? "\u{1B}[\(count)\(direction)" : ""
  }
}
