/// Control-R: the newest line of the history that holds what is being typed, and older ones when it is pressed again.
///
/// Always true: what is found holds the pattern; if no line does, nothing is found.
struct HistorySearch: Equatable {
  private let lines: [String]
  private(set) var pattern: [Character] = []
  /// Which line was found; nil if none was yet.
  private(set) var found: Int?

  init(lines: [String]) { self.lines = lines }

  /// The line that was found, or nothing.
  var line: [Character] { found.map { Array(lines[$0]) } ?? [] }

  /// No line holds what was typed.
  var isFailing: Bool { found == nil && !pattern.isEmpty }

  /// What stands in the prompt's place.
  var prompt: String { "(\(isFailing ? "no match" : "search"))`\(CellText.escaped(String(pattern)))': " }

  mutating func typed(_ character: Character) {
    pattern.append(character)
    // The line that is shown may go on matching.
    found = next(from: found ?? lines.count - 1)
  }

  mutating func erased() {
    if !pattern.isEmpty { pattern.removeLast() }
    found = nil
    if !pattern.isEmpty { found = next(from: lines.count - 1) }
  }

  /// The next older line that is another one.
  mutating func pressedAgain() {
    guard let found, !pattern.isEmpty else { return }
    let shown = lines[found]
    var index = found - 1
    while index >= 0, lines[index] == shown { index -= 1 }
    // Behind the oldest one there is nothing else.
    self.found = next(from: index) ?? found
  }

  private func next(from newest: Int) -> Int? {
    let wanted = String(pattern).lowercased()
    var index = newest
    while index >= 0 {
      if lines[index].lowercased().contains(wanted) { return index }
      index -= 1
    }
    return nil
  }
}
