/// How many wait of each session, and who gives way if as many wait as may.
///
/// Always true: who gives way has more waiting than the newcomer would have, as a subject or, within the newcomer's
/// own subject, as a session.
struct WaitingCounts {
  private var sessions: [SessionShare: Int] = [:]

  /// `count` more jobs of the session wait.
  mutating func add(_ count: Int = 1, of share: SessionShare) {
    if count > 0 { sessions[share, default: 0] += count }
  }

  /// The fullest session of the fullest subject, or of the newcomer's own if no other subject has more than it
  /// would have. Nil if nobody has: then the newcomer is refused.
  func whoGivesWay(to newcomer: SessionShare) -> SessionShare? {
    var subjects: [UInt64: Int] = [:]
    for (share, count) in sessions { subjects[share.subject, default: 0] += count }
    guard let most = subjects.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return nil }
    let isOthers = most.value > (subjects[newcomer.subject] ?? 0) + 1
    let subject = isOthers ? most.key : newcomer.subject
    var fullest: (share: SessionShare, count: Int)?
    for (share, count) in sessions where share.subject == subject {
      if let best = fullest, (best.count, best.share.session) > (count, share.session) { continue }
      fullest = (share, count)
    }
    guard let fullest, isOthers || fullest.count > (sessions[newcomer] ?? 0) + 1 else { return nil }
    return fullest.share
  }
}
