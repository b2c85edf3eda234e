import MartletAST
import MartletSQLite
import MartletValues

/// Runs one statement on a connection that its caller owns, in a transaction that is open.
///
/// Always true: whatever happens, the statement is reset and its values are let go; time limits count only while it
/// runs.
final class StatementRunner {
  struct HeldRun {
    var result: StatementResult
    /// What later steps of a batch may ask about it.
    var success = BatchScript.Success()
    /// Who is to blame if it failed.
    var blame = GroupCommit.Blame.other
    /// The statement failed, and may have been carried out all the same: the owner of the transaction undoes it.
    var isUncertain = false
    /// It failed, and for certain nothing of it is left: it has not begun, or SQLite has undone it.
    var isUndone = true
    /// It failed, and what it had changed before stays, because it says so (`OR FAIL`).
    var keepsPart = false
    /// When it had run; nil if it did not.
    var endedAt: MonotonicTime?
  }

  struct StreamedRun {
    var ending: StatementResult.Ending
    /// As in `HeldRun`.
    var isUncertain = false
  }

  let connection: Connection
  let prepared: PreparedPlans
  let limits: Limits
  let clock: @Sendable () -> MonotonicTime
  /// The writer's; nil on a reader's connection, where only the plan counts.
  let counters: WriterCounters?
  /// The writer's; hears what is written.
  let recorder: CommitRecorder?
  /// Shares out a read's time; nil on the writer, which a statement has alone while it runs.
  let turn: Turn?

  init(
    connection: Connection, prepared: PreparedPlans, limits: Limits, clock: @escaping @Sendable () -> MonotonicTime,
    counters: WriterCounters?, recorder: CommitRecorder? = nil, turn: Turn? = nil
  ) {
    self.connection = connection
    self.prepared = prepared
    self.limits = limits
    self.clock = clock
    self.counters = counters
    self.recorder = recorder
    self.turn = turn
  }

  // MARK: - Any statement

  /// Rows that count as returned, and their bytes.
  private struct Taken {
    var rows: Int64 = 0
    var bytes = 0
  }

  private struct Outcome {
    var ending = StatementResult.Ending.pending
    var success = BatchScript.Success()
    var blame = GroupCommit.Blame.other
    var isUncertain = false
    var isUndone = true
    var keepsPart = false
    var endedAt: MonotonicTime
  }

  /// Binds the statement, watches it within its limits while `take` takes its rows, and counts it.
  private func run(
    _ work: StatementWork, cancellation: any CancellationSource, deadline: MonotonicTime, startedAt: MonotonicTime?,
    _ take: (PreparedPlan, inout Taken) throws(RequestError) -> Void
  ) -> Outcome {
    let started = startedAt ?? clock()
    var begun: Statement?
    let before = connection.totalChanges
    var taken = Taken()
    var outcome = Outcome(endedAt: started)
    let memory = StatementQuotas.makeMemory(work.quotas)
    do throws(RequestError) {
      if recorder?.readSchema(at: started) == true { prepared.removeAll() }
      let ready = try compiled(work, cancellation, deadline)
      defer { ready.finish() }
      try boundFile(for: work)
      try boundSchema(for: ready.statement)
      // A reader that nobody can end is not waited for; the writer is.
      if counters != nil, ready.statement.ranksOldFullText { throw .ranksOldFullText }
      arm(for: work, cancellation: cancellation, deadline: deadline, memory: memory)
      defer { disarm() }
      // SQLite copies the values, which counts for the statement.
      try ready.bind(work.parameters, limits: limits, restriction: work.restriction)
      judgeSavepoint(of: ready)
      begun = ready.statement
      recorder?.statementBegins(ready)
      defer { recorder?.statementEnded(ready) }
      try take(ready, &taken)
      try refuseOverfilling(by: ready)
      try refuseKeyToShadow(madeBy: ready.statement)
      outcome.endedAt = clock()
      // One long operation of SQLite does not ask whether it may go on.
      if outcome.endedAt >= deadline, !ready.statement.isReadOnly { throw .deadlineMissed }
      outcome.success.rowsReturned = taken.rows
      outcome.success.rowsChanged = connection.totalChanges == before ? 0 : connection.changes
      outcome.success.lastInsertRowID = connection.lastInsertRowID
      outcome.ending = .completed(completion(of: work, outcome.success))
    } catch {
      outcome.endedAt = clock()
      fail(&outcome, named(error, work, memory), work.plan, begun, hasChanged: connection.totalChanges != before)
    }
    let failed = if case .failed = outcome.ending { true } else { false }
    count(work, taken, elapsed: outcome.endedAt.nanoseconds &- started.nanoseconds, failed: failed)
    if !failed, let counters { WriterCounters.add(outcome.success.rowsChanged, to: counters.rows) }
    return outcome
  }

  /// `begun`: the statement, if it has begun. `hasChanged`: SQLite counts changes, which it does not of what it undoes.
  private func fail(
    _ outcome: inout Outcome, _ error: RequestError, _ plan: Plan, _ begun: Statement?, hasChanged: Bool
  ) {
    outcome.ending = .failed(error)
    outcome.blame = blame(for: error)
    guard let begun else { return }
    outcome.isUncertain = isUncertain(error, plan, begun)
    outcome.isUndone = isUndone(error, by: begun)
    outcome.keepsPart = hasChanged && FailureReach.isOfConstraint(error.sqliteCode)
  }

  /// The statement, compiled now if need be. That gives way to others and ends in time like the statement itself; only
  /// the memory that it takes is the connection's.
  private func compiled(
    _ work: StatementWork, _ cancellation: any CancellationSource, _ deadline: MonotonicTime
  ) throws(RequestError) -> PreparedPlan {
    if let kept = prepared.kept(for: work.plan, permissions: work.permissions) { return kept }
    connection.limiter.arm(deadlineNanoseconds: deadline.nanoseconds, cancellation: cancellation, pacer: turn)
    defer { connection.limiter.disarm() }
    return try prepared.compiled(for: work.plan, permissions: work.permissions)
  }

  private func arm(
    for work: StatementWork, cancellation: any CancellationSource, deadline: MonotonicTime, memory: StatementMemory?
  ) {
    connection.limiter.arm(
      deadlineNanoseconds: deadline.nanoseconds, steps: work.quotas?.steps ?? .max, cancellation: cancellation,
      pacer: turn, memory: memory, isAlone: true)
    watch?.begin(work.plan.shape, deadline: deadline)
    turn?.watch.expose(connection)
  }

  private func disarm() {
    turn?.watch.cover()
    watch?.end()
    connection.limiter.disarm()
  }

  // MARK: - Held: rows wait for the commit

  /// Runs to the end and keeps the rows, at most `bytesMax` bytes of them. `startedAt`: this moment, if the caller has
  /// just looked at the clock.
  func runHeld(
    _ work: StatementWork, cancellation: any CancellationSource, deadline: MonotonicTime, bytesMax: Int,
    isFirstRowWanted: Bool = false, startedAt: MonotonicTime? = nil
  ) -> HeldRun {
    var held = HeldRun(result: StatementResult())
    let outcome = run(work, cancellation: cancellation, deadline: deadline, startedAt: startedAt) {
      ready, taken throws(RequestError) in
      taken.rows = try hold(ready, of: work, bytesMax: bytesMax, in: &held, isFirstRowWanted: isFirstRowWanted)
      taken.bytes = held.result.byteCount
    }
    held.endedAt = outcome.endedAt
    held.blame = outcome.blame
    held.isUncertain = outcome.isUncertain
    held.isUndone = outcome.isUndone
    held.keepsPart = outcome.keepsPart
    if case .failed(let error) = outcome.ending {
      held.result = .failed(error)
      return held
    }
    held.result.ending = outcome.ending
    let firstRow = held.success.firstRow
    held.success = outcome.success
    held.success.firstRow = firstRow
    return held
  }

  private func hold(
    _ ready: PreparedPlan, of work: StatementWork, bytesMax: Int, in run: inout HeldRun, isFirstRowWanted: Bool
  ) throws(RequestError) -> Int64 {
    if try finishesWithoutRows(ready, work.plan) { return 0 }
    var returned: Int64 = 0
    var outcome = PreparedPlan.Filling.full
    while outcome == .full {
      var rows = RowBatch()
      outcome = try fill(&rows, from: ready)
      if returned == 0 {
        try ready.checkRules()
        ready.refreshColumns()
        if work.columnsVersion != ready.columns.version { run.result.columns = ready.columns }
        if isFirstRowWanted, rows.rowCount > 0 { run.success.firstRow = (try? rows.row(0)) ?? [] }
      }
      guard rows.rowCount > 0 else { break }
      returned += Int64(rows.rowCount)
      run.result.byteCount += rows.byteCount
      try work.quotas?.check(rows: Int(returned), bytes: run.result.byteCount)
      try run.result.count(for: work)
      if run.result.byteCount > bytesMax {
        throw ready.statement.isQuery ? .heldTooMuch(limits) : .returnedTooMuch(limits)
      }
      run.result.batches.append(rows)
    }
    return returned
  }

  // MARK: - Streaming: rows leave while the statement runs

  /// Delivers rows as the credit allows. `waitForCredit` returns when there is some, or with the reason to stop. Of a
  /// write whose rows have begun a cancel drops the rest, which is counted all the same.
  func runStreaming(
    _ work: StatementWork, execution: Execution, cancellation: WriteWatch, deadline: MonotonicTime,
    waitForCredit: () -> RequestError?
  ) -> StreamedRun {
    let outcome = run(work, cancellation: cancellation, deadline: deadline, startedAt: nil) {
      ready, taken throws(RequestError) in
      try stream(ready, of: work, to: execution, watch: cancellation, in: &taken, waitForCredit: waitForCredit)
    }
    return StreamedRun(ending: outcome.ending, isUncertain: outcome.isUncertain)
  }

  private func stream(
    _ ready: PreparedPlan, of work: StatementWork, to execution: Execution, watch: WriteWatch, in taken: inout Taken,
    waitForCredit: () -> RequestError?
  ) throws(RequestError) {
    if try finishesWithoutRows(ready, work.plan) { return }
    var outcome = PreparedPlan.Filling.full
    while outcome == .full {
      var rows = RowBatch()
      outcome = try fill(&rows, from: ready)
      if taken.rows == 0, ready.statement.columnCount > 0 {
        try ready.checkRules()
        ready.refreshColumns()
        if work.columnsVersion != ready.columns.version { execution.deliver(.columns(ready.columns)) }
      }
      guard rows.rowCount > 0 else { break }
      if !ready.statement.isReadOnly { watch.rowsBegan() }
      if !execution.hasCredit, !watch.dropsRows, let reason = waitForCredit(), !watch.dropsRows { throw reason }
      if watch.dropsRows {
        watch.rowsLeft()
        taken.rows += Int64(rows.rowCount)
        continue
      }
      let size = rows.byteCount
      try work.quotas?.check(rows: Int(taken.rows) + rows.rowCount, bytes: taken.bytes + size)
      guard execution.hasRoom(forRowBytes: size) else { throw .noMemory("a row of this size") }
      execution.spendCredit(size)
      taken.rows += Int64(rows.rowCount)
      taken.bytes += size
      watch.rowsLeft()
      execution.deliver(.rows(rows))
    }
  }

  // MARK: - Parts

  /// On the writer's connection each statement runs within its own subject's bound, or none.
  private func boundFile(for work: StatementWork) throws(RequestError) {
    guard counters != nil else { return }
    let bytes = work.quotas?.databaseBytes ?? .max
    do throws(SQLiteError) { try connection.boundFile(toBytes: bytes == .max ? nil : bytes) } catch {
      throw mapped(error, work.plan)
    }
  }

  /// A schema that has reached its bound does not grow.
  private func boundSchema(for statement: Statement) throws(RequestError) {
    guard statement.growsSchema, counters != nil else { return }
    let size: SchemaSize
    do throws(SQLiteError) { size = try connection.schemaSize() } catch { throw RequestError(error) }
    if size.objects >= limits.schemaObjectsMax || size.bytes >= limits.schemaBytesMax {
      throw .schemaFull(size, limits)
    }
  }

  private func refuseOverfilling(by ready: PreparedPlan) throws(RequestError) {
    guard counters != nil else { return }
    // SQLite may have compiled it anew, with a trigger that there was not before.
    ready.noteRecompilation()
    let refusal: RequestError?
    do throws(SQLiteError) { refusal = try connection.refusalOfFilling(by: ready.statement, limits) } catch {
      throw mapped(error, ready.plan)
    }
    if let refusal { throw refusal }
  }

  private func refuseKeyToShadow(madeBy statement: Statement) throws(RequestError) {
    guard counters != nil else { return }
    let table: String?
    do throws(SQLiteError) { table = try connection.keyToShadow(madeBy: statement) } catch { throw RequestError(error) }
    if let table { throw .keyToShadow(table) }
  }

  /// Names the quota in the error, if one ended the statement.
  private func named(_ error: RequestError, _ work: StatementWork, _ memory: StatementMemory?) -> RequestError {
    guard let quotas = work.quotas else { return error }
    return quotas.named(
      error, stop: connection.limiter.stop, memory: memory, writes: counters != nil && work.plan.access != .read)
  }

  private var watch: StatementWatch? { turn?.watch ?? counters?.watch }

  /// A read may be ended from outside when its deadline has passed; on the writer's connection nobody does that.
  private var interruption: ExecutionLimiter.Stop? {
    counters == nil ? connection.limiter.interruption : connection.limiter.stop
  }

  private func fill(_ rows: inout RowBatch, from ready: PreparedPlan) throws(RequestError) -> PreparedPlan.Filling {
    do throws(RowFault) {
      return try ready.fill(&rows, byteLimit: limits.rowBatchBytes, rowBytesMax: limits.rowBytesMax)
    } catch {
      throw RequestError(error, plan: ready.plan, limits: limits, stop: interruption)
    }
  }

  /// Runs a statement without rows for its owner to its end; false, and nothing has run, if it has such rows. A
  /// statement that checks its new rows has rows too, but no column of them is for its owner.
  private func finishesWithoutRows(_ ready: PreparedPlan, _ plan: Plan) throws(RequestError) -> Bool {
    guard ready.statement.columnCount == 0 else { return false }
    do throws(SQLiteError) {
      while try ready.statement.step() {}
    } catch {
      throw mapped(error, plan)
    }
    try ready.checkRules()
    return true
  }

  private func mapped(_ error: SQLiteError, _ plan: Plan) -> RequestError {
    RequestError(error, plan: plan, limits: limits, stop: interruption)
  }

  private func blame(for error: RequestError) -> GroupCommit.Blame {
    // A quota is as final as a deadline: alone the member would fare no better.
    if error.reason == .deadline || error.reason == .quota { return .ownTime }
    guard error.sqliteCode == SQLiteCode.interrupt else { return .other }
    return connection.limiter.stop == nil ? .nobody : .ownTime
  }

  /// SQLite undoes a statement that violates a constraint, unless it says `OR FAIL`. It does not undo one that we gave
  /// up (its rows were too many, its time over). One that was interrupted it does not always undo, because it asks once
  /// more when all is done; and of one that fails for another reason, such as a value's length or its type in a strict
  /// table, it keeps the first rows. Of one row it keeps nothing, but what triggers have written.
  private func isUncertain(_ error: RequestError, _ plan: Plan, _ statement: Statement) -> Bool {
    guard plan.access != .read, !FailureReach.isOfConstraint(error.sqliteCode) else { return false }
    if error.sqliteCode == 0 || error.sqliteCode == SQLiteCode.interrupt { return true }
    return !plan.insertsOneRow || statement.access.writes.isEverything || statement.access.writes.names.count > 1
  }

  /// After a failure: SQLite has undone all that the statement did, and nothing else.
  private func isUndone(_ error: RequestError, by statement: Statement) -> Bool {
    FailureReach.isOfConstraint(error.sqliteCode) && statement.knownFailureReach == .statement
  }

  /// Learns whether writes of the shape need a savepoint beside others, once that is worth a look at the program.
  private func judgeSavepoint(of ready: PreparedPlan) {
    guard counters != nil, ready.plan.savepoint.isProven else { return }
    let reach = ready.statement.findFailureReach()
    ready.plan.judgeSavepoint { $0.lookedAt(reach) }
  }

  private func completion(of work: StatementWork, _ success: BatchScript.Success) -> Completion {
    Completion(
      rowsChanged: success.rowsChanged, lastInsertRowID: success.lastInsertRowID, rowsReturned: success.rowsReturned,
      shape: work.isShapeWanted ? work.plan.shape : nil)
  }

  private func count(_ work: StatementWork, _ taken: Taken, elapsed: UInt64, failed: Bool) {
    work.plan.counters.record(rows: taken.rows, nanoseconds: elapsed, failed: failed)
    if !failed, counters != nil {
      let isShort = elapsed < UInt64(limits.writeSliceMs) &* 1_000_000
      work.plan.judgeWrite { isShort ? $0.ranWithinSlice() : $0.ranBeyondSlice() }
      work.plan.judgeSavepoint { $0.succeeded() }
    }
    if let counters { WriterCounters.add(Int64(taken.bytes), to: counters.bytesReturned) }
  }
}
