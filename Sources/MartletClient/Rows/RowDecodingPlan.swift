internal import MartletValues

/// Which column each coding key takes, for one layout of columns.
///
/// Always true: it never changes; a guess that the next key is the one that followed last time is checked before it is
/// used, and a key that comes out of turn is looked up.
final class RowDecodingPlan: Sendable {
  struct Step: Sendable {
    var key: String
    var position: Int?
  }

  let layout: ColumnLayout
  let keyStrategy: RowDecoder.KeyStrategy

  /// Keys in the order in which a type asked for them, which is the same for every row. Nil before the first row.
  let steps: [Step]?

  init(layout: ColumnLayout, keyStrategy: RowDecoder.KeyStrategy, steps: [Step]? = nil) {
    self.layout = layout
    self.keyStrategy = keyStrategy
    self.steps = steps
  }

  /// The column of `key`, asked out of turn.
  func position(of key: String) -> Int? {
    switch keyStrategy {
    case .asWritten: layout.positions[key]
    case .snakeCase: layout.positions[key] ?? layout.positions[key.snakeCased]
    case .caseInsensitive:
      layout.positions[key]
        ?? layout.columns.columns.firstIndex { $0.name.utf8.elementsEqual(key.utf8, by: Self.isSameLetter) }
    }
  }

  private static func isSameLetter(_ left: UInt8, _ right: UInt8) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }
    return lower(left) == lower(right)
  }
}

/// Counts the keys that one row was asked for, and notes them when it is the first. Lives in one call, on one thread.
final class RowDecodingCursor {
  let plan: RowDecodingPlan
  private var turn = 0
  private(set) var noted: [RowDecodingPlan.Step] = []

  init(plan: RowDecodingPlan) { self.plan = plan }

  func position(of key: String) -> Int? {
    if let steps = plan.steps {
      let now = turn
      turn &+= 1
      if now < steps.count, steps[now].key == key { return steps[now].position }
      return plan.position(of: key)
    }
    let position = plan.position(of: key)
    if noted.count < ClientLimits.notedColumnsMax { noted.append(.init(key: key, position: position)) }
    return position
  }
}

extension String {
  /// `unitPrice` as `unit_price`.
  fileprivate var snakeCased: String {
    var text = ""
    for character in self {
      if character.isUppercase {
        if !text.isEmpty { text += "_" }
        text += character.lowercased()
      } else {
        text.append(character)
      }
    }
    return text
  }
}
