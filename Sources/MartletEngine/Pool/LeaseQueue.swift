import MartletValues

/// Who gets which reader connection next: the rules, without connections.
///
/// A read that may be over in a moment takes any connection. One that has turned out to be long, and a transaction,
/// take none of the last ones, which are kept for the others. Of those that wait, the one is served whose subject and
/// session have the fewest already. Reads that are known to be brief come first, and one of the others after each
/// `knownLeasesMax` of them: so a crowd of new ones, each of which may use a slice before it is known to be long, holds
/// nobody up for more than a moment.
///
/// If connections are prepared with setups, one with the right setup is preferred; otherwise the one that was idle for
/// longest is prepared anew. Who must give a connection up while others wait is told by `LeaseQueue+Shares`.
///
/// Always true: connections are numbered from 0 and each is idle or leased to one holder; long reads and transactions
/// together leave the reserve free; a holder waits only while there is no connection for its kind.
struct LeaseQueue {
  enum Kind: Equatable {
    /// A read that may be over in a moment, as the last ones of its shape were.
    case known
    /// A read that may be over in a moment.
    case brief
    /// A read that has rows for more than a batch, or has run for longer than a slice.
    case long
    case transaction

    var isBrief: Bool { self == .known || self == .brief }
  }

  enum Grant: Equatable {
    case leased(Int)
    case waiting
    /// Too many wait already.
    case refused
  }

  struct Served: Equatable {
    var ticket: UInt64
    var connection: Int
  }

  struct Lease {
    var share: SessionShare
    var kind: Kind
    /// Grows from lease to lease.
    var number: UInt64
    /// Since when the stream, or the transaction, waits for its client; nil while it runs.
    var pausedSince: MonotonicTime?
    var isReclaimed = false

    var session: UInt64 { share.session }
  }

  struct Waiting {
    var ticket: UInt64
    var share: SessionShare
    var kind: Kind
    var setup: ShapeID

    var session: UInt64 { share.session }
  }

  let connectionsMax: Int
  private let waitingMax: Int
  let longMax: Int
  let transactionsMax: Int
  let pauseMs: Int
  /// The numbers of idle connections. The one that was used last is at the end.
  private var idle: [Int] = []
  /// What each connection was prepared with for its last holder.
  private var setups: [ShapeID] = []
  private var known = 0
  var leases: [Int: Lease] = [:]
  private(set) var waiting: [Waiting] = []
  private(set) var waitingBySession: [UInt64: Int] = [:]
  private var waitingBySubject: [UInt64: Int] = [:]
  /// Kept while as many wait as may.
  private var crowd = WaitingCounts()
  /// How many of a session were served while others of it waited.
  private var servedBySession: [UInt64: Int] = [:]
  private(set) var longCount = 0
  private(set) var transactionCount = 0
  private var lastLease: UInt64 = 0
  /// Brief ones that wait: those that are known to be, and others.
  private var waitingBrief = (known: 0, other: 0)
  /// How many known ones were served while others waited, since one of those was.
  private var knownServed = 0
  /// Where to look next among those that wait, if there are very many.
  var lookedAt = 0

  /// `pauseMs`: how long a stream that waits for its client keeps its connection if others wait.
  init(connectionsMax: Int, waitingMax: Int, pauseMs: Int = Limits().pausedStreamMs) {
    self.connectionsMax = max(1, connectionsMax)
    self.waitingMax = max(0, waitingMax)
    self.pauseMs = pauseMs
    longMax = max(1, self.connectionsMax - self.connectionsMax / EngineLimits.longLeaseDivisor)
    transactionsMax = max(1, self.connectionsMax / EngineLimits.transactionLeaseDivisor)
  }

  /// Connections that nobody has.
  var idleNumbers: [Int] { idle }

  var leasedCount: Int { leases.count }
  var waitingCount: Int { waiting.count }
  /// Streams that wait for their clients; transactions do not count.
  var pausedCount: Int { leases.values.count { $0.pausedSince != nil && $0.kind != .transaction } }

  /// Whether anybody waits for a connection.
  var isAnyWanted: Bool { !waiting.isEmpty }

  // MARK: - Events

  /// A holder, known by its ticket, wants a connection. The one used last is given first, because its cache is warm.
  mutating func arrived(
    _ ticket: UInt64, session: UInt64 = 0, subject: UInt64 = 0, kind: Kind = .brief,
    setup: ShapeID = DatabaseSetup.empty.id
  ) -> Grant {
    defer { invariant() }
    let share = SessionShare(subject: subject, session: session)
    // One that came earlier for the same kind is served first.
    if isFree(for: kind), !waiting.contains(where: { $0.kind == kind }) {
      return .leased(take(share, kind, setup))
    }
    guard waiting.count < waitingMax else { return .refused }
    waiting.append(Waiting(ticket: ticket, share: share, kind: kind, setup: setup))
    waitingBySession[session, default: 0] += 1
    waitingBySubject[subject, default: 0] += 1
    crowd.came(share)
    countBrief(kind, 1)
    return .waiting
  }

  /// If as many wait as may: makes room for one of that session, if another subject, or another session of its own
  /// subject, has more waiting than it would have. Returns the ticket of the last one of the fullest session in the
  /// fullest subject.
  mutating func displaced(by share: SessionShare) -> UInt64? {
    defer { invariant() }
    if !crowd.isKept {
      for waiter in waiting { crowd.add(of: waiter.share) }
      crowd.keep()
    }
    guard let victim = crowd.whoGivesWay(to: share), let index = waiting.lastIndex(where: { $0.share == victim })
    else { return nil }
    return noLonger(waitingAt: index).ticket
  }

  /// The holder of a connection has turned out to be long. False if it must give it back and come again.
  mutating func becameLong(_ connection: Int) -> Bool {
    defer { invariant() }
    guard let lease = leases[connection], lease.kind.isBrief else { return true }
    guard longCount < longMax else { return false }
    longCount += 1
    leases[connection]?.kind = .long
    return true
  }

  /// A holder is done with a connection. Returns the tickets of those that have one now.
  mutating func returned(_ connection: Int) -> [Served] {
    defer { invariant() }
    guard let lease = leases.removeValue(forKey: connection) else { return [] }
    if !lease.kind.isBrief { longCount -= 1 }
    if lease.kind == .transaction { transactionCount -= 1 }
    idle.append(connection)
    if waiting.isEmpty { return [] }
    var served: [Served] = []
    while let index = nextWaiting(after: lease.share) {
      let next = noLonger(waitingAt: index)
      if next.kind.isBrief { knownServed = next.kind == .known && waitingBrief.other > 0 ? knownServed + 1 : 0 }
      if waitingBySession[next.session] != nil { servedBySession[next.session, default: 0] += 1 }
      served.append(Served(ticket: next.ticket, connection: take(next.share, next.kind, next.setup)))
    }
    return served
  }

  /// A holder no longer waits; false if it did not, because its connection is on the way.
  mutating func withdrew(_ ticket: UInt64) -> Bool {
    defer { invariant() }
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
    noLonger(waitingAt: index)
    return true
  }

  @discardableResult
  private mutating func noLonger(waitingAt index: Int) -> Waiting {
    let gone = waiting.remove(at: index)
    countBrief(gone.kind, -1)
    crowd.left(gone.share)
    waitingBySession[gone.session, default: 1] -= 1
    if waitingBySession[gone.session] == 0 {
      waitingBySession[gone.session] = nil
      servedBySession[gone.session] = nil
    }
    let subject = gone.share.subject
    waitingBySubject[subject, default: 1] -= 1
    if waitingBySubject[subject] == 0 { waitingBySubject[subject] = nil }
    return gone
  }

  /// The stream, or the transaction, on a connection waits for its client.
  mutating func paused(_ connection: Int, now: MonotonicTime) { leases[connection]?.pausedSince = now }

  mutating func resumed(_ connection: Int) {
    leases[connection]?.pausedSince = nil
    leases[connection]?.isReclaimed = false
  }

  // MARK: - Parts

  private func isFree(for kind: Kind) -> Bool {
    guard leases.count < connectionsMax else { return false }
    switch kind {
    case .known, .brief: return true
    case .long: return longCount < longMax
    case .transaction: return longCount < longMax && transactionCount < transactionsMax
    }
  }

  private mutating func take(_ share: SessionShare, _ kind: Kind, _ setup: ShapeID) -> Int {
    let connection: Int
    if let prepared = idle.lastIndex(where: { setups[$0] == setup }) {
      connection = idle.remove(at: prepared)
    } else if known < connectionsMax {
      connection = known
      known += 1
      setups.append(setup)
    } else {
      connection = idle.removeFirst()
      setups[connection] = setup
    }
    lastLease += 1
    leases[connection] = Lease(share: share, kind: kind, number: lastLease)
    if !kind.isBrief { longCount += 1 }
    if kind == .transaction { transactionCount += 1 }
    return connection
  }

  private mutating func countBrief(_ kind: Kind, _ change: Int) {
    if kind == .known { waitingBrief.known += change }
    if kind == .brief { waitingBrief.other += change }
  }

  /// The brief ones that come first now.
  private var firstKind: Kind {
    let isTheirTurn = waitingBrief.other > 0 && knownServed >= EngineLimits.knownLeasesMax
    return waitingBrief.known > 0 && !isTheirTurn ? .known : .brief
  }

  /// Brief reads come first, known ones before others or the other way round, then those whose subject has the fewest
  /// connections, then those whose session has the fewest, then those whose session was served least while it waited,
  /// then the oldest. `share` had a connection just now, and still counts as having it.
  private func nextWaiting(after share: SessionShare) -> Int? {
    if leases.count >= connectionsMax { return nil }
    var counts = counts
    counts[share.session, default: 0] += 1
    var subjects: [UInt64: Int] = [share.subject: 1]
    for lease in leases.values where !lease.isReclaimed { subjects[lease.share.subject, default: 0] += 1 }
    // Nothing comes before a read of the first kind of a session without a connection, of a subject with so few. So
    // not all have to be looked at.
    let fewest = waitingBySubject.keys.lazy.map { subjects[$0] ?? 0 }.min() ?? 0
    let firstKind = firstKind
    var best: (index: Int, rank: (Int, Int, Int, Int))?
    for (index, waiter) in waiting.enumerated() where isFree(for: waiter.kind) {
      let rank = (
        waiter.kind == firstKind ? 0 : waiter.kind.isBrief ? 1 : 2, subjects[waiter.share.subject] ?? 0,
        counts[waiter.session] ?? 0,
        servedBySession[waiter.session] ?? 0
      )
      if let best, best.rank <= rank { continue }
      if rank == (0, fewest, 0, 0) { return index }
      best = (index, rank)
    }
    return best?.index
  }

  // MARK: - Invariants

  /// After each event of a debug build, unless so many wait that looking at all of them would change how it grows.
  private func invariant() {
    assert(waiting.count > EngineLimits.countedMax || contradiction == nil, contradiction ?? "")
  }

  /// A sentence for the first thing that must be true and is not; nil if all is well.
  var contradiction: String? {
    if leases.values.filter({ !$0.kind.isBrief }).count != longCount { return "long ones are miscounted" }
    if longCount > longMax { return "the reserve is taken" }
    if transactionCount > transactionsMax { return "too many transactions" }
    if leases.count + idle.count != known || known > connectionsMax { return "connections are miscounted" }
    if setups.count != known { return "setups are miscounted" }
    if waiting.contains(where: { isFree(for: $0.kind) }) { return "one waits beside a free connection" }
    if waitingBySession != waiting.reduce(into: [:], { $0[$1.session, default: 0] += 1 }) { return "waiters" }
    if !servedBySession.keys.allSatisfy({ waitingBySession[$0] != nil }) { return "one is remembered for nothing" }
    if waitingBrief != (waiting.count { $0.kind == .known }, waiting.count { $0.kind == .brief }) {
      return "brief ones"
    }
    if waitingBySubject != waiting.reduce(into: [:], { $0[$1.share.subject, default: 0] += 1 }) { return "subjects" }
    if crowd.isKept, crowd.all != waiting.reduce(into: [:], { $0[$1.share, default: 0] += 1 }) { return "a full queue" }
    return nil
  }
}
