/// How the columns of a result share the width of a terminal.
///
/// Always true: columns that fit are as wide as they want to be; the widest give way first, and if none could be
/// read any more the rows are printed one value a line.
struct TableFit: Equatable {
  enum Layout: Equatable {
    /// The cells that each column has; longer texts are cut.
    case columns([Int])
    /// One value a line.
    case lines
  }

  /// Cells between two columns.
  static let gap = 2

  /// `wanted` are the widths of the widest cells, `most` the caps that a person set (0: none), `terminal` the width
  /// there is (nil: any).
  static func layout(wanted: [Int], most: [Int] = [], terminal: Int?) -> Layout {
    let widths = wanted.enumerated().map { index, width in
      let cap = index < most.count ? most[index] : 0
      return cap > 0 ? min(width, cap) : width
    }
    guard let terminal, !widths.isEmpty else { return .columns(widths) }
    let room = terminal - gap * (widths.count - 1)
    guard widths.reduce(0, +) > room else { return .columns(widths) }
    guard let cap = cap(of: widths, room: room), cap >= CommandLimits.cutColumnCellsMin else { return .lines }
    var fitted = widths.map { min($0, cap) }
    // What the division left over goes to the first columns that were cut.
    var left = room - fitted.reduce(0, +)
    for index in fitted.indices where left > 0 && fitted[index] < widths[index] {
      fitted[index] += 1
      left -= 1
    }
    return .columns(fitted)
  }

  /// The largest width that no column may exceed if all are to fit; nil if there is none.
  private static func cap(of widths: [Int], room: Int) -> Int? {
    var left = room
    var waiting = widths.sorted()
    while let narrowest = waiting.first {
      let share = left / waiting.count
      guard narrowest <= share else { return share > 0 ? share : nil }
      left -= narrowest
      waiting.removeFirst()
    }
    return nil
  }

  /// The text, or its beginning and an ellipsis if it takes more than `width` cells.
  static func cut(_ text: String, to width: Int) -> String {
    guard DisplayWidth.of(text) > width else { return text }
    var result = ""
    var used = 0
    for character in text {
      let next = DisplayWidth.of(character)
      if used + next > width - 1 { break }
      used += next
      result.append(character)
    }
    return width > 0 ? result + "…" : ""
  }
}
