import MartletSQLite
import MartletValues

/// Carries out VACUUM on the writer's thread, between two transactions.
///
/// Always true: it is answered once; together with the checkpoint behind it, it keeps others waiting for about as long
/// as the longest write may; it begins only if the disk has room for the copy and for the log, so that it
/// does not take from other writes what they need; if it fails nothing has changed, or writing stops.
struct VacuumRunner {
  let writer: WriterConnection
  let directory: String
  let limits: Limits
  let limitsInForce: LimitsInForce
  let clock: @Sendable () -> MonotonicTime
  let counters: WriterCounters

  func run(_ job: WriteJob) {
    WriterCounters.add(1, to: counters.requests)
    let execution = job.execution
    do throws(RequestError) {
      if let error = writer.fenceError { throw error }
      if execution.isCancelled { throw .cancelledByOwner }
      if clock() >= execution.deadline { throw .deadlineInQueue }
      try checkRoom()
      let sequence = try vacuum(execution)
      execution.deliver(.completed(Completion(commitSequence: sequence, shape: shape(of: job))))
    } catch {
      execution.deliver(.failed(error))
    }
  }

  private func shape(of job: WriteJob) -> ShapeID? {
    if case .statement(let work) = job.work, work.isShapeWanted { work.plan.shape } else { nil }
  }

  private func vacuum(_ execution: Execution) throws(RequestError) -> UInt64 {
    let connection = writer.connection
    let (deadline, mostMs) = bound(of: execution)
    connection.limiter.arm(deadlineNanoseconds: deadline.nanoseconds, cancellation: execution)
    defer { connection.limiter.disarm() }
    switch writer.vacuum() {
    case .committed(let sequence):
      WriterCounters.add(1, to: counters.commits)
      return sequence
    case .notCommitted(let error):
      if let mostMs, error.reason == .deadline { throw .vacuumTooLong(mostMs: mostMs) }
      throw error
    case .unknown(let error): throw error
    }
  }

  /// When the VACUUM has to end, and the server's limit if that is what says so. Without a deadline nobody else waits
  /// who has one.
  private func bound(of execution: Execution) -> (deadline: MonotonicTime, mostMs: Int?) {
    guard execution.deadline != .distantFuture else { return (execution.deadline, nil) }
    let mostMs = max(1, limitsInForce.writeTimeMaxMs / EngineLimits.vacuumTimeDivisor)
    let most = clock().advanced(milliseconds: mostMs)
    return execution.deadline > most ? (most, mostMs) : (execution.deadline, nil)
  }

  private func checkRoom() throws(RequestError) {
    let bytes: Int
    do throws(SQLiteError) { bytes = try writer.connection.bytesInUse() } catch { throw RequestError(error) }
    if let refusal = VacuumRoom(directory: directory).refusal(bytes: bytes, reserve: limits.diskFreeBytesMin) {
      throw refusal
    }
  }
}
