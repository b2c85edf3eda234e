/// The name that somebody probably meant, among those that there are.
///
/// Always true: a name that differs in much is never suggested, and the name itself is not either; of several the
/// nearest is, and of those that are equally near the first.
enum Suggestion {
  /// Letters in either case count as the same. Nil: none is near.
  static func nearest(to name: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased())
    guard !wanted.isEmpty, wanted.count <= CommandLimits.comparedNameCharactersMax else { return nil }
    // One letter in three may be wrong, and one at least.
    let distanceMax = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in names
    where candidate.count <= CommandLimits.comparedNameCharactersMax && candidate != name {
      let distance = distance(wanted, Array(candidate.lowercased()))
      // A name of one or two letters would have none in common.
      guard distance * 2 < max(wanted.count, candidate.count) else { continue }
      if distance <= distanceMax, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// `Did you mean NAME?` with a blank before it; empty if no name is near.
  static func question(_ name: String, among names: some Sequence<String>) -> String {
    nearest(to: name, among: names).map { " Did you mean \(CellText.escaped($0))?" } ?? ""
  }

  /// How many letters are to be put in, left out, changed or swapped with their neighbour.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var older: [Int] = []
    var previous = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(previous[column] + (character == other ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
          cost = min(cost, older[column - 1] + 1)
        }
        current.append(cost)
      }
      (older, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
