import MartletValues

/// The lines that were typed before, across sessions.
///
/// Always true: at most `historyLinesMax` are kept, none empty, and none equal to the one before it; a statement of
/// several lines is one of them. The file can be read by its owner only, because statements may hold what a program
/// would bind.
struct History {
  private(set) var lines: [String] = []

  init() {}

  init(fileContents: String) {
    // By scalars: a return before a line's end is one character with it.
    for line in fileContents.unicodeScalars.split(separator: "\n") {
      append(String(line).replacingScalars { $0 == Self.lineEnd ? "\n" : nil })
    }
  }

  mutating func append(_ line: String) {
    let isBlank = line.allSatisfy(\.isWhitespace)
    guard !isBlank, !line.unicodeScalars.contains(Self.lineEnd), line != lines.last else { return }
    lines.append(line)
    if lines.count > CommandLimits.historyLinesMax { lines.removeFirst(lines.count - CommandLimits.historyLinesMax) }
  }

  var fileContents: String {
    lines.map { $0.replacingScalars { $0 == "\n" ? String(Self.lineEnd) : nil } + "\n" }.joined()
  }

  /// Stands in the file for the end of a line inside of a statement, as in psql's.
  private static let lineEnd: Unicode.Scalar = "\u{1}"
}
