import MartletValues

/// The setups that nobody has, which stay for a while because their clients may come back.
///
/// Always true: one that was used later never goes before one that was used earlier, whichever databases they are of.
struct IdleSetups {
  private var setups: [(since: MonotonicTime, bytes: Int)] = []

  mutating func add(bytes: Int, since: MonotonicTime) { setups.append((since, bytes)) }

  /// Those have to go that nobody has had since this moment or for longer; nil if all may stay. They may stay for
  /// `idleMs`, and as long as they come to no more than `keptBytes`.
  func goingSince(now: MonotonicTime, idleMs: Int, keptBytes: Int) -> MonotonicTime? {
    var kept = 0
    for setup in setups.sorted(by: { $0.since > $1.since }) {
      kept &+= setup.bytes
      if kept > keptBytes || setup.since.advanced(milliseconds: idleMs) <= now { return setup.since }
    }
    return nil
  }
}
