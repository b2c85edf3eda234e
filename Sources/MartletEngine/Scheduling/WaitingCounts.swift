/// Counts the waiters of each session and subject, and names the one that must give way when the queue is full.
///
/// Whoever comes to a full queue asks, and so does the next one: all are counted once, and the counts are kept up to
/// date then, until a quarter of those that waited have left. A queue that is never full counts nothing.
///
/// Always true: who gives way has more waiting than the newcomer would have, as a subject or, within the newcomer's
/// own subject, as a session; to ask costs the same however many wait.
struct WaitingCounts {
  private var subjects = FullestFirst()
  private var sessions: [UInt64: FullestFirst] = [:]
  private var total = 0
  private var totalMin = 0
  /// Whoever comes or leaves is counted.
  private(set) var isKept = false

  // MARK: - Counting

  /// `count` more jobs of the session wait.
  mutating func add(_ count: Int = 1, of share: SessionShare) { change(share, by: max(0, count)) }

  private mutating func change(_ share: SessionShare, by change: Int) {
    total += change
    subjects.change(share.subject, by: change)
    sessions[share.subject, default: FullestFirst()].change(share.session, by: change)
    if sessions[share.subject]?.isEmpty == true { sessions[share.subject] = nil }
  }

  /// All that wait have been added, and whoever comes or leaves is told from now on.
  mutating func keep() {
    isKept = true
    totalMin = total - total / 4
  }

  @inline(__always)
  mutating func came(_ share: SessionShare) { if isKept { change(share, by: 1) } }

  @inline(__always)
  mutating func left(_ share: SessionShare, _ count: Int = 1) { if isKept { leave(share, count) } }

  private mutating func leave(_ share: SessionShare, _ count: Int) {
    change(share, by: -count)
    if total < totalMin { self = WaitingCounts() }
  }

  /// For tests and assertions.
  var all: [SessionShare: Int] {
    var all: [SessionShare: Int] = [:]
    for (subject, own) in sessions {
      for entry in own.all { all[SessionShare(subject: subject, session: entry.key)] = entry.count }
    }
    return all
  }

  // MARK: - Who gives way

  /// The fullest session of the fullest subject, or of the newcomer's own if no other subject has more than it
  /// would have. Nil if nobody has: then the newcomer is refused.
  func whoGivesWay(to newcomer: SessionShare) -> SessionShare? {
    guard let most = subjects.fullest else { return nil }
    let isOthers = most.count > subjects.count(of: newcomer.subject) + 1
    let subject = isOthers ? most.key : newcomer.subject
    guard let own = sessions[subject], let fullest = own.fullest,
      isOthers || fullest.count > own.count(of: newcomer.session) + 1
    else { return nil }
    return SessionShare(subject: subject, session: fullest.key)
  }
}
