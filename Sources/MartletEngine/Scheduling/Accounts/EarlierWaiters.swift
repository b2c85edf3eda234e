/// Those that waited when a turn ended that had kept them waiting: they have theirs before the next one of its kind.
///
/// Always true: who comes later is not among them. They have a bounded time for it together, so that a queue that is
/// full of them does not keep the others away for as long as it takes.
struct EarlierWaiters {
  /// The number of the newest that may be one of them.
  private var newest: UInt64 = 0
  private var nanosecondsLeft: UInt64 = 0

  /// The number up to which those that wait go first; nil if nobody does.
  var last: UInt64? { nanosecondsLeft > 0 ? newest : nil }

  /// The turn has ended. `newest`: the number of whoever came last. `most`: nanoseconds that they have together.
  mutating func turnEnded(newest: UInt64, most: UInt64) {
    assert(newest >= self.newest, "numbers that grow smaller")
    self.newest = newest
    nanosecondsLeft = most
  }

  /// Some of those that wait had a turn.
  mutating func served(_ nanoseconds: UInt64) { nanosecondsLeft -= min(nanoseconds, nanosecondsLeft) }
}
