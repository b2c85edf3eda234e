import MartletAST
import MartletSQLite
package import MartletValues

/// One database of the engine as the sessions of one setup have it: where statements, batches and transactions start.
///
/// Always true: what is started here is answered exactly once, on a thread of the engine or before `start` returns; it
/// runs on connections that are prepared with the setup. While it exists, neither file nor setup closes for want of
/// use.
package final class Database: Sendable {
  let file: DatabaseFile
  let scope: SetupScope
  let pool: ReaderPool
  let writer: Writer
  let plans: PlanCache
  private let commitClock: CommitClock

  /// The caller has leases of both.
  init(file: DatabaseFile, scope: SetupScope) {
    file.leases.take()
    scope.leases.take()
    self.file = file
    self.scope = scope
    pool = scope.pool
    writer = file.writer
    plans = file.parts.plans
    commitClock = file.parts.commitClock
  }

  deinit {
    scope.noteUse(at: file.configuration.clock())
    scope.leases.giveBack()
    file.leases.giveBack()
  }

  package var name: String { file.name }

  /// What the database's connections are prepared with.
  package var setup: DatabaseSetup { scope.script.setup }

  /// Whether the database was made when it was opened: true once, for who tells of it.
  package func takeNews() -> Bool { file.takeNews() }

  /// Whether the subject may have the database with its setup. Throws PERMISSION, which names what is missing.
  package func check(_ subject: Subject) throws(RequestError) { try scope.script.check(subject) }

  /// Grows by one with each commit, before any reply to the commit leaves.
  package var commitSequence: UInt64 { commitClock.sequence }

  /// A commit's outcome was unknown, so writes are refused until the database is opened anew.
  package var isFenced: Bool { writer.isFenced }

  /// When the database was last asked for something, not counting what event loops answered.
  package var lastUse: MonotonicTime { file.idleSince }

  /// How it is used, not counting what event loops answered.
  package var use: SteadyUse { file.use }

  /// The database is being renamed or dropped, or was, so it has to be asked for anew.
  package var isLeaving: Bool { file.isLeaving }

  /// It was closed, to be opened anew, so it has to be asked for anew.
  package var isClosed: Bool { file.isClosed }

  /// Tells of the commits from now on, whichever session made them; keeps the database open meanwhile.
  ///
  /// `wake` is called on the writer's thread when there is something to take and was nothing before; it must return at
  /// once. A subscriber that takes them too late hears of a gap, with the tables that were written in it.
  package func subscribe(
    queueMax: Int, wantsLog: Bool = false, wake: @escaping @Sendable () -> Void
  ) -> CommitSubscription {
    file.feed.subscribe(queueMax: queueMax, wantsLog: wantsLog, keeping: self, wake: wake)
  }

  // MARK: - Starting

  /// Runs one statement in a transaction of its own. `allowance`: that of the event loop that calls. If nothing of it
  /// is left, a statement that is new to the engine is read on another thread.
  package func start(
    _ request: StatementRequest, token: RequestToken, sink: any ReplySink, allowance: LoopAllowance? = nil
  ) -> Execution {
    let now = file.configuration.clock()
    file.noteUse(at: now)
    let execution = Execution(
      token: token, sink: sink, deadline: request.deadline, credit: request.credit, account: request.account,
      subject: request.subject)
    if isForPlanner(request, allowance) {
      startLater(request, execution)
    } else {
      start(request, execution, isPatient: false, allowance: allowance, at: now)
    }
    return execution
  }

  /// Too long for an event loop, or new to it at a time when too many are.
  func isForPlanner(_ request: StatementRequest, _ allowance: LoopAllowance?) -> Bool {
    if request.source.isLong(limits) { return true }
    guard let allowance, !allowance.isLeft else { return false }
    return !plans.isReady(request.source, for: request.subject)
  }

  func isForPlanner(_ batch: BatchRequest, _ allowance: LoopAllowance?) -> Bool {
    if batch.isLong(limits) { return true }
    guard let allowance, !allowance.isLeft else { return false }
    return batch.steps.contains { !plans.isReady($0.source, for: batch.subject) }
  }

  private func startLater(_ request: StatementRequest, _ execution: Execution) {
    planLater(execution) { database in
      database.start(request, execution, isPatient: true, at: database.file.configuration.clock())
    }
  }

  private func start(
    _ request: StatementRequest, _ execution: Execution, isPatient: Bool, allowance: LoopAllowance? = nil,
    at now: MonotonicTime
  ) {
    do throws(RequestError) {
      let work = try work(for: request, isPatient: isPatient, allowance: allowance)
      if !isPatient, work.plan.needsPlanner(limits) { return startLater(request, execution) }
      if work.plan.access == .read {
        return ReadStream.start(request, plan: work.plan, execution: execution, on: pool, script: scope.script)
      }
      try boundTime(of: execution, mayShorten: request.mayShortenDeadline || work.plan.access == .raw, at: now)
      execution.noteWrite()
      let job = WriteJob(.statement(work), execution: execution, script: scope.script)
      writer.enqueue(job, company: work.plan.writeCompany, bytes: work.byteCount)
    } catch {
      execution.deliver(.failed(error))
    }
  }

  /// A write has `writeTimeMaxMs` at most, waiting included. Text that SQLite could not compile is told why instead.
  private func boundTime(
    of execution: Execution, mayShorten: Bool, at now: MonotonicTime
  ) throws(RequestError) {
    guard execution.deadline != .distantFuture else { return }
    let mostMs = file.configuration.limitsInForce.writeTimeMaxMs
    let most = now.advanced(milliseconds: mostMs)
    guard execution.deadline > most else { return }
    guard mayShorten else { throw .writeDeadlineTooLong(mostMs: mostMs) }
    execution.shorten(to: most)
  }

  private var limits: Limits { file.configuration.limits }

  /// Goes on with an execution on the thread for long statements.
  private func planLater(_ execution: Execution, _ body: @escaping @Sendable (Database) -> Void) {
    planner.plan(for: execution, clock: file.configuration.clock) { [self] in body(self) }
  }

  var planner: Planner { file.parts.planner }

  /// Runs a batch: in one transaction if it is atomic, each step in its own otherwise. `allowance`: as for a
  /// statement.
  package func start(
    _ batch: BatchRequest, token: RequestToken, sink: any ReplySink, allowance: LoopAllowance? = nil
  ) -> Execution {
    let execution = Execution(
      token: token, sink: sink, deadline: batch.deadline, credit: batch.credit, account: batch.account,
      subject: batch.subject)
    file.noteUse()
    if isForPlanner(batch, allowance) {
      planLater(execution) { $0.start(batch, execution, isPatient: true) }
    } else {
      allowance.spend { start(batch, execution, isPatient: false) }
    }
    return execution
  }

  private func start(_ batch: BatchRequest, _ execution: Execution, isPatient: Bool) {
    do throws(RequestError) {
      guard let work = try work(for: batch, isPatient: isPatient),
        isPatient || !work.plans.contains(where: { $0.needsPlanner(limits) })
      else {
        return planLater(execution) { $0.start(batch, execution, isPatient: true) }
      }
      if work.isReadOnly {
        return ReadBatch(work, execution: execution, pool: pool, script: scope.script).startAlone()
      }
      try boundTime(
        of: execution, mayShorten: batch.mayShortenDeadline || work.plans.contains { $0.access == .raw },
        at: file.configuration.clock())
      let job = WriteJob(
        batch.isAtomic ? .atomicBatch : .looseBatch, execution: execution, script: scope.script, batch: work)
      let isShared = work.plans.allSatisfy { $0.writeCompany == .shared }
      writer.enqueue(job, company: isShared ? .shared : .alone, bytes: work.byteCount)
    } catch {
      execution.deliver(.failed(error))
    }
  }

  /// Opens an interactive transaction. The token's completion comes when it is its turn, before `deadline` or not at
  /// all; statements may be started without waiting for it.
  package func begin(
    _ mode: TransactionMode, deadline: MonotonicTime, subject: Subject = .program, token: RequestToken,
    sink: any ReplySink
  ) -> Transaction {
    file.noteUse()
    if mode == .read {
      let transaction = ReadTransaction(
        on: pool, deadline: deadline, subject: subject, token: token, sink: sink, script: scope.script)
      transaction.begin()
      return Transaction(
        database: self, side: .read(transaction),
        share: SessionShare(subject: subject.share, session: token.session))
    }
    let execution = Execution(token: token, sink: sink, deadline: deadline, credit: .max, subject: subject)
    let transaction = WriteTransaction(
      execution: execution, limits: file.configuration.limitsNow, quotaMs: subject.quotas?.writeTransactionMs ?? .max)
    let job = WriteJob(.transaction(transaction), execution: execution, script: scope.script)
    writer.enqueue(job, company: .exclusive, bytes: 0)
    return Transaction(database: self, side: .write(transaction), share: execution.sessionShare)
  }

  /// A reader for an event loop's own thread; the loop keeps the database as long as the reader. `watch` hears what it
  /// runs.
  package func makeInlineReader(
    label: String, watch: StatementWatch = StatementWatch(), allowance: LoopAllowance? = nil
  ) throws(RequestError) -> InlineReader {
    try InlineReader(
      path: file.parts.path, files: file.parts.files, label: label, limits: file.configuration.limits,
      clock: file.configuration.clock,
      commits: commitClock, plans: plans, counters: pool.context.counters, script: scope.script,
      classifier: scope.classifier, watch: watch, allowance: allowance)
  }

  // MARK: - Plans

  /// The request with its plan. Throws UNPREPARED, and what decoding and rendering say.
  func work(
    for request: StatementRequest, isPatient: Bool, allowance: LoopAllowance? = nil
  ) throws(RequestError) -> StatementWork {
    let plan = try plans.plan(
      for: request.source, subject: request.subject, classifier: scope.classifier, isPatient: isPatient,
      allowance: allowance)
    if plan.maintenance == .vacuumInto { throw .vacuumInto }
    return StatementWork(
      plan: plan, parameters: request.parameters,
      columnsVersion: request.columnsVersion, isShapeWanted: request.source.isStatement,
      account: request.account, subject: request.subject, isRequired: request.isRequired)
  }

  /// The batch with its plans; one step that cannot be planned refuses it before anything has run. Without `isPatient`,
  /// nil if its steps together take too long to be read.
  func work(for request: BatchRequest, isPatient: Bool) throws(RequestError) -> BatchWork? {
    let script = try BatchScript(request, limits: file.configuration.limits)
    var work = BatchWork(script: script, plans: [], isShapeWanted: [])
    let clock = file.configuration.clock
    let began = clock().nanoseconds
    for (index, step) in request.steps.enumerated() {
      if !isPatient, index > 0, clock().nanoseconds &- began > UInt64(limits.inlineStopMicroseconds) &* 1_000 {
        return nil
      }
      do throws(RequestError) {
        work.plans.append(
          try plans.plan(
            for: step.source, subject: request.subject, classifier: scope.classifier, isPatient: isPatient))
        work.isShapeWanted.append(step.source.isStatement)
      } catch {
        var error = error
        error.path = error.path.isEmpty ? "steps[\(index)]" : "steps[\(index)].\(error.path)"
        throw error
      }
    }
    return work
  }
}

extension Plan {
  /// How the statement may share the writer: what changes the schema, or what only SQLite can judge, does not.
  var writeCompany: WriteCompany {
    switch access {
    case .read, .write: holdsRaw ? .alone : .shared
    case .schema, .raw: .alone
    }
  }
}
