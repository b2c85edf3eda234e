/// Those that waited when a long job's turn ended: they have their turns before the next long job has one.
///
/// Always true: who comes later is not among them. They have a bounded time for it together, so that a queue that is
/// full of them does not keep long jobs away for as long as it takes.
struct EarlierWaiters {
  /// The number of the newest that may be one of them.
  private var newest: UInt64 = 0
  private var nanosecondsLeft: UInt64 = 0

  /// The number up to which those that wait go first; nil if nobody does.
  var last: UInt64? { nanosecondsLeft > 0 ? newest : nil }

  /// A long job's turn has ended. `newest`: the number of whoever came last.
  mutating func longEnded(newest: UInt64, mostMs: Int) {
    assert(newest >= self.newest, "numbers that grow smaller")
    self.newest = newest
    nanosecondsLeft = UInt64(max(0, mostMs)) &* 1_000_000
  }

  /// Some of those that wait had a turn.
  mutating func served(_ nanoseconds: UInt64) { nanosecondsLeft -= min(nanoseconds, nanosecondsLeft) }
}
