import MartletValues

/// Remembers which sessions' transactions were brief, so that their next one need not wait.
///
/// The next transaction of a brief one need not wait until ordinary writes have had as much time as somebody else's
/// transaction took. One of which nothing is known may have the same on trial (`TransactionPace`).
///
/// Always true: at most `EngineLimits.penalizedSessionsMax` are remembered, each for a while. If there is no place left
/// nothing is known of the others; places are looked for once in a while only, because that looks at all of them.
struct KnownHolders {
  private struct Holder {
    var isBrief: Bool
    var until: MonotonicTime
  }

  private var sessions: [UInt64: Holder] = [:]
  /// When places may be looked for again.
  private var sweepAt = MonotonicTime(nanoseconds: 0)

  /// A transaction of the session has ended; others waited for so many nanoseconds of it.
  mutating func transactionEnded(of session: UInt64, contended: UInt64, _ now: MonotonicTime) {
    let holder = Holder(
      isBrief: contended <= EngineLimits.briefHoldNs, until: now.advanced(milliseconds: EngineLimits.knownHolderMs))
    if sessions.count >= EngineLimits.penalizedSessionsMax, sessions[session] == nil {
      guard now >= sweepAt else { return }
      sweepAt = now.advanced(milliseconds: EngineLimits.knownHoldersSweepMs)
      sessions = sessions.filter { $0.value.until > now }
      // Whoever fills the list takes no place away from those on it.
      if sessions.count >= EngineLimits.penalizedSessionsMax { return }
    }
    sessions[session] = holder
  }

  func isBrief(_ session: UInt64, _ now: MonotonicTime) -> Bool { known(session, now)?.isBrief ?? false }

  func isUnknown(_ session: UInt64, _ now: MonotonicTime) -> Bool { known(session, now) == nil }

  private func known(_ session: UInt64, _ now: MonotonicTime) -> Holder? {
    sessions[session].flatMap { $0.until > now ? $0 : nil }
  }
}
