import Foundation
import MartletAST
import MartletValues

/// The thread on which long statements are decoded, checked, rendered and judged, so that no event loop has to.
///
/// Always true: jobs run one after the other in the order in which they came; no more wait than `queueMax`.
final class Planner: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isStopping = false
    var hasStopped = false
  }

  private let monitor = Monitor(State())
  private let queueMax: Int

  init(queueMax: Int) {
    self.queueMax = queueMax
    let monitor = monitor
    let thread = Thread { Self.work(monitor) }
    thread.name = "martlet-p"
    // As large as a reader's, because SQLite compiles raw text here to judge it.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Runs `body` for the execution soon, unless it is cancelled or late by then; tells it so where it cannot.
  func plan(
    for execution: Execution, clock: @escaping @Sendable () -> MonotonicTime, _ body: @escaping @Sendable () -> Void
  ) {
    let isTaken = submit {
      if execution.isCancelled { return execution.deliver(.failed(.cancelledByOwner)) }
      if clock() >= execution.deadline { return execution.deliver(.failed(.deadlinePassed)) }
      body()
    }
    if !isTaken { execution.deliver(.failed(.planQueueFull)) }
  }

  /// False where too many wait already.
  func submit(_ body: @escaping @Sendable () -> Void) -> Bool {
    monitor.change { state in
      guard state.jobs.count < queueMax, !state.isStopping else { return false }
      state.jobs.append(body)
      return true
    }
  }

  /// Runs what was submitted to its end. Blocks until then.
  func stop() {
    monitor.change { $0.isStopping = true }
    monitor.wait { $0.hasStopped ? .found(()) : .wait(nanoseconds: nil) }
  }

  private static func work(_ monitor: Monitor<State>) {
    while let jobs = next(monitor) {
      for job in jobs { job() }
    }
    monitor.change { $0.hasStopped = true }
  }

  /// What waits, in order; nil where nothing does and nothing may come.
  private static func next(_ monitor: Monitor<State>) -> [@Sendable () -> Void]? {
    monitor.wait { state in
      if state.jobs.isEmpty { return state.isStopping ? .found(nil) : .wait(nanoseconds: nil) }
      defer { state.jobs = [] }
      return .found(state.jobs)
    }
  }
}

extension RequestError {
  static let planQueueFull = RequestError(
    .resourceExhausted, .overloaded, "Too many long statements wait to be read. Try again in a moment.",
    isRetryable: true)
}

extension StatementSource {
  /// Too long to be read on an event loop.
  func isLong(_ limits: Limits) -> Bool {
    if case .statement(let bytes) = self { bytes.count > limits.inlineStatementBytesMax } else { false }
  }
}

extension BatchRequest {
  /// Its statements together are too long to be read on an event loop.
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
