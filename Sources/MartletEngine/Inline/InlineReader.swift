import MartletAST
import MartletSQLite
package import MartletValues
import Synchronization

/// Answers cheap reads on an event loop's own thread, from a snapshot that many requests share.
///
/// Always true: used on one thread; a read ends within its budget of steps or is declined, and then nothing of it
/// shows. The snapshot holds every commit that was numbered before the read began: it is renewed when the number has
/// moved.
package final class InlineReader {
  /// The result of a read on the loop.
  package enum Outcome: Sendable, Equatable {
    case completed(Completion)
    case failed(RequestError)
    /// Not for an event loop: use `Database.start`.
    case declined
  }

  private let limits: Limits
  private let rowBytesMax: Int
  private let clock: @Sendable () -> MonotonicTime
  private let commits: CommitClock
  private let plans: PlanCache
  private let counters: ReadCounters
  private let classifier: RawClassifier?
  private let watch: StatementWatch
  /// The part of the loop's time for statements that it does not know.
  private let allowance: LoopAllowance?
  private let connection: Connection
  private let preparedPlans: PreparedPlans
  private var snapshot: Snapshot
  private var entries: BoundedCache<ShapeID, InlineEntry>
  /// Entries whose counts are to be handed on; at most one each.
  private var noted: [InlineEntry] = []
  private var flushes: UInt64 = 0

  private var rounds = CacheRounds()
  private var pages = IdlePages()

  /// Whether a read transaction is open, which the loop ends with `endSnapshot` before it keeps checkpoints waiting.
  package var hasSnapshot: Bool { snapshot.isOpen }

  init(
    path: String, files: DatabaseFiles? = nil, label: String, limits: Limits,
    clock: @escaping @Sendable () -> MonotonicTime, commits: CommitClock, plans: PlanCache, counters: ReadCounters,
    script: SetupScript = .empty, classifier: RawClassifier? = nil, watch: StatementWatch = StatementWatch(),
    allowance: LoopAllowance? = nil
  ) throws(RequestError) {
    self.allowance = allowance
    var setup = ConnectionSetup(limits: limits)
    // Finer than elsewhere, so that the small budget is kept closely.
    setup.progressSteps = max(1, min(limits.progressSteps, limits.inlineStepsMax / EngineLimits.inlineLooksMin))
    setup.compileMicrosecondsMax = limits.inlineStopMicroseconds
    setup.boundsSchemaReading = true
    // No opcode works on more than this; a read that meets a longer value fails here, and runs on the pool.
    setup.valueBytesMax = min(limits.valueBytesMax, limits.inlineValueBytesMax)
    // All setups together have as much as the sessions without one.
    setup.pageCacheBytes =
      script.isEmpty
      ? limits.inlinePageCacheBytes
      : max(limits.pageCacheBytes, limits.inlinePageCacheBytes / limits.setupsPerDatabaseMax)
    do throws(SQLiteError) {
      connection = try Connection(
        reading: path, files: files, label: label, setup: setup, clock: { clock().nanoseconds })
      snapshot = try Snapshot(on: connection, counters: counters)
    } catch {
      throw files?.explainedReading(error) ?? RequestError(error)
    }
    self.limits = limits
    self.clock = clock
    self.commits = commits
    self.plans = plans
    self.counters = counters
    self.classifier = classifier
    self.watch = watch
    rowBytesMax = limits.rowBytesMax
    preparedPlans = PreparedPlans(connection: connection, limits: limits, counters: plans.counters)
    entries = BoundedCache(
      capacity: limits.statementsPerConnectionMax, bytesMax: limits.statementBytesPerConnectionMax)
    try script.apply(to: connection)
    do throws(SQLiteError) {
      // All sessions of the loop read by it, whoever changed the schema.
      commits.schema.wasRead(try connection.readSchemaTimed(), by: nil, at: clock())
    } catch {
      throw RequestError(error)
    }
    counters.recoveries.attach(to: connection)
    // A loop never waits for a lock. Its reader's opening did: whoever closes a connection has the file's for a moment.
    connection.setBusyTimeout(ms: 0)
  }

  /// The schema has changed, and takes longer to read than a loop has time: nothing is read here any more. A new
  /// reader, opened on another thread, knows it.
  package private(set) var isOutdated = false

  /// Runs one read. `rows` is emptied first; `columns` is set when the client's version differs from the result's.
  package func execute(
    _ request: StatementRequest, rows: inout RowBatch, columns: inout ResultColumns?
  ) -> Outcome {
    columns = nil
    if isOutdated { return declined() }
    if request.deadline != .distantFuture, clock() >= request.deadline { return .failed(.deadlinePassed) }
    switch request.source {
    case .shape(let shape):
      return execute(
        shape: shape, parameters: request.parameters, columnsVersion: request.columnsVersion,
        subject: request.subject, rows: &rows, columns: &columns)
    case .statement(let bytes):
      guard !request.source.isLong(limits) else { return declined() }
      let shape = bytes.withUnsafeBytes { ShapeID(hashing: $0) }
      let outcome = execute(
        shape, request.source, parameters: request.parameters, columnsVersion: request.columnsVersion,
        subject: request.subject, rows: &rows, columns: &columns)
      guard case .completed(var completion) = outcome else { return outcome }
      completion.shape = shape
      return .completed(completion)
    }
  }

  /// Runs one read of a shape that this server knows: the hot path. Fails with UNPREPARED if it does not.
  package func execute(
    shape: ShapeID, parameters: [Value], columnsVersion: UInt64, subject: Subject = .program, rows: inout RowBatch,
    columns: inout ResultColumns?
  ) -> Outcome {
    columns = nil
    if isOutdated { return declined() }
    return execute(
      shape, .shape(shape), parameters: parameters, columnsVersion: columnsVersion, subject: subject, rows: &rows,
      columns: &columns)
  }

  @inline(__always)
  private func execute(
    _ shape: ShapeID, _ source: @autoclosure () -> StatementSource, parameters: [Value], columnsVersion: UInt64,
    subject: Subject, rows: inout RowBatch, columns: inout ResultColumns?
  ) -> Outcome {
    if let entry = entries.value(for: subject.key(of: shape)), entry.plan.isMade(for: subject) {
      // What runs here is compiled once for all subjects, so what this one may do is asked each time.
      do throws(RequestError) {
        try subject.check(shape)
        try subject.check(entry.plan.needs)
      } catch {
        return .failed(error)
      }
      return run(
        entry, parameters: parameters, columnsVersion: columnsVersion, subject: subject, rows: &rows, columns: &columns)
    }
    return executeNew(
      source(), parameters: parameters, columnsVersion: columnsVersion, subject: subject, rows: &rows,
      columns: &columns)
  }

  /// The loop does not know the statement: it reads, compiles and runs it if its time allows that.
  private func executeNew(
    _ source: StatementSource, parameters: [Value], columnsVersion: UInt64, subject: Subject, rows: inout RowBatch,
    columns: inout ResultColumns?
  ) -> Outcome {
    guard allowance?.isLeft ?? true else { return declined() }
    return allowance.spend { () -> Outcome in
      do throws(RequestError) {
        let plan = try plans.plan(for: source, subject: subject, classifier: classifier, isPatient: false)
        let entry = try makeEntry(for: plan)
        return run(
          entry, parameters: parameters, columnsVersion: columnsVersion, subject: subject, rows: &rows,
          columns: &columns)
      } catch {
        return isOfAnOldSchema(error) ? declined() : .failed(error)
      }
    }
  }

  /// Whether SQLite may have refused the statement by a schema that has changed since. The pool has the time to read it
  /// again. If a name is missing, SQLite has looked for a change itself.
  private func isOfAnOldSchema(_ error: RequestError) -> Bool {
    error.sqliteCode & 0xFF == SQLiteCode.error && error.missing == nil
  }

  private func declined() -> Outcome {
    counters.inlineDeclines.wrappingAdd(1, ordering: .relaxed)
    return .declined
  }

  /// When the reader's last read ended.
  package var endedAt: MonotonicTime { use.last }
  package private(set) var use = SteadyUse()

  /// Lets go of statements that nobody has used for a while, and of the page cache if nobody has read for a while,
  /// or if memory is short and others read more. The loop calls it from time to time.
  package func releaseIdleMemory(now: MonotonicTime) {
    if rounds.isOver(now, limits) {
      forget(entries.endRound(keeping: limits.idleStatementsKept, bytes: limits.idleStatementBytesKept))
      // An entry keeps its statement, so what was compiled long ago may go from here.
      preparedPlans.releaseMemory()
    }
    let mustGo = pages.mustGo(
      now, isPinned: hasSnapshot, idleMs: MemoryBudget.wantsSmallerCaches ? 0 : limits.inlineIdleCacheMs)
    guard mustGo else { return }
    forget(entries.shrink(to: limits.idleStatementsKept, bytes: limits.idleStatementBytesKept))
    preparedPlans.releaseMemory()
    connection.releaseMemory()
  }

  private func forget(_ entries: [InlineEntry]) {
    for entry in entries { entry.flush() }
  }

  /// Lets go of the snapshot, so that checkpoints can pass it. The loop calls it from a timer and when it is idle.
  package func endSnapshot() {
    if snapshot.isOpen { snapshot.close() }
    flushes &+= 1
    for entry in noted {
      entry.flush()
      // The shared cache sees nothing of plans that are only used here, and would drop them as unused.
      if flushes % EngineLimits.plansKeptEveryFlushes == 0 { plans.keep(entry.plan) }
    }
    noted.removeAll(keepingCapacity: true)
  }

  // MARK: - One read

  private func makeEntry(for plan: Plan) throws(RequestError) -> InlineEntry {
    // Raw text may hold what counts as one step and takes long, such as a check of the whole file.
    let isInline =
      plan.access == .read && !plan.holdsRaw && plan.sql.utf8.count <= limits.inlineStatementBytesMax
    let entry = InlineEntry(plan: plan, prepared: isInline ? try prepared(for: plan) : nil)
    forget(entries.insert(entry, for: plan.key, bytes: entry.prepared?.byteCount ?? 0))
    return entry
  }

  /// Nil if steps of the statement may take long that nothing can end, or it takes too long to compile, or the schema
  /// itself is too long for a loop.
  private func prepared(for plan: Plan) throws(RequestError) -> PreparedPlan? {
    // SQLite would compile by the schema of the snapshot that is open, which may lack what was just made.
    if snapshot.isOpen, commits.sequence != snapshot.sequence { snapshot.close() }
    do throws(RequestError) {
      let prepared = try preparedPlans.prepared(for: plan)
      let statement = prepared.statement
      // What a loop has no time to count, it has no time to run.
      let hasFewOperators =
        statement.isSmall || (try? statement.operatorCount(on: .row)) ?? .max <= EngineLimits.inlineOperatorsMax
      return statement.pace != .long && hasFewOperators ? prepared : nil
    } catch {
      if error.sqliteCode == SQLiteCode.schemaTooLong { isOutdated = true }
      if [SQLiteCode.tooBig, SQLiteCode.tooComplex, SQLiteCode.schemaTooLong].contains(error.sqliteCode) { return nil }
      throw error
    }
  }

  private func run(
    _ entry: InlineEntry, parameters: [Value], columnsVersion: UInt64, subject: Subject, rows: inout RowBatch,
    columns: inout ResultColumns?
  ) -> Outcome {
    // A quota below the loop's own budget cannot be held here, so the read runs on the pool, which counts its steps.
    guard let prepared = entry.prepared, subject.quotas?.steps ?? .max >= limits.inlineStepsMax,
      entry.judgement.readArrived(), fits(parameters, entry.plan)
    else {
      return declined()
    }
    pages.readArrived()
    let start = clock().nanoseconds
    watch.begin(entry.plan.shape, deadline: .distantFuture)
    let outcome = read(
      prepared, parameters: parameters, columnsVersion: columnsVersion, subject: subject, rows: &rows,
      columns: &columns, until: start &+ UInt64(limits.inlineStopMicroseconds) &* 1_000)
    prepared.finish()
    watch.end()
    // Otherwise what is left of the budget would interrupt the statements that open and close the snapshot.
    connection.limiter.disarm()
    use.used(at: clock())
    let elapsed = endedAt.nanoseconds &- start
    var isFailed = false
    switch outcome {
    case .completed where elapsed < UInt64(limits.inlineMicrosecondsMax) &* 1_000: entry.judgement.wasLight()
    case .completed: entry.judgement.wasSlow()
    case .declined: entry.judgement.wasHeavy()
    case .failed:
      isFailed = true
      // It would take as long the next time, on this loop.
      if elapsed > UInt64(limits.inlineStopMicroseconds) &* 1_000 { entry.judgement.wasHeavy() }
    }
    if outcome == .declined {
      rows.reset(columnCount: 0)
      columns = nil
      counters.inlineDeclines.wrappingAdd(1, ordering: .relaxed)
    } else if entry.note(rows: rows.rowCount, nanoseconds: elapsed, failed: isFailed) {
      noted.append(entry)
    }
    return outcome
  }

  /// Whether the bound values are few and short enough for one opcode each.
  private func fits(_ parameters: [Value], _ plan: Plan) -> Bool {
    var values = 0
    var bytes = 0
    for parameter in parameters {
      switch parameter {
      case .text(let text): bytes &+= text.utf8.count
      case .blob(let blob): bytes &+= blob.count
      case .rows(let batch):
        values += batch.rowCount
        bytes &+= batch.byteCount
      case .integer, .real, .null: break
      }
    }
    return bytes <= limits.inlineArgumentBytesMax && values <= limits.inlineListValuesMax
  }

  private func read(
    _ prepared: PreparedPlan, parameters: [Value], columnsVersion: UInt64, subject: Subject, rows: inout RowBatch,
    columns: inout ResultColumns?, until moment: UInt64
  ) -> Outcome {
    do throws(RequestError) {
      try prepared.bind(parameters, limits: limits, restriction: subject.restriction)
    } catch {
      return .failed(error)
    }
    let memory = subject.quotas?.makeMemory()
    do throws(RowFault) {
      // Before the limiter is armed, or the read's budget could end the statement that opens the snapshot.
      guard snapshot.renew(commits) else { return .declined }
      connection.limiter.arm(deadlineNanoseconds: moment, steps: limits.inlineStepsMax, memory: memory, isAlone: true)
      let end = try prepared.fill(&rows, byteLimit: limits.rowBatchBytes, rowBytesMax: rowBytesMax)
      guard end == .done else { return .declined }
    } catch {
      rows.reset(columnCount: 0)
      if let memory, memory.isExceeded { return .failed(.quotaExceeded(.sortBytes, memory.bytesMax)) }
      // Only its budget can end a read of a loop. The pool has more time, waits for locks, and takes longer values.
      if connection.limiter.stop != nil || error.isInterrupt || connection.hasEndedRecompilation {
        connection.limiter.disarm()
        // Reading the schema may have taken all the time.
        isOutdated = !connection.readsSchemaInTime
        return .declined
      }
      if error.isBusy || error.isTooBig { return .declined }
      if prepared.statement.isOutgrown {
        entries.remove(prepared.plan.key)?.flush()
        return .declined
      }
      return .failed(RequestError(error, plan: prepared.plan, limits: limits, stop: nil))
    }
    do throws(RequestError) { try prepared.checkRules() } catch {
      rows.reset(columnCount: 0)
      return .failed(error)
    }
    if let quotas = subject.quotas {
      do throws(RequestError) { try quotas.check(rows: rows.rowCount, bytes: rows.byteCount) } catch {
        rows.reset(columnCount: 0)
        return .failed(error)
      }
    }
    prepared.refreshColumns()
    if prepared.columns.version != columnsVersion { columns = prepared.columns }
    return .completed(Completion(rowsReturned: Int64(rows.rowCount), commitSequence: snapshot.sequence))
  }
}
