/// The part of a line that fits the terminal's one row, and where the cursor stands in it.
///
/// Always true: the cursor is inside the part that is shown; prompt and part together take less than the terminal's
/// width. A tab, or the end of a line of a statement that had several, is shown as a sign for it.
struct LineView: Equatable {
  var text: String
  /// Cells from the left edge of the terminal.
  var cursorColumn: Int

  init(prompt: String, line: [Character], cursor: Int, columns: Int) {
    let line = line.map(Self.shown)
    let promptWidth = DisplayWidth.of(prompt)
    let room = max(8, columns - promptWidth - 1)
    var start = 0
    var before = line[..<cursor].reduce(0) { $0 + DisplayWidth.of($1) }
    while before > room && start < cursor {
      before -= DisplayWidth.of(line[start])
      start += 1
    }
    var end = cursor
    var width = before
    while end < line.count {
      let next = DisplayWidth.of(line[end])
      if width + next > room { break }
      width += next
      end += 1
    }
    text = prompt + String(line[start..<end])
    cursorColumn = promptWidth + before
  }

  static func shown(_ character: Character) -> Character {
    switch character {
    case "\t": "⇥"
    case "\n": "↵"
    default: character
    }
  }

  /// What makes a terminal show it, from wherever its cursor stands in the same line.
  var escapeSequence: String {
    let toColumn = cursorColumn > 0 ? "\u{1B}[\(cursorColumn)C" : ""
    return "\r\(text)\u{1B}[K\r\(toColumn)"
  }
}
