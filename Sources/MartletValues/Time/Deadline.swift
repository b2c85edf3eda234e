import Dispatch

/// Deadlines: of one request, and of everything that a task or a thread does.
///
/// Always true: the nearest of them wins, and waiting (for a connection, a turn, a lock) counts.
package enum Deadline {
  /// The deadline of `withDeadline`, for the task and what it starts.
  @TaskLocal package static var current: MonotonicTime?

  package static func now() -> MonotonicTime { MonotonicTime(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

  /// When a request that starts now must have ended.
  package static func next(_ explicit: Duration?, otherwise: Duration) -> MonotonicTime {
    let own = now().advanced(by: explicit ?? current.map { _ in .seconds(Int64.max) } ?? otherwise)
    return min(own, current ?? .distantFuture)
  }

  /// Throws if the caller's deadline has passed already, or leaves no time: then nothing is begun.
  package static func check(_ explicit: Duration? = nil) throws(RequestError) {
    let isOver = current.map { now() >= $0 } ?? false
    guard isOver || explicit.map({ $0 <= .zero }) ?? false else { return }
    throw .deadlineOverBeforehand
  }

  /// Runs `body` on a thread that has no task, or another one, under the deadline of whoever asked for it.
  package static func inherit<Success>(_ deadline: MonotonicTime?, _ body: () throws -> Success) rethrows -> Success {
    guard let deadline else { return try body() }
    return try $current.withValue(deadline, operation: body)
  }

  fileprivate static func nearest(_ duration: Duration) -> MonotonicTime {
    min(now().advanced(by: duration), current ?? .distantFuture)
  }
}

extension MonotonicTime {
  /// Saturates; a negative duration counts as 0.
  package func advanced(by duration: Duration) -> MonotonicTime { advanced(milliseconds: duration.milliseconds) }
}

extension Duration {
  /// Whole milliseconds, rounded up, from 0 to a bound that never overflows.
  package var milliseconds: Int {
    guard self > .zero else { return 0 }
    // The components of a duration of more seconds than 64 bits hold end the process.
    let (seconds, attoseconds) = min(self, .seconds(ValueLimits.durationSecondsMax)).components
    return Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// The sum, at most the longest duration: the addition of two long ones ends the process.
  package func adding(milliseconds: Int) -> Duration {
    let bound = Duration.seconds(ValueLimits.durationSecondsMax)
    return min(self, bound) + min(.milliseconds(milliseconds), bound)
  }
}

/// Runs `body` with a deadline for everything that it asks of a database, embedded or remote; an enclosing deadline
/// that is nearer holds.
///
/// What has not ended by then throws `RequestError` with the code `deadlineExceeded`.
@discardableResult
public func withDeadline<Success>(
  _ duration: Duration, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Success
) async rethrows -> Success {
  try await Deadline.$current.withValue(Deadline.nearest(duration), operation: body, isolation: isolation)
}

/// The same for code that does not suspend, such as the closure of a `read` or `write`.
@discardableResult
public func withDeadline<Success>(_ duration: Duration, _ body: () throws -> Success) rethrows -> Success {
  try Deadline.$current.withValue(Deadline.nearest(duration), operation: body)
}
