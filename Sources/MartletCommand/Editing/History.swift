/// The lines that were typed before, across sessions.
///
/// Always true: at most `linesMax` lines are kept, none empty, and none equal to the one before it; the file can be
/// read by its owner only, because statements may hold what a program would bind.
struct History {
  static let linesMax = 1_000

  private(set) var lines: [String] = []

  init() {}

  init(fileContents: String) {
    for line in fileContents.split(separator: "\n") { append(String(line)) }
  }

  mutating func append(_ line: String) {
    let isBlank = line.allSatisfy(\.isWhitespace)
    guard !isBlank, !line.contains("\n"), line != lines.last else { return }
    lines.append(line)
    if lines.count > Self.linesMax { lines.removeFirst(lines.count - Self.linesMax) }
  }

  var fileContents: String { lines.map { $0 + "\n" }.joined() }
}
