/// What `.help` shows.
///
/// Always true: no line is wider than the terminal, unless a word is.
enum CommandList {
  /// `columns`: the terminal's width; nil: lines are as long as they are.
  static func text(columns: Int? = nil) -> String {
    let lines = DotCommand.all.map { command in
      line(command.takes.isEmpty ? command.name : "\(command.name) \(command.takes)", command.does, columns)
    }
    let keys = columns.map { WrappedText.of(self.keys, columns: $0) } ?? self.keys
    return lines.joined(separator: "\n") + "\n\n" + keys + "\n"
  }

  private static func line(_ command: String, _ does: String, _ columns: Int?) -> String {
    let width = DotCommand.all.map { $0.name.count + $0.takes.count + 1 }.max() ?? 0
    let indent = String(repeating: " ", count: width + 2)
    guard let columns else { return command + indent.dropFirst(command.count) + does }
    // Where little is left beside the commands, what they do stands below them.
    guard columns >= 2 * indent.count else { return command + "\n" + indented(does, by: "    ", columns) }
    return command + indented(does, by: indent, columns).dropFirst(command.count)
  }

  private static func indented(_ text: String, by indent: String, _ columns: Int) -> String {
    WrappedText.of(text, columns: max(1, columns - indent.count)).split(separator: "\n").map { indent + $0 }
      .joined(separator: "\n")
  }

  private static let keys = """
    Statements end with a semicolon and may span lines. Tab completes, the arrow keys edit the line and go back \
    through the history, Control-R searches it, Control-C stops a statement.
    """
}
