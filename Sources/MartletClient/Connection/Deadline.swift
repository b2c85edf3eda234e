/// Deadlines: of one request, and of everything that a task does.
///
/// Always true: the nearest of them wins, and waiting for a connection counts.
internal import MartletAST
internal import NIOCore

enum Deadline {
  /// The deadline of `withDeadline`, for the task and what it starts.
  @TaskLocal static var current: MonotonicTime?

  static func now() -> MonotonicTime { MonotonicTime(nanoseconds: NIODeadline.now().uptimeNanoseconds) }

  /// When a request that starts now must have ended.
  static func next(_ explicit: Duration?, otherwise: Duration) -> MonotonicTime {
    let own = now().advanced(by: explicit ?? current.map { _ in .seconds(Int64.max) } ?? otherwise)
    return min(own, current ?? .distantFuture)
  }
}

extension MonotonicTime {
  /// Saturates; a negative duration is none.
  func advanced(by duration: Duration) -> MonotonicTime { advanced(milliseconds: duration.milliseconds) }
}

extension Duration {
  /// Whole milliseconds, rounded up, from 0 to a bound that never overflows.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let bounded = Int(min(seconds, 1 << 40))
    return bounded * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

/// Runs `body` with a deadline for every request that it makes; an enclosing deadline that is nearer holds.
///
/// A request that is not answered by then throws `RequestError` with the code `deadlineExceeded`.
@discardableResult
public func withDeadline<Success>(
  _ duration: Duration, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Success
) async rethrows -> Success {
  let deadline = min(Deadline.now().advanced(by: duration), Deadline.current ?? .distantFuture)
  return try await Deadline.$current.withValue(deadline, operation: body, isolation: isolation)
}
