import MartletValues

/// The savepoints that are set in one transaction, by the numbers that its owner gave them.
///
/// Always true: they are what SQLite has, because each change is made after SQLite made it; there are at most
/// `EngineLimits.savepointsMax`, each of which costs memory and a step for every page that is written.
struct Savepoints {
  /// The oldest first. A number may be there twice, and then means the newest.
  private(set) var numbers: [UInt32] = []

  /// Why it cannot be done; nil if it can.
  func refusal(of action: SavepointAction, _ number: UInt32) -> RequestError? {
    switch action {
    case .set: numbers.count < EngineLimits.savepointsMax ? nil : .tooManySavepoints
    case .release, .rollBackTo: numbers.contains(number) ? nil : .noSavepoint(number)
    }
  }

  mutating func done(_ action: SavepointAction, _ number: UInt32) {
    if action == .set { return numbers.append(number) }
    guard let place = numbers.lastIndex(of: number) else {
      assertionFailure("savepoint \(number) is not set")
      return
    }
    numbers.removeSubrange((action == .release ? place : place + 1)...)
  }
}
