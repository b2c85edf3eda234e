import MartletValues

/// Who must give a connection up, because others wait that have less.
///
/// Always true: a connection is taken from its holder once, for one that waits; who has no more than the one that waits
/// keeps what runs.
extension LeaseQueue {
  /// Reads of other sessions wait for a connection.
  func isWanted(byOthersThan connection: Int) -> Bool {
    guard !waiting.isEmpty, let lease = leases[connection] else { return false }
    return waitingBySession.count > 1 || waitingBySession[lease.session] == nil
  }

  /// The session of this connection has so many connections that one is due to another session, which waits and has
  /// few. The holder must give this one up now.
  mutating func isOverShare(_ connection: Int) -> Bool {
    guard let lease = leases[connection] else { return false }
    let counts = counts
    let mine = counts[lease.session] ?? 0
    var due = 0
    for (session, waiting) in waitingBySession where session != lease.session && (counts[session] ?? 0) + 1 < mine {
      due += waiting
    }
    guard due > promised else { return false }
    leases[connection]?.isReclaimed = true
    return true
  }

  /// Paused streams that must give their connections up, for the sessions that wait and have the fewest: those of the
  /// sessions that have the most, and first those that have been paused for longest.
  mutating func reclaimed(now: MonotonicTime) -> [Int] {
    guard !waiting.isEmpty, leases.values.contains(where: { $0.pausedSince != nil && !$0.isReclaimed }) else {
      return []
    }
    var counts = counts
    var promised = promised
    var chosen: [Int] = []
    let sessions = Set(someWaiting().map(\.session)).sorted { (counts[$0] ?? 0, $0) < (counts[$1] ?? 0, $1) }
    for session in sessions.prefix(EngineLimits.waitingSessionsLookedAtMax) {
      for _ in 0..<min(waitingBySession[session] ?? 0, connectionsMax) {
        if promised > 0 {
          // A connection that was reclaimed before is for those that have the fewest.
          promised -= 1
        } else if let connection = victim(of: session, counts, now: now) {
          leases[connection]?.isReclaimed = true
          counts[leases[connection]?.session ?? 0, default: 1] -= 1
          chosen.append(connection)
        } else {
          break
        }
        counts[session, default: 0] += 1
      }
    }
    return chosen
  }

  /// Connections that are about to be given up.
  private var promised: Int { leases.values.reduce(0) { $0 + ($1.isReclaimed ? 1 : 0) } }

  private func victim(of session: UInt64, _ counts: [UInt64: Int], now: MonotonicTime) -> Int? {
    let its = counts[session] ?? 0
    var best: (connection: Int, count: Int, since: MonotonicTime)?
    for (connection, lease) in leases where lease.kind != .transaction {
      guard let since = lease.pausedSince, !lease.isReclaimed, lease.session != session else { continue }
      let count = counts[lease.session] ?? 0
      // A session that has more than its part gives one up at once; others after a moment.
      guard count > its + 1 || since.advanced(milliseconds: pauseMs) <= now else { continue }
      if let best, (best.count, since, best.connection) >= (count, best.since, connection) { continue }
      best = (connection, count, since)
    }
    return best?.connection
  }

  /// How many connections each session has, without those that it is about to lose.
  var counts: [UInt64: Int] {
    var counts: [UInt64: Int] = [:]
    for lease in leases.values where !lease.isReclaimed { counts[lease.session, default: 0] += 1 }
    return counts
  }

  /// One that waits has so much less than the holder of this connection that it is due to it now: one of another
  /// subject if they are of two, otherwise one of another session. The holder must be able to begin again. The oldest
  /// of the session, or of the subject, is never taken, so that each gets on.
  mutating func mustYield(_ connection: Int) -> Bool {
    guard let lease = leases[connection], lease.kind != .transaction, !lease.isReclaimed else { return false }
    let counts = counts
    var subjects: [UInt64: Int] = [:]
    var isOldestOfSession = true
    var isOldestOfSubject = true
    for other in leases.values where !other.isReclaimed {
      subjects[other.share.subject, default: 0] += 1
      guard other.share.subject == lease.share.subject, other.number < lease.number else { continue }
      isOldestOfSubject = false
      if other.session == lease.session { isOldestOfSession = false }
    }
    let mine = isOldestOfSession ? 0 : counts[lease.session] ?? 0
    let ours = isOldestOfSubject ? 0 : subjects[lease.share.subject] ?? 0
    guard max(mine, ours) > 1 else { return false }
    let promised = promised
    var due = 0
    let mayBegin = transactionCount < transactionsMax
    for waiter in someWaiting() where waiter.session != lease.session && (mayBegin || waiter.kind != .transaction) {
      let isOfSubject = waiter.share.subject == lease.share.subject
      let (most, least) = isOfSubject ? (mine, counts[waiter.session]) : (ours, subjects[waiter.share.subject])
      guard most > (least ?? 0) + 1 else { continue }
      due += 1
      guard due > promised else { continue }
      leases[connection]?.isReclaimed = true
      return true
    }
    return false
  }

  /// Some of those that wait, others each time: they are looked at thousands of times in a second.
  private mutating func someWaiting() -> [Waiting] {
    let most = EngineLimits.waitersLookedAtMax
    guard waiting.count > most else { return waiting }
    let start = lookedAt % waiting.count
    let some = waiting[start..<min(start + most, waiting.count)]
    lookedAt = start + some.count
    return Array(some)
  }

  // MARK: - Transactions

  /// Transactions that wait for their clients and must end, for those that wait to begin one and whose session has
  /// fewer: first those of the sessions with the most, and of these the ones that have waited for longest.
  mutating func reclaimedTransactions(now: MonotonicTime) -> [Int] {
    guard transactionCount >= transactionsMax else { return [] }
    var counts: [UInt64: Int] = [:]
    var promised = 0
    var isAnyIdle = false
    for lease in leases.values where lease.kind == .transaction {
      if lease.isReclaimed { promised += 1 } else { counts[lease.session, default: 0] += 1 }
      isAnyIdle = isAnyIdle || lease.pausedSince != nil
    }
    guard isAnyIdle else { return [] }
    var chosen: [Int] = []
    for waiter in someWaiting() where waiter.kind == .transaction && chosen.count < transactionsMax {
      if promised > 0 {
        promised -= 1
        continue
      }
      guard let connection = idlest(for: waiter.session, counts, now: now) else { continue }
      leases[connection]?.isReclaimed = true
      counts[leases[connection]?.session ?? 0, default: 1] -= 1
      counts[waiter.session, default: 0] += 1
      chosen.append(connection)
    }
    return chosen
  }

  private func idlest(for session: UInt64, _ counts: [UInt64: Int], now: MonotonicTime) -> Int? {
    let its = counts[session] ?? 0
    var best: (connection: Int, count: Int, since: MonotonicTime)?
    for (connection, lease) in leases where lease.kind == .transaction && lease.session != session {
      guard let since = lease.pausedSince, !lease.isReclaimed else { continue }
      let count = counts[lease.session] ?? 0
      let allowedMs = count > its + 1 ? EngineLimits.idleReadMs : EngineLimits.idleLoneReadMs
      guard count > its, since.advanced(milliseconds: allowedMs) <= now else { continue }
      if let best, (best.count, since, best.connection) >= (count, best.since, connection) { continue }
      best = (connection, count, since)
    }
    return best?.connection
  }

  /// True if the holder of the connection is to give it up.
  func isReclaimed(_ connection: Int) -> Bool { leases[connection]?.isReclaimed ?? false }
}
