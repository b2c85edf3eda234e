/// Which column each coding key takes, for one layout of columns.
///
/// Always true: a guess that the next key is the one that followed last time is checked before it is used.
internal import MartletAST
internal import Synchronization

final class RowDecodingPlan: Sendable {
  private struct Step: Sendable {
    var key: String
    var position: Int?
  }

  let layout: ColumnLayout
  private let keyStrategy: RowDecoder.KeyStrategy

  /// Keys in the order in which a type asked for them, which is the same for every row.
  private let steps = Mutex<[Step]>([])

  init(layout: ColumnLayout, keyStrategy: RowDecoder.KeyStrategy) {
    self.layout = layout
    self.keyStrategy = keyStrategy
  }

  /// The column of `key`. `cursor` counts the keys that one row was asked for.
  func position(of key: String, cursor: inout Int) -> Int? {
    let turn = cursor
    cursor &+= 1
    return steps.withLock { steps in
      if turn < steps.count, steps[turn].key == key { return steps[turn].position }
      let position = find(key)
      if turn < steps.count {
        steps[turn] = Step(key: key, position: position)
      } else if steps.count == turn && turn < 4_096 {
        steps.append(Step(key: key, position: position))
      }
      return position
    }
  }

  /// The column of `key`, asked out of turn.
  func position(of key: String) -> Int? { find(key) }

  private func find(_ key: String) -> Int? {
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
