import MartletAST
import MartletSQLite
import MartletValues

/// Runs one statement on a connection that its caller owns, in a transaction that is open.
///
/// Always true: whatever happens, the statement is reset and its values are let go; time limits count only while it
/// runs.
struct StatementRunner {
  struct HeldRun {
    var result: StatementResult
    /// What later steps of a batch may ask about it.
    var success = BatchScript.Success()
    /// Who is to blame if it failed.
    var blame = GroupCommit.Blame.other
    /// It failed, and may have been carried out all the same: for whoever owns the transaction to undo.
    var isUncertain = false
  }

  struct StreamedRun {
    var ending: StatementResult.Ending
    /// As of `HeldRun`.
    var isUncertain = false
  }

  let connection: Connection
  let prepared: PreparedPlans
  let limits: Limits
  let clock: @Sendable () -> MonotonicTime
  /// The writer's; nil on a reader's connection, where only the plan counts.
  let counters: WriterCounters?
  /// The writer's; hears what is written.
  var recorder: CommitRecorder?
  /// Shares out a read's time; nil on the writer, which a statement has alone while it runs.
  var turn: Turn?

  // MARK: - Held: rows wait for the commit

  /// Runs to the end and keeps the rows, at most `bytesMax` bytes of them.
  func runHeld(
    _ work: StatementWork, cancellation: any CancellationSource, deadline: MonotonicTime, bytesMax: Int,
    isFirstRowWanted: Bool = false
  ) -> HeldRun {
    let started = clock()
    var ended = started
    var hasBegun = false
    var run = HeldRun(result: StatementResult())
    let memory = work.quotas?.makeMemory()
    do throws(RequestError) {
      let ready = try prepared.prepared(for: work.plan, permissions: work.permissions)
      defer { ready.finish() }
      try ParameterBinder.bind(
        work.parameters, of: work.plan, to: ready.statement, limits: limits, restriction: work.restriction)
      try boundFile(for: work)
      try boundSchema(for: ready.statement)
      connection.limiter.arm(
        deadlineNanoseconds: deadline.nanoseconds, steps: work.quotas?.steps ?? .max, cancellation: cancellation,
        pacer: turn, memory: memory, isAlone: true)
      watch?.begin(work.plan.shape, deadline: deadline)
      turn?.watch.expose(connection)
      defer {
        turn?.watch.cover()
        watch?.end()
        connection.limiter.disarm()
      }
      let before = connection.totalChanges
      hasBegun = true
      recorder?.statementBegins(ready)
      defer { recorder?.statementEnded(ready) }
      let returned = try hold(ready, of: work, bytesMax: bytesMax, in: &run, isFirstRowWanted: isFirstRowWanted)
      ended = clock()
      // One long operation of SQLite does not ask whether it may go on.
      if ended >= deadline, !ready.statement.isReadOnly { throw .deadlineMissed }
      run.success.rowsReturned = returned
      run.success.rowsChanged = connection.totalChanges == before ? 0 : connection.changes
      run.success.lastInsertRowID = connection.lastInsertRowID
      run.result.ending = .completed(completion(of: work, run.success))
    } catch {
      ended = clock()
      let error = named(error, work, memory)
      run.blame = blame(for: error)
      run.isUncertain = hasBegun && isUncertain(error, work.plan)
      run.result = .failed(error)
    }
    let elapsed = ended.nanoseconds &- started.nanoseconds
    count(work, run.success.rowsReturned, bytes: run.result.byteCount, elapsed: elapsed, failed: run.result.isFailed)
    return run
  }

  private func hold(
    _ ready: PreparedPlan, of work: StatementWork, bytesMax: Int, in run: inout HeldRun, isFirstRowWanted: Bool
  ) throws(RequestError) -> Int64 {
    let statement = ready.statement
    if try finishesWithoutRows(ready, work.plan) { return 0 }
    var returned: Int64 = 0
    var outcome = RowCollector.Outcome.full
    while outcome == .full {
      var rows = RowBatch()
      outcome = try fill(&rows, from: statement, of: work.plan)
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
      if run.result.byteCount > bytesMax { throw .returnedTooMuch(bytesMax: limits.returningBytesMax) }
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
    let started = clock()
    var returned: Int64 = 0
    var bytes = 0
    var hasBegun = false
    var run = StreamedRun(ending: .pending)
    let memory = work.quotas?.makeMemory()
    do throws(RequestError) {
      let ready = try prepared.prepared(for: work.plan, permissions: work.permissions)
      defer { ready.finish() }
      try ParameterBinder.bind(
        work.parameters, of: work.plan, to: ready.statement, limits: limits, restriction: work.restriction)
      try boundFile(for: work)
      try boundSchema(for: ready.statement)
      connection.limiter.arm(
        deadlineNanoseconds: deadline.nanoseconds, steps: work.quotas?.steps ?? .max, cancellation: cancellation,
        memory: memory, isAlone: true)
      watch?.begin(work.plan.shape, deadline: deadline)
      defer {
        watch?.end()
        connection.limiter.disarm()
      }
      let before = connection.totalChanges
      hasBegun = true
      recorder?.statementBegins(ready)
      defer { recorder?.statementEnded(ready) }
      try stream(
        ready, of: work, to: execution, watch: cancellation, returned: &returned, bytes: &bytes,
        waitForCredit: waitForCredit)
      if !ready.statement.isReadOnly, clock() >= deadline { throw .deadlineMissed }
      let changes = connection.totalChanges == before ? 0 : connection.changes
      let success = BatchScript.Success(
        rowsChanged: changes, lastInsertRowID: connection.lastInsertRowID, rowsReturned: returned)
      run.ending = .completed(completion(of: work, success))
    } catch {
      let error = named(error, work, memory)
      run.ending = .failed(error)
      run.isUncertain = hasBegun && isUncertain(error, work.plan)
    }
    let failed = if case .failed = run.ending { true } else { false }
    count(work, returned, bytes: bytes, elapsed: clock().nanoseconds &- started.nanoseconds, failed: failed)
    return run
  }

  private func stream(
    _ ready: PreparedPlan, of work: StatementWork, to execution: Execution, watch: WriteWatch, returned: inout Int64,
    bytes: inout Int, waitForCredit: () -> RequestError?
  ) throws(RequestError) {
    if try finishesWithoutRows(ready, work.plan) { return }
    var outcome = RowCollector.Outcome.full
    while outcome == .full {
      var rows = RowBatch()
      outcome = try fill(&rows, from: ready.statement, of: work.plan)
      if returned == 0, ready.statement.columnCount > 0 {
        try ready.checkRules()
        ready.refreshColumns()
        if work.columnsVersion != ready.columns.version { execution.deliver(.columns(ready.columns)) }
      }
      guard rows.rowCount > 0 else { break }
      if !ready.statement.isReadOnly { watch.rowsBegan() }
      if !execution.hasCredit, !watch.dropsRows, let reason = waitForCredit(), !watch.dropsRows { throw reason }
      if watch.dropsRows {
        watch.rowsLeft()
        returned += Int64(rows.rowCount)
        continue
      }
      let size = rows.byteCount
      try work.quotas?.check(rows: Int(returned) + rows.rowCount, bytes: bytes + size)
      guard execution.hasRoom(forRowBytes: size) else { throw .noMemory("a row of this size") }
      execution.spendCredit(size)
      returned += Int64(rows.rowCount)
      bytes += size
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

  private func fill(_ rows: inout RowBatch, from statement: Statement, of plan: Plan) throws(RequestError)
    -> RowCollector.Outcome
  {
    do throws(RowFault) {
      return try RowCollector.fill(
        &rows, from: statement, byteLimit: limits.rowBatchBytes, rowBytesMax: limits.rowBytesMax)
    } catch {
      throw RequestError(error, plan: plan, limits: limits, stop: interruption)
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

  /// SQLite undoes a statement that fails by itself. It does not undo one that we gave up (its rows were too many, its
  /// time over). One that was interrupted it does not always undo, because it asks once more when all is done.
  private func isUncertain(_ error: RequestError, _ plan: Plan) -> Bool {
    plan.access != .read && (error.sqliteCode == 0 || error.sqliteCode == SQLiteCode.interrupt)
  }

  private func completion(of work: StatementWork, _ success: BatchScript.Success) -> Completion {
    Completion(
      rowsChanged: success.rowsChanged, lastInsertRowID: success.lastInsertRowID, rowsReturned: success.rowsReturned,
      shape: work.isShapeWanted ? work.plan.shape : nil)
  }

  private func count(_ work: StatementWork, _ rows: Int64, bytes: Int, elapsed: UInt64, failed: Bool) {
    work.plan.counters.record(rows: rows, nanoseconds: elapsed, failed: failed)
    if !failed, counters != nil {
      let isShort = elapsed < UInt64(limits.writeSliceMs) &* 1_000_000
      work.plan.judgeWrite { isShort ? $0.ranWithinSlice() : $0.ranBeyondSlice() }
    }
    if rows > 0, let counters {
      WriterCounters.add(rows, to: counters.rows)
      WriterCounters.add(Int64(bytes), to: counters.bytes)
    }
  }
}
