/// What is shown of a line while it is typed: on several rows, or on one where the terminal cannot move up.
struct LineScreen {
  private var shown: WrappedLine?

  /// What makes the terminal show the line.
  mutating func drawing(prompt: String, line: [Character], cursor: Int) -> String {
    guard !Terminal.isDumb else {
      return LineView(prompt: prompt, line: line, cursor: cursor, columns: Terminal.columns).escapeSequence
    }
    let view = WrappedLine(
      prompt: prompt, line: line, cursor: cursor, columns: Terminal.columns, rowsMax: Terminal.rows - 1)
    defer { shown = view }
    return view.escapeSequence(after: shown)
  }

  /// What is printed next stands below the line; it is drawn anew behind that.
  mutating func left() -> String {
    defer { shown = nil }
    return (shown?.toLastRow ?? "") + "\r\n"
  }

  /// The screen was cleared.
  mutating func cleared() { shown = nil }
}
