import MartletSQLite
import MartletValues
import Synchronization

/// Where the rows of one streamed read come from: its statement on its present connection, and what it has returned so
/// far.
///
/// Always true: only the thread that runs the stream fetches; what it has found out goes from one thread to the next
/// through the lock; a fetch leaves the connection's limiter as it was.
struct StreamSource: ~Copyable, Sendable {
  enum Part {
    /// A batch of rows; there may be more.
    case batch(RowBatch)
    case last(RowBatch)
    case failed(RequestError)
    /// Other reads need the place of this one; see `Turn.displacement`.
    case displaced
  }

  /// What the stream has returned and found out. Not private, because the compiler crashes on a private type in a mutex
  /// of a type that is held inline in another file.
  struct Progress {
    /// The number by which the registry of snapshots knows it.
    var registration: UInt64 = 0
    var hasStarted = false
    var sequence: UInt64 = 0
    var rows: Int64 = 0
    var nanoseconds: UInt64 = 0
    /// To be told before the first rows.
    var columns: ResultColumns?
    /// What the quotas are counted in: rows and bytes that were fetched, the steps that are left, and the memory.
    var fetched = (rows: 0, bytes: 0)
    var stepsLeft: Int?
    var memory: StatementMemory?
  }

  let execution: Execution
  let plan: Plan
  let context: ReadContext
  let home: any StreamHome
  /// The stream has a snapshot and a connection of its own, and is not part of a transaction.
  let isAlone: Bool
  private let request: StatementRequest
  private let progress = Mutex(Progress())

  init(
    _ request: StatementRequest, plan: Plan, execution: Execution, context: ReadContext, home: any StreamHome
  ) {
    self.request = request
    self.plan = plan
    self.execution = execution
    self.context = context
    self.home = home
    isAlone = home.transactionStatus == .none
  }

  // MARK: - What it has returned

  func entered(as id: UInt64) { progress.withLock { $0.registration = id } }

  var registration: UInt64 { progress.withLock { $0.registration } }

  /// The statement has ended without a row, and begins again later.
  func beginsAgain() {
    progress.withLock { progress in
      progress.hasStarted = false
      progress.columns = nil
      progress.fetched = (0, 0)
      progress.stepsLeft = nil
      progress.memory = nil
    }
  }

  /// Rows are about to leave: returns the columns that leave before them.
  func rowsLeave(_ count: Int) -> ResultColumns? {
    progress.withLock { progress in
      progress.rows += Int64(count)
      defer { progress.columns = nil }
      return progress.columns
    }
  }

  /// The stream is over: tells the snapshots and the plan, and returns the event for its owner.
  ///
  /// `isFirm`: it could not have begun again, so it was no brief one.
  func ended(_ error: RequestError?, isFirm: Bool) -> ReplyEvent {
    let progress = progress.withLock { $0 }
    if progress.hasStarted {
      if error == nil, !isFirm { plan.wasBrief() }
      if isFirm || progress.nanoseconds >= EngineLimits.lightSliceNs { plan.wasNotBrief() }
      plan.counters.record(rows: progress.rows, nanoseconds: progress.nanoseconds, failed: error != nil)
    }
    if let error { return .failed(error) }
    var completion = Completion(
      rowsReturned: progress.rows, commitSequence: progress.sequence, transaction: home.transactionStatus)
    if case .statement = request.source { completion.shape = plan.shape }
    return .completed(completion)
  }

  /// The error that the owner is told if the snapshot ends.
  func snapshotEnded(_ end: SnapshotEnd) -> RequestError {
    if case .due = end { deadlineError } else { .snapshotEnded(end) }
  }

  private var deadlineError: RequestError { progress.withLock { $0.hasStarted } ? .deadlineInResult : .deadlinePassed }

  // MARK: - Fetching

  /// The next batch of rows; `stream` ends it.
  func fetch(from reader: ReaderConnection, _ turn: Turn, for stream: some CancellationSource) -> Part {
    if stream.isCancelled { return .failed(.cancelledByOwner) }
    let start = context.clock()
    if start >= execution.deadline { return .failed(deadlineError) }
    defer {
      let elapsed = context.clock().nanoseconds &- start.nanoseconds
      progress.withLock { $0.nanoseconds &+= elapsed }
    }
    let isFirst = !progress.withLock { $0.hasStarted }
    if isFirst { turn.preparingBegan() }
    defer { turn.preparingEnded() }
    do throws(RequestError) {
      let session = try reader.session()
      arm(session.connection.limiter, turn, for: stream)
      turn.watch.begin(plan.shape, deadline: execution.deadline)
      turn.watch.expose(session.connection)
      defer {
        turn.watch.cover()
        turn.watch.end()
        if quotas != nil { keepSteps(session.connection.limiter.stepsLeft) }
        session.connection.limiter.disarm()
      }
      if isFirst { try begin(on: reader, session) }
      turn.preparingEnded()
      guard let prepared = reader.running else {
        return .failed(RequestError(SQLiteError(extendedCode: SQLiteCode.interrupt, message: "")))
      }
      var rows = RowBatch()
      guard let outcome = try collect(&rows, prepared, session) else { return .displaced }
      if isFirst {
        try prepared.checkRules()
        noteColumns(of: prepared)
      }
      return outcome == .done ? .last(rows) : .batch(rows)
    } catch {
      // It was ended for others before it had a row, while it read the schema for example.
      if isFirst, turn.displacement == .putBack { return .displaced }
      return .failed(error)
    }
  }

  private var quotas: StatementQuotas? { execution.subject.quotas }

  private func arm(_ limiter: ExecutionLimiter, _ turn: Turn, for stream: some CancellationSource) {
    let (stepsLeft, memory) = progress.withLock { progress in
      if progress.memory == nil { progress.memory = StatementQuotas.makeMemory(quotas) }
      return (progress.stepsLeft, progress.memory)
    }
    guard let quotas else {
      return limiter.arm(
        deadlineNanoseconds: execution.deadline.nanoseconds, cancellation: stream, pacer: turn, memory: memory,
        isAlone: isAlone)
    }
    limiter.arm(
      deadlineNanoseconds: execution.deadline.nanoseconds, steps: quotas.steps, stepsLeft: stepsLeft,
      cancellation: stream, pacer: turn, memory: memory, isAlone: isAlone)
  }

  private func keepSteps(_ left: Int) { progress.withLock { $0.stepsLeft = left } }

  private func begin(on reader: ReaderConnection, _ session: ReaderConnection.Session) throws(RequestError) {
    let sequence = home.snapshotSequence ?? context.commits.sequence
    let id = progress.withLock { progress in
      progress.hasStarted = true
      progress.sequence = sequence
      return progress.registration
    }
    if isAlone, !session.knows(context.commits.schema) {
      // It ends when the connection is given back. Should it fail, the statement says why.
      try? session.takeSnapshot(
        following: context.commits.schema, for: execution.sessionShare.session, at: context.clock())
    }
    guard execution.hasRoomForAnswer else { throw .noMemory("another answer to this connection") }
    let prepared = try session.plans.prepared(for: plan)
    guard prepared.statement.isReadOnly else { throw .writeAmongReads }
    reader.running = prepared
    try prepared.bind(request.parameters, limits: context.limits, restriction: request.subject.restriction)
    if isAlone { context.snapshots.snapshotTaken(by: id) }
  }

  /// Nil if the statement was ended for others.
  private func collect(
    _ rows: inout RowBatch, _ prepared: PreparedPlan, _ session: ReaderConnection.Session
  ) throws(RequestError) -> PreparedPlan.Filling? {
    let outcome: PreparedPlan.Filling
    do throws(RowFault) {
      outcome = try prepared.fill(
        &rows, byteLimit: context.limits.rowBatchBytes, rowBytesMax: context.limits.rowBytesMax)
    } catch {
      let stop = session.connection.limiter.interruption
      if stop == .displaced, case .sqlite(let error) = error, error.code == SQLiteCode.interrupt { return nil }
      let told = RequestError(error, plan: plan, limits: context.limits, stop: stop)
      throw quotas?.named(told, stop: stop, memory: progress.withLock { $0.memory }, writes: false) ?? told
    }
    // The rows came, but none would follow them, and the next fetch would not know why.
    let limiter = session.connection.limiter
    if outcome != .done, limiter.hasToldToEnd, limiter.stop == .displaced { return nil }
    if let quotas {
      let fetched = progress.withLock { progress in
        progress.fetched.rows += rows.rowCount
        progress.fetched.bytes += rows.byteCount
        return progress.fetched
      }
      try quotas.check(rows: fetched.rows, bytes: fetched.bytes)
    }
    guard execution.hasRoom(forRowBytes: rows.byteCount) else { throw .noMemory("a row of this size") }
    return outcome
  }

  private func noteColumns(of prepared: PreparedPlan) {
    prepared.refreshColumns()
    guard prepared.columns.version != request.columnsVersion else { return }
    let columns = prepared.columns
    progress.withLock { $0.columns = columns }
  }
}

/// Gave a stream its connection and wants it back.
protocol StreamHome: AnyObject, Sendable {
  /// The status that completions of the streams say.
  var transactionStatus: TransactionStatus { get }
  /// The commit that the snapshot holds; nil if each stream takes a snapshot of its own.
  var snapshotSequence: UInt64? { get }
  /// The stream has ended and been answered; the connection runs nothing.
  func streamEnded(_ reader: ReaderConnection)
  /// The stream has ended before it got a connection.
  func streamWithdrew(_ stream: any LeaseHolder)
  /// A stream is about to wait for its client. Called with the stream's lock held.
  func streamWaits(_ stream: any LeaseHolder, on reader: ReaderConnection)
  /// A stream waits for its client: others that wait for a connection may have that of the stream.
  func streamPaused()
  /// The stream gives its connection to others, and wants one among the long reads.
  func streamPutBack(_ stream: any LeaseHolder, from reader: ReaderConnection)
}

/// What holds for a home that keeps its connection for as long as it lives, and lends it to one stream at a time.
extension StreamHome {
  /// The stream stays in the home's queue, and is passed over when its turn comes.
  func streamWithdrew(_ stream: any LeaseHolder) {}
  /// Nobody else may have the connection meanwhile.
  func streamPaused() {}
  /// A stream that begins again does so on the same connection.
  func streamPutBack(_ stream: any LeaseHolder, from reader: ReaderConnection) {}
}
