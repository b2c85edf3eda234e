import MartletSQLite
import MartletValues

/// Carries out the decisions of one group commit on a connection of the writer.
///
/// Always true: runs on the writer's thread; between two groups no transaction is open; every job of a group has been
/// answered or is being delivered when `run` returns.
struct GroupRunner {
  let writer: WriterConnection
  let runner: StatementRunner
  private let sliceMs: Int
  private let groupBytesMax: Int
  let returningBytesMax: Int
  let limitsInForce: LimitsInForce
  let clock: @Sendable () -> MonotonicTime
  let counters: WriterCounters
  let commitClock: CommitClock
  /// Asked before each transaction; nil if the disk has room.
  let diskGuard: DiskGuard
  let watch: WriteWatch

  /// Jobs that were undone because their time was over; they have not been answered.
  private(set) var undone: [WriteJob] = []
  /// Jobs that came while the others ran, and had their turn with them.
  private(set) var joined: [WriteJob] = []
  /// Jobs that have not begun, or not all of their steps, because the group's time was over.
  private(set) var unbegun: [WriteJob] = []

  private var pace = GroupPace.slices
  private var joiners: Joiners?
  private var joinsLeft = EngineLimits.groupJoinsMax
  private var hasCompany = false
  var members = GroupMembers()
  private var groupStart = MonotonicTime(nanoseconds: 0)
  private var segmentStart = MonotonicTime(nanoseconds: 0)
  /// When the last member had run.
  private var lastLook = MonotonicTime(nanoseconds: 0)
  /// Bytes of rows that wait for the segment's commit.
  private var heldBytes = 0
  /// Members of the group that were interrupted though nobody had ended them.
  private var interruptions = 0

  init(
    on writer: WriterConnection, desk: Writer, configuration: EngineConfiguration, commitClock: CommitClock,
    diskGuard: DiskGuard
  ) {
    self.writer = writer
    runner = writer.runner
    watch = desk.watch
    counters = desk.counters
    sliceMs = configuration.limits.writeSliceMs
    groupBytesMax = configuration.limits.groupBytesMax
    returningBytesMax = configuration.limits.returningBytesMax
    limitsInForce = configuration.limitsInForce
    clock = configuration.clock
    self.commitClock = commitClock
    self.diskGuard = diskGuard
  }

  // MARK: Performing

  /// Takes those who may still have their turn in the transaction that is about to commit.
  typealias Joiners = (_ most: Int) -> [WriteJob]

  mutating func run(_ jobs: [WriteJob], pace: GroupPace = .slices, joiners: Joiners? = nil) {
    self.pace = pace
    self.joiners = joiners
    hasCompany = jobs.count > 1
    groupStart = clock()
    members = GroupMembers(jobs)
    var group = GroupCommit(memberCount: members.count)
    var action = group.started()
    while action != .finish { action = perform(action, &group) }
    noteUnbegun(group.unbegun)
    WriterCounters.add(Int64(jobs.count + joined.count - undone.count - unbegun.count), to: counters.requests)
  }

  /// The members wait for another turn; a batch of independent steps keeps those of its steps that are left.
  private mutating func noteUnbegun(_ indexes: [Int]) {
    for index in indexes {
      let (job, step) = (members[index].job, members[index].step)
      if let last = unbegun.last, last === job { continue }
      // A batch that has to go on among the long writes goes on at the step that was undone.
      if undone.contains(where: { $0 === job }) { continue }
      if case .looseBatch = job.work { job.resumesAtStep = step }
      unbegun.append(job)
    }
  }

  private mutating func perform(_ action: GroupCommit.Action, _ group: inout GroupCommit) -> GroupCommit.Action {
    switch action {
    case .begin: return begin(&group)
    case .setSavepoint: return setSavepoint(&group)
    case .run(let index): return runMember(index, &group)
    case .releaseSavepoint:
      // The copies are for the closure, which would copy the whole runner for its sake.
      let (writer, lastLook) = (writer, lastLook)
      return attempt(&group, { () throws(SQLiteError) in try writer.releaseMember(at: lastLook) }) { group in
        group.savepointReleased()
      }
    case .rollBackToSavepoint:
      return attempt(&group, writer.rollBackToMember) { group in group.rolledBackToSavepoint() }
    case .commit: return join(&group) ?? commit(&group)
    case .rollBackAll:
      writer.rollBack()
      return writer.isFenced ? fenceRest(&group) : group.rolledBack()
    case .reply(let indexes):
      members.reply(indexes, commitSequence: commitClock.sequence)
      return group.replied(isTurnOver: pace.isOver(clock(), since: groupStart, sliceMs: sliceMs))
    case .fence(let indexes, let unrun):
      members.fail(unrun, writer.fenceError ?? .fenced)
      members.reply(indexes + unrun, commitSequence: commitClock.sequence)
      return .finish
    case .finish: return .finish
    }
  }

  private mutating func begin(_ group: inout GroupCommit) -> GroupCommit.Action {
    segmentStart = clock()
    heldBytes = 0
    if let error = beginError() {
      let action = group.beginFailed()
      if case .reply(let indexes) = action {
        members.fail(indexes, error)
        if error == .diskAlmostFull { WriterCounters.add(Int64(indexes.count), to: counters.diskRefusals) }
      }
      return action
    }
    return group.began()
  }

  private func beginError() -> RequestError? {
    if let error = writer.fenceError { return error }
    if let error = diskGuard.refusal(at: segmentStart) { return error }
    do {
      try writer.begin()
      return nil
    } catch {
      return writer.fenceError ?? RequestError(error)
    }
  }

  /// A savepoint costs as much as a small write, so who certainly needs none has none.
  private mutating func setSavepoint(_ group: inout GroupCommit) -> GroupCommit.Action {
    let member = members[group.upcoming]
    guard !member.job.needsSavepoint(ofMember: member.step) else {
      return attempt(&group, writer.setMember) { group in group.savepointSet() }
    }
    writer.memberBegins()
    return group.savepointSpared()
  }

  /// One of the writer's own statements: should it fail, the transaction is given up and its members run again.
  private func attempt(
    _ group: inout GroupCommit, _ body: () throws(SQLiteError) -> Void,
    then next: (inout GroupCommit) -> GroupCommit.Action
  ) -> GroupCommit.Action {
    do {
      try body()
      return next(&group)
    } catch {
      members.fail(group.members, RequestError(error))
      writer.rollBack()
      if writer.isFenced { return fenceRest(&group) }
      WriterCounters.add(1, to: counters.reruns)
      return group.transactionLost(.other)
    }
  }

  /// Whoever came while the members ran has a turn with them, because a commit costs as much for one as for many. Nil
  /// if nobody did, or the members have waited long enough.
  private mutating func join(_ group: inout GroupCommit) -> GroupCommit.Action? {
    guard let joiners, joinsLeft > 0, group.mayBeJoined, heldBytes <= groupBytesMax,
      lastLook.nanoseconds &- min(groupStart.nanoseconds, lastLook.nanoseconds) < EngineLimits.groupJoinNs
    else { return nil }
    joinsLeft -= 1
    let jobs = joiners(members.count)
    if jobs.isEmpty { return nil }
    let count = members.count
    members.join(jobs)
    joined += jobs
    hasCompany = true
    return group.joined(by: members.count - count)
  }

  private mutating func commit(_ group: inout GroupCommit) -> GroupCommit.Action {
    switch writer.commit() {
    case .committed:
      counters.groupCommitted(members: group.members.count)
      return group.committed()
    case .notCommitted(let error):
      if group.isAlone { members.fail(group.members, error) }
      WriterCounters.add(1, to: counters.reruns)
      return group.commitFailed(.notCommitted)
    case .unknown(let error):
      members.failRest(of: group.members, error)
      return group.commitFailed(.outcomeUnknown)
    }
  }

  /// A rollback failed: what was to be rolled back never commits, because nothing does any more.
  private func fenceRest(_ group: inout GroupCommit) -> GroupCommit.Action {
    members.failRest(of: group.members, writer.fenceError ?? .fenced)
    return group.commitFailed(.outcomeUnknown)
  }

  // MARK: Members

  private mutating func runMember(_ index: Int, _ group: inout GroupCommit) -> GroupCommit.Action {
    let job = members[index].job
    let now = clock()
    if job.execution.isCancelled {
      members.fail(index, .cancelledByOwner)
      return group.memberFailed()
    }
    let deadline = GroupPace.deadline(
      own: job.execution.deadline, isVictim: group.isVictim(index), now,
      longestMs: limitsInForce.writeTimeMaxMs)
    guard now < deadline else {
      members.fail(index, job.lateError)
      return group.memberFailed()
    }
    let turnEnds = pace.turnEnds(now, ran: job.ranNanoseconds, sliceMs: sliceMs)
    watch.watch(job.execution, turnEnds: turnEnds, others: pace.others(hasCompany: hasCompany))
    defer { watch.unwatch() }
    if watch.mustGiveWay(at: now) { return leave(index, &group) }
    writer.connection.forgetLastWrite()
    job.hasBegun = true
    let outcome = runWork(index, deadline: deadline, startedAt: now)
    lastLook = outcome.endedAt ?? clock()
    let took = lastLook.nanoseconds &- min(now.nanoseconds, lastLook.nanoseconds)
    job.turnNanoseconds &+= took
    // Also if it is undone: then the writer itself has to read the schema anew.
    if job.changesSchema { commitClock.schema.ran(for: job.share.session, at: lastLook) }
    return settle(index, outcome, took: took, &group)
  }

  /// What follows from how the member ran.
  private mutating func settle(
    _ index: Int, _ outcome: WorkOutcome, took: UInt64, _ group: inout GroupCommit
  ) -> GroupCommit.Action {
    let job = members[index].job
    let isSlow = lastLook.milliseconds(since: segmentStart) >= sliceMs
    let verdict = MemberVerdict(
      failure: outcome.blame, hasYielded: watch.hasYielded, isSpared: group.isSpared, isUndone: outcome.isUndone,
      keepsPart: outcome.keepsPart, isInTransaction: writer.isInTransaction,
      isViolated: writer.connection.hasDeferredForeignKeyViolations)
    switch verdict {
    // Its part commits with the others, and its error is the answer.
    case .failedInPart: return group.memberSucceeded(isTimeUp: isSlow)
    case .succeeded:
      heldBytes &+= outcome.bytes
      job.ranNanoseconds &+= took
      if group.isSpared { writer.memberEnds(isUndone: false) }
      return group.memberSucceeded(isTimeUp: isSlow || heldBytes > groupBytesMax)
    case .violates:
      members.fail(index, deferredViolation(of: members[index]))
      return group.memberFailed(isTimeUp: isSlow)
    case .leaves: return leave(index, &group)
    case .interrupted: return interrupted(&group)
    case .transactionVanished: return transactionVanished(&group)
    case .failed:
      if job.execution.isShortened { job.explainShortTime() }
      if group.isSpared { writer.memberEnds(isUndone: true) }
      return group.memberFailed(isTimeUp: isSlow)
    case .transactionLost(let blame):
      if job.execution.isShortened { job.explainShortTime() }
      return lose(index, blame, &group)
    }
  }

  /// The transaction goes with the member, if it has not gone by now.
  private mutating func lose(
    _ index: Int, _ blame: GroupCommit.Blame, _ group: inout GroupCommit
  ) -> GroupCommit.Action {
    members[index].job.tookTransaction(ofMember: members[index].step)
    writer.rollBack()
    if writer.isFenced { return fenceRest(&group) }
    WriterCounters.add(1, to: counters.reruns)
    return group.transactionLost(blame)
  }

  /// The member has had its time: it is undone, with the steps of its batch that follow it, and runs again elsewhere.
  private mutating func leave(_ index: Int, _ group: inout GroupCommit) -> GroupCommit.Action {
    writer.rollBack()
    if writer.isFenced {
      members.fail(index, writer.fenceError ?? .fenced)
      return fenceRest(&group)
    }
    let member = members[index]
    let job = member.job
    // Of several statements nobody knows which was long, and others use the same ones.
    let plans = job.plans(ofMember: member.step)
    if pace == .slices, plans.count == 1 { plans[0].judgeWrite { $0.wasUndone() } }
    job.resumesAtStep = member.step
    if !undone.contains(where: { $0 === job }) { undone.append(job) }
    WriterCounters.add(1, to: counters.undone)
    return group.memberLeft(with: members.followers(of: index))
  }

  /// SQLite ended the member although neither its time was up nor its owner had gone.
  private mutating func interrupted(_ group: inout GroupCommit) -> GroupCommit.Action {
    writer.rollBack()
    if writer.isFenced { return fenceRest(&group) }
    WriterCounters.add(1, to: counters.reruns)
    interruptions += 1
    writer.recoveries.recovered(
      writer.connection.label, "a statement was interrupted that nobody had ended, so its group runs again")
    return group.transactionLost(interruptions <= EngineLimits.interruptionsMax ? .nobody : .other)
  }

  /// A statement succeeded and its transaction is gone, so nothing of the group is left.
  private func transactionVanished(_ group: inout GroupCommit) -> GroupCommit.Action {
    writer.recoveries.recovered(writer.connection.label, "a transaction ended under its group, which runs again")
    WriterCounters.add(1, to: counters.reruns)
    members.fail(group.members, RequestError(.unexplained))
    return group.transactionLost(.other)
  }

  private func deferredViolation(of member: GroupMembers.Member) -> RequestError {
    var keys = DeferredKeys()
    for plan in member.job.plans(ofMember: member.step) {
      keys.statementEnded(isViolated: true, writing: WrittenTable.names(in: plan.sql))
    }
    return RequestError(.deferredForeignKey, writing: keys.tables)
  }
}
