import MartletValues

/// Sessions whose last transaction kept others waiting for a moment only. Their next one need not wait until ordinary
/// writes have had as much time as somebody else's transaction took.
///
/// Always true: at most `EngineLimits.penalizedSessionsMax` are remembered, each for a while. A session that is not
/// remembered counts as one whose transactions are long, so that a new one for each of them gains nothing.
struct BriefHolders {
  private var sessions: [UInt64: MonotonicTime] = [:]

  /// A transaction of the session has ended; others waited for so many nanoseconds of it.
  mutating func transactionEnded(of session: UInt64, contended: UInt64, _ now: MonotonicTime) {
    guard contended <= EngineLimits.briefHoldNs else {
      sessions[session] = nil
      return
    }
    if sessions.count >= EngineLimits.penalizedSessionsMax, sessions[session] == nil {
      sessions = sessions.filter { $0.value > now }
      // Whoever fills the list takes no place away from those on it.
      if sessions.count >= EngineLimits.penalizedSessionsMax { return }
    }
    sessions[session] = now.advanced(milliseconds: EngineLimits.briefHolderMs)
  }

  func contains(_ session: UInt64, _ now: MonotonicTime) -> Bool { sessions[session].map { $0 > now } ?? false }
}
