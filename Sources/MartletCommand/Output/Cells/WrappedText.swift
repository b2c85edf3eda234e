/// Sentences in lines that end between words.
///
/// Always true: no line is wider than there is room, unless one word is; a line that begins with blanks is something
/// that is pointed at, and stays as it is.
enum WrappedText {
  static func of(_ text: String, columns: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("  ") ? String($0) : wrapped($0, columns) }
      .joined(separator: "\n")
  }

  private static func wrapped(_ line: Substring, _ columns: Int) -> String {
    var result = ""
    var width = 0
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      let wordWidth = DisplayWidth.of(word)
      // The last cell stays free, because many terminals break the line behind it.
      if width > 0, width + 1 + wordWidth >= columns {
        result += "\n"
        width = 0
      } else if width > 0 {
        result += " "
        width += 1
      }
      result += word
      width += wordWidth
    }
    return result
  }
}
