import MartletValues

/// How long a member of a group may run while others wait; then it is undone, and waits with the long ones.
enum GroupPace: Equatable {
  /// A slice each.
  case slices
  /// To the end of a long write's turn; `longOfSession` other long writes are of its own session.
  case turn(until: MonotonicTime, longUntil: MonotonicTime, longOfSession: Int)

  /// When a member gives way that has already run for `nanoseconds`.
  func turnEnds(_ now: MonotonicTime, ran nanoseconds: UInt64, sliceMs: Int) -> MonotonicTime {
    if case .turn(let until, _, _) = self { return until }
    let slice = UInt64(sliceMs) &* 1_000_000
    return MonotonicTime(nanoseconds: now.nanoseconds &+ (slice - min(slice, nanoseconds)))
  }

  /// Who waits for a member. `hasCompany`: others run in its group.
  func others(hasCompany: Bool) -> WriteWatch.Others {
    if case .turn(_, let until, let own) = self { return .init(longBeyond: own, longTurnEnds: until) }
    return .init(hasCompany: hasCompany)
  }

  /// True if the group has used its slice, so that others have their turn. A long write has none: its turn is bounded
  /// elsewhere.
  func isOver(_ now: @autoclosure () -> MonotonicTime, since start: MonotonicTime, sliceMs: Int) -> Bool {
    self == .slices && now().milliseconds(since: start) >= sliceMs
  }

  /// When a member must have ended. A victim ran in time once, so its own deadline does not count; it must end all the
  /// same.
  static func deadline(
    own: MonotonicTime, isVictim: Bool, _ now: MonotonicTime, longestMs: @autoclosure () -> Int
  ) -> MonotonicTime {
    guard isVictim || own == .distantFuture else { return own }
    let longest = now.advanced(milliseconds: longestMs())
    return own == .distantFuture ? longest : max(own, longest)
  }
}
