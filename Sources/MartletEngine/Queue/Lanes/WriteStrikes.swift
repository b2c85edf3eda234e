import MartletValues

/// Sessions whose writes ran past their slice lately: their next unknown writes wait with the long ones.
///
/// Always true: at most `EngineLimits.penalizedSessionsMax` are remembered. A session that is not remembered counts as
/// one whose writes were short.
struct WriteStrikes {
  private struct Strike {
    var count: Int
    var until: MonotonicTime
  }

  private var sessions: [UInt64: Strike] = [:]

  var isEmpty: Bool { sessions.isEmpty }

  /// A strike soon after another counts for twice as long.
  mutating func strike(_ session: UInt64, _ now: MonotonicTime, sliceMs: Int) {
    if sessions.count >= EngineLimits.penalizedSessionsMax, sessions[session] == nil {
      sessions = sessions.filter { $0.value.until > now }
      if sessions.count >= EngineLimits.penalizedSessionsMax { sessions.removeAll() }
    }
    let count = min((sessions[session]?.count ?? 0) + 1, EngineLimits.writePenaltiesMax)
    sessions[session] = Strike(count: count, until: now.advanced(milliseconds: (sliceMs * 9) << (count - 1)))
  }

  mutating func isStruck(_ session: UInt64, _ now: MonotonicTime) -> Bool {
    guard let strike = sessions[session] else { return false }
    if strike.until > now { return true }
    // After a while without a strike the next one counts for less; in the end the session is forgotten.
    sessions[session] = strike.count > 1 ? Strike(count: strike.count - 1, until: now) : nil
    return false
  }
}
