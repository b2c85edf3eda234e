/// Batches that only read, and what ends them.
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct ReadBatchTests {
  /// A batch of a short step and an endless one, of which the first has run.
  private struct Running {
    let token: RequestToken
    let execution: Execution

    init(
      _ fixture: ReadFixture, isAtomic: Bool, in transaction: ReadTransaction? = nil,
      deadline: MonotonicTime = .distantFuture
    ) throws {
      let statements = ["SELECT 1", ReadFixture.endless].map(Trees.raw)
      let request = BatchRequest(
        steps: statements.map { StatementStep(source: .statement($0), parameters: []) }, isAtomic: isAtomic,
        deadline: deadline)
      let work = BatchWork(
        script: try BatchScript(request, limits: fixture.limits), plans: try statements.map(fixture.plan),
        isShapeWanted: [false, false])
      token = fixture.sink.token()
      execution = Execution(token: token, sink: fixture.sink, deadline: deadline, credit: .max)
      let batch = ReadBatch(work, execution: execution, pool: fixture.pool, script: .empty)
      if let transaction { batch.start(in: transaction) } else { batch.startAlone() }
      let plan = work.plans[0]
      try waitUntil { plan.counters.executions.load(ordering: .relaxed) > 0 }
    }

    /// The error of the batch, or of its endless step if the steps are independent.
    func error(_ fixture: ReadFixture) -> RequestError? {
      let end = fixture.sink.outcome(of: token)
      if let error = end.error { return error }
      return fixture.sink.outcome(of: RequestToken(session: token.session, request: token.request, step: 2)).error
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `a snapshot that the log has grown too much for is told as that`(isAtomic: Bool, isAlone: Bool) throws {
    let fixture = try ReadFixture()
    let transaction = isAlone ? nil : fixture.begin(fixture.sink.token())
    defer { transaction?.abandon() }
    let batch = try Running(fixture, isAtomic: isAtomic, in: transaction)
    fixture.growLog(by: fixture.limits.walBytesMax + 1)
    let error = batch.error(fixture)
    #expect(error?.reason == .snapshotEvicted && error?.isRetryable == true)
  }

  @Test(arguments: [true, false])
  func `a deadline is told as that, and a cancel as that`(isAtomic: Bool) throws {
    let fixture = try ReadFixture()
    let late = try Running(fixture, isAtomic: isAtomic, deadline: fixture.clock.now.advanced(milliseconds: 10))
    fixture.clock.advance(milliseconds: 10)
    fixture.pool.tick(now: fixture.clock.now)
    #expect(late.error(fixture)?.reason == .deadline)
    let cancelled = try Running(fixture, isAtomic: isAtomic)
    cancelled.execution.cancel()
    #expect(cancelled.error(fixture)?.reason == .cancelled)
  }

  @Test func `the end of the engine is told as that`() throws {
    let fixture = try ReadFixture()
    let batch = try Running(fixture, isAtomic: true)
    fixture.pool.context.snapshots.shutDown()
    let error = batch.error(fixture)
    #expect(error?.reason == .shuttingDown && error?.isRetryable == true)
  }
}
