/// The thread on which long statements are decoded, checked, rendered and judged, so that no event loop has to.
///
/// Always true: jobs run one after the other in the order in which they came; no more wait than `queueMax`.
import MartletAST
import Synchronization

final class Planner: Sendable {
  private let thread = WorkerThreads(count: 1, label: "martlet-p")
  private let waiting = Atomic<Int>(0)
  private let queueMax: Int

  init(queueMax: Int) { self.queueMax = queueMax }

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
    guard waiting.add(1, ordering: .relaxed).newValue <= queueMax else {
      waiting.subtract(1, ordering: .relaxed)
      return false
    }
    thread.submit { [self] in
      body()
      waiting.subtract(1, ordering: .relaxed)
    }
    return true
  }

  /// Runs what was submitted to its end. Blocks until then.
  func stop() { thread.stop() }
}

extension RequestError {
  static let planQueueFull = RequestError(
    .resourceExhausted, .overloaded, "Too many long statements are waiting to be read; send it again in a while.",
    isRetryable: true)
}

extension StatementRequest.Source {
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
  /// Raw text that SQLite has not judged yet, and that is too long to be judged on an event loop.
  func needsPlanner(_ limits: Limits) -> Bool { access == .raw && sql.utf8.count > limits.inlineStatementBytesMax }
}
