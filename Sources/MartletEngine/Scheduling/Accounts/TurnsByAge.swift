/// The part of a shared time that goes by age: to whoever has waited for many turns of others, whatever it has had.
///
/// By shares alone, one whose last job took long could wait until the others have had as much: for longer than its
/// deadline, if there are many of them, or if other work leaves them little time.
///
/// Always true: of the time that is charged no more goes by age than that part, what was saved, and the last job, if
/// jobs take what they took so far; what one takes beyond that is counted to its share.
struct TurnsByAge: Equatable {
  /// Jobs that had their turn so far.
  private(set) var turns: UInt64 = 0
  private var nanosecondsLeft: Int64 = 0

  /// Whether one that has waited since the turn of that number is next, if so many wait.
  func isDue(since turn: UInt64, of waiting: Int) -> Bool {
    nanosecondsLeft > 0 && turns &- turn > EngineLimits.passesLeast &+ EngineLimits.passesEach &* UInt64(waiting)
  }

  mutating func turnTaken() { turns &+= 1 }

  /// A job went by age, which will take so long.
  mutating func spend(_ nanoseconds: UInt64) {
    let cost = Int64(clamping: nanoseconds)
    let (left, overflow) = nanosecondsLeft.subtractingReportingOverflow(cost)
    nanosecondsLeft = overflow ? .min : left
  }

  mutating func charged(_ nanoseconds: UInt64) { giveBack(nanoseconds / EngineLimits.turnsByAgeDivisor) }

  /// So much of what was spent was not used.
  mutating func giveBack(_ nanoseconds: UInt64) {
    let (left, overflow) = nanosecondsLeft.addingReportingOverflow(Int64(clamping: nanoseconds))
    nanosecondsLeft = overflow ? .max : left
    nanosecondsLeft = min(nanosecondsLeft, EngineLimits.turnsByAgeSavedNs)
  }
}
