/// How writes that share a transaction stay independent: the order of savepoints, commits and re-runs for one group.
///
///     begin ─▶ [set savepoint ─▶ run ─▶ release | roll back to]… ─▶ commit ─▶ reply ─▶ next segment … ─▶ finish
///                                  │                                   │
///                                  └── transaction lost ──▶ re-plan ◀──┘ not committed, and that is certain
///
/// A segment is the part of the group that shares one transaction; at first that is the whole group. Others may join it
/// before it commits, as long as nothing of the group was lost and no part of it waits. When a member
/// takes the transaction with it, those that ran before it share a new transaction, the member itself runs alone
/// (unless its own time was up), and the rest go on after it. So each loss runs a member at most once more.
///
/// Always true: a member is replied to once, after the transaction that its result came from has ended; what it gets is
/// what it would have got alone, at some place in the order.
struct GroupCommit {
  enum Action: Equatable {
    case begin
    /// Before the upcoming member, if it needs one.
    case setSavepoint
    case run(member: Int)
    case releaseSavepoint
    /// Undo the member that ran last, and release its savepoint.
    case rollBackToSavepoint
    /// Unless others join before.
    case commit
    /// End the transaction, in which nothing worth keeping happened.
    case rollBackAll
    /// The last results of these members are final.
    case reply(members: [Int])
    /// The commit's outcome is unknown for these; nothing may be written from now on. `unrun` never ran.
    case fence(members: [Int], unrun: [Int])
    case finish
  }

  enum Blame: Equatable {
    /// The member's own deadline or cancellation: running it again cannot help.
    case ownTime
    /// The member was interrupted, and nobody had asked for that: it runs again, even if it was alone.
    case nobody
    /// Anything else: alone the member may succeed.
    case other
  }

  enum CommitFailure: Equatable {
    /// Nothing was committed, and that is certain.
    case notCommitted
    case outcomeUnknown
  }

  private enum Undoing: UInt8 { case transaction, savepoint, itself }

  private enum State: UInt8 { case waiting, ran, failed, left }

  private var states: [State] = []
  /// Members that were run at least once.
  private var haveBegun: [Bool] = []
  /// Members that leave because the group's time is over, without having begun.
  private(set) var unbegun: [Int] = []
  /// The members still to be settled, in the order of their runs; a segment is a range of it.
  private var order: [Int]
  private var segmentStart = 0
  private var segmentEnd: Int
  /// Where later segments end, the next one last.
  private var laterEnds: [Int] = []
  private var next = 0
  /// Members that ran well before a neighbour took their transaction with it.
  private var victims: Set<Int> = []
  /// Something was lost: members run in other company than at first, or alone.
  private var isPlannedAnew = false
  /// What the member that runs can be undone by.
  private var undoing = Undoing.transaction
  /// The commit failed and nothing of it remains, so the transaction is being rolled back to run each alone.
  private var isSplitting = false

  init(memberCount: Int) {
    order = Array(0..<memberCount)
    segmentEnd = memberCount
    states.reserveCapacity(memberCount)
    haveBegun.reserveCapacity(memberCount)
    for _ in 0..<memberCount {
      states.append(.waiting)
      haveBegun.append(false)
    }
  }

  var isAlone: Bool { segmentEnd - segmentStart == 1 }

  /// The members that share the current transaction.
  var members: ArraySlice<Int> { order[segmentStart..<segmentEnd] }

  /// The member whose turn it is.
  var upcoming: Int { order[next] }

  /// The member that runs has company and no savepoint.
  var isSpared: Bool { undoing == .itself }

  /// The member ran in time once and runs again for a neighbour's sake, so its deadline must not count.
  func isVictim(_ member: Int) -> Bool { !victims.isEmpty && victims.contains(member) }

  // MARK: Events

  mutating func started() -> Action { order.isEmpty ? .finish : .begin }

  mutating func began() -> Action {
    assert(next == segmentStart && segmentStart < segmentEnd, "a transaction for nobody")
    return proceed()
  }

  /// The transaction could not begin: no member of the segment ran, and the runner answers each with BEGIN's error.
  mutating func beginFailed() -> Action {
    for index in segmentStart..<segmentEnd { states[order[index]] = .failed }
    next = segmentEnd
    return .reply(members: Array(order[segmentStart..<segmentEnd]))
  }

  mutating func savepointSet() -> Action {
    assert(next < segmentEnd && !isAlone, "a savepoint for nobody")
    undoing = .savepoint
    return run()
  }

  /// The member needs no savepoint: if it fails, it is undone already, or its transaction is lost.
  mutating func savepointSpared() -> Action {
    assert(next < segmentEnd && !isAlone, "nobody to be spared a savepoint")
    undoing = .itself
    return run()
  }

  /// `isTimeUp`: the members so far have taken so long that they should not wait for more.
  mutating func memberSucceeded(isTimeUp: Bool = false) -> Action {
    defer { invariant() }
    assert(next < segmentEnd, "a result of nobody")
    let hasSavepoint = undoing == .savepoint
    settle(as: .ran, isTimeUp)
    return hasSavepoint ? .releaseSavepoint : proceed()
  }

  /// The member failed and the transaction is still open. Without a savepoint the member is undone already.
  mutating func memberFailed(isTimeUp: Bool = false) -> Action {
    defer { invariant() }
    assert(next < segmentEnd, "a failure of nobody")
    let hasSavepoint = undoing == .savepoint
    settle(as: .failed, isTimeUp)
    return hasSavepoint ? .rollBackToSavepoint : proceed()
  }

  private mutating func settle(as state: State, _ isTimeUp: Bool) {
    states[order[next]] = state
    next += 1
    if isTimeUp && next < segmentEnd {
      laterEnds.append(segmentEnd)
      segmentEnd = next
    }
  }

  mutating func savepointReleased() -> Action { proceed() }

  mutating func rolledBackToSavepoint() -> Action { proceed() }

  /// The transaction is gone with everything in it: by the member that was running, or around it.
  mutating func transactionLost(_ blame: Blame) -> Action {
    if isAlone, blame == .nobody {
      states[order[segmentStart]] = .waiting
      next = segmentStart
      return .begin
    }
    if isAlone {
      states[order[segmentStart]] = .failed
      next = segmentEnd
      return .reply(members: [order[segmentStart]])
    }
    let culprit = min(next, segmentEnd - 1)
    let before = Array(order[segmentStart..<culprit])
    let after = Array(order[(culprit + 1)..<segmentEnd])
    let member = order[culprit]
    replan([before, blame == .ownTime ? [] : [member], after])
    if blame == .ownTime {
      states[member] = .failed
      return .reply(members: [member])
    }
    return .begin
  }

  /// The member whose turn it was leaves the group unanswered, with those of `followers` that wait: they run another
  /// time. The transaction is gone.
  mutating func memberLeft(with followers: Set<Int>) -> Action {
    let culprit = min(next, segmentEnd - 1)
    var leaving = followers
    leaving.insert(order[culprit])
    let before = order[segmentStart..<culprit].filter { !leaving.contains($0) }
    let after = order[(culprit + 1)..<segmentEnd].filter { !leaving.contains($0) }
    replan([before, after], without: leaving)
    for member in leaving { states[member] = .left }
    return order.isEmpty ? .finish : .begin
  }

  /// All of it is in the transaction that is about to commit, and it is small, so others may still come into that.
  var mayBeJoined: Bool {
    next == order.count && laterEnds.isEmpty && !isPlannedAnew && states.count < EngineLimits.groupJoinMembersMax
  }

  /// So many have come while the others ran, and run in their transaction.
  mutating func joined(by count: Int) -> Action {
    defer { invariant() }
    assert(mayBeJoined && count > 0, "nobody joins a group that is over")
    for _ in 0..<count {
      order.append(states.count)
      states.append(.waiting)
      haveBegun.append(false)
    }
    segmentEnd = order.count
    return proceed()
  }

  mutating func committed() -> Action {
    assert(next == segmentEnd, "a commit before its members")
    return .reply(members: Array(order[segmentStart..<segmentEnd]))
  }

  mutating func commitFailed(_ failure: CommitFailure) -> Action {
    switch failure {
    case .outcomeUnknown:
      let unrun = Array(order[segmentEnd...])
      return .fence(members: Array(order[segmentStart..<segmentEnd]), unrun: unrun)
    case .notCommitted:
      if isAlone { states[order[segmentStart]] = .failed } else { isSplitting = true }
      return .rollBackAll
    }
  }

  /// The whole transaction was rolled back on purpose.
  mutating func rolledBack() -> Action {
    if isSplitting {
      isSplitting = false
      replan(order[segmentStart..<segmentEnd].map { [$0] })
      return .begin
    }
    return .reply(members: Array(order[segmentStart..<segmentEnd]))
  }

  /// `isTurnOver`: the group has had its time, so those that have not begun leave it unanswered (`unbegun`).
  mutating func replied(isTurnOver: Bool = false) -> Action {
    // After a loss by a member's own time the new segment has not begun yet; otherwise the replied one is done.
    if next >= segmentEnd {
      guard let end = laterEnds.popLast() else { return .finish }
      segmentStart = segmentEnd
      segmentEnd = end
      next = segmentStart
      invariant()
    }
    if isTurnOver {
      let leaving = Set(order[segmentStart...].filter { !haveBegun[$0] })
      unbegun += leaving.sorted()
      for member in leaving { states[member] = .left }
      replan([order[segmentStart..<segmentEnd].filter { !leaving.contains($0) }], without: leaving)
      if order.isEmpty { return .finish }
    }
    return .begin
  }

  private func invariant() {
    assert(segmentStart <= next && next <= segmentEnd && segmentEnd <= order.count)
    assert((laterEnds.first ?? segmentEnd) == order.count, "members that are in no segment")
    assert(zip([segmentEnd] + laterEnds.reversed(), laterEnds.reversed()).allSatisfy { $0 < $1 }, "a segment of nobody")
    assert(
      order.count > EngineLimits.countedMax
        || Set(order).count == order.count && order[next...].allSatisfy { states[$0] == .waiting },
      "a member that runs twice, or has run already")
  }

  // MARK: Planning

  private mutating func proceed() -> Action {
    undoing = .transaction
    if next < segmentEnd { return isAlone ? run() : .setSavepoint }
    let hasWork = order[segmentStart..<segmentEnd].contains { states[$0] == .ran }
    return hasWork ? .commit : .rollBackAll
  }

  private mutating func run() -> Action {
    haveBegun[order[next]] = true
    return .run(member: order[next])
  }

  /// Replaces the current segment by these, leaving out empty ones; those that follow it stay, without the members that
  /// leave.
  private mutating func replan(_ segments: [[Int]], without leaving: Set<Int> = []) {
    isPlannedAnew = true
    var later: [[Int]] = []
    var start = segmentEnd
    for end in laterEnds.reversed() {
      later.append(order[start..<end].filter { !leaving.contains($0) })
      start = end
    }
    var ends: [Int] = []
    order = []
    for segment in segments where !segment.isEmpty {
      for member in segment {
        if states[member] == .ran { victims.insert(member) }
        states[member] = .waiting
      }
      order += segment
      ends.append(order.count)
    }
    for segment in later where !segment.isEmpty {
      order += segment
      ends.append(order.count)
    }
    segmentStart = 0
    segmentEnd = ends.first ?? 0
    next = 0
    laterEnds = ends.dropFirst().reversed()
    invariant()
  }
}
