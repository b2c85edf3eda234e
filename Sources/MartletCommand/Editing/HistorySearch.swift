/// Control-R: the newest line of the history that holds what is being typed, and older ones when it is pressed again.
///
/// Always true: what is found holds the pattern; a pattern that no line holds leaves what was found before.
struct HistorySearch: Equatable {
  private let lines: [String]
  private(set) var pattern: [Character] = []
  /// Which line was found; nil if none was yet.
  private(set) var found: Int?

  init(lines: [String]) { self.lines = lines }

  /// The line that was found, or nothing.
  var line: [Character] { found.map { Array(lines[$0]) } ?? [] }

  /// What stands in the prompt's place.
  var prompt: String { "(search)`\(CellText.escaped(String(pattern)))': " }

  mutating func typed(_ character: Character) {
    pattern.append(character)
    // The line that is shown may go on matching.
    look(from: found ?? lines.count - 1)
  }

  mutating func erased() {
    if !pattern.isEmpty { pattern.removeLast() }
    found = nil
    if !pattern.isEmpty { look(from: lines.count - 1) }
  }

  /// The next older line that is another one.
  mutating func pressedAgain() {
    guard let found, !pattern.isEmpty else { return }
    let shown = lines[found]
    var index = found - 1
    while index >= 0, lines[index] == shown { index -= 1 }
    look(from: index)
  }

  private mutating func look(from newest: Int) {
    let wanted = String(pattern).lowercased()
    var index = newest
    while index >= 0 {
      if lines[index].lowercased().contains(wanted) {
        found = index
        return
      }
      index -= 1
    }
  }
}
