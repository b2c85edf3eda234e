import Foundation
import MartletAST
import MartletThreads
import MartletValues

/// The thread on which long statements are decoded, checked, rendered and judged, so that no event loop has to.
///
/// Always true: one job runs at a time, and the time is shared by subject and session (`FairQueue`); the jobs of a
/// session keep their order; at most `queueMax` wait; if that many do, the session with the most of them gives way.
final class Planner: Sendable {
  private struct State {
    var jobs = FairQueue<Job>()
    var isStopping = false
    var hasStopped = false
  }

  private struct Job {
    let share: SessionShare
    let body: @Sendable () -> Void
    /// Called instead of `body` if the job does not run.
    let refuse: @Sendable () -> Void
  }

  private let monitor = Monitor(State())
  private let queueMax: Int

  init(queueMax: Int) {
    self.queueMax = queueMax
    let monitor = monitor
    ThreadStarter.shared.start(named: "martlet-p") { Self.work(monitor) }
  }

  /// Runs `body` for the execution soon, unless it is cancelled or late by then. If `body` cannot run, the execution is
  /// answered with the reason.
  func plan(
    for execution: Execution, clock: @escaping @Sendable () -> MonotonicTime, _ body: @escaping @Sendable () -> Void
  ) {
    submit(of: execution.sessionShare, refuse: { execution.deliver(.failed(.planQueueFull)) }) {
      if execution.isCancelled { return execution.deliver(.failed(.cancelledByOwner)) }
      if clock() >= execution.deadline { return execution.deliver(.failed(.deadlinePassed)) }
      body()
    }
  }

  /// Calls `refuse` if too many wait, now or when others have come.
  func submit(
    of share: SessionShare, refuse: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () -> Void
  ) {
    if !takes(of: share, refuse: refuse, body) { refuse() }
  }

  /// False if too many wait: the job has not been taken then, and neither of the two is called. Otherwise one of them
  /// is called later: `refuse` if others that have less have come since.
  func takes(
    of share: SessionShare, refuse: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let job = Job(share: share, body: body, refuse: refuse)
    let (isTaken, displaced) = monitor.change { state -> (Bool, Job?) in
      if state.isStopping { return (false, nil) }
      var displaced: Job?
      if state.jobs.count >= queueMax {
        displaced = state.jobs.displaced(by: share)
        if displaced == nil { return (false, nil) }
      }
      state.jobs.arrived(job, of: share)
      return (true, displaced)
    }
    displaced?.refuse()
    return isTaken
  }

  /// Runs what was submitted to its end. Blocks until then.
  func stop() {
    monitor.change { $0.isStopping = true }
    monitor.wait { $0.hasStopped ? .found(()) : .wait(nanoseconds: nil) }
  }

  private static func work(_ monitor: Monitor<State>) {
    while let job = next(monitor) {
      let began = EngineConfiguration.systemClock().nanoseconds
      job.body()
      let ended = EngineConfiguration.systemClock().nanoseconds
      monitor.withLock { $0.jobs.charge(ended &- began, to: job.share) }
    }
    monitor.change { $0.hasStopped = true }
  }

  /// Waits for the next job; nil if none is left and none may come.
  private static func next(_ monitor: Monitor<State>) -> Job? {
    monitor.wait { state in
      if let job = state.jobs.next() { return .found(job) }
      return state.isStopping ? .found(nil) : .wait(nanoseconds: nil)
    }
  }
}

extension StatementSource {
  /// Too long to be read on an event loop.
  func isLong(_ limits: Limits) -> Bool {
    if case .statement(let bytes) = self { bytes.count > limits.inlineStatementBytesMax } else { false }
  }
}

extension BatchRequest {
  /// Whether the batch's statements together are too long to be read on an event loop.
  func isLong(_ limits: Limits) -> Bool {
    var bytes = 0
    for step in steps {
      if case .statement(let statement) = step.source { bytes += statement.count }
    }
    return bytes > limits.inlineStatementBytesMax
  }
}

extension Plan {
  /// Raw text that SQLite has not judged yet, and that takes too long to be judged on an event loop.
  func needsPlanner(_ limits: Limits) -> Bool {
    access == .raw && (sql.utf8.count > limits.inlineStatementBytesMax || complexity == .slow)
  }
}
