package import MartletValues

/// Which requests are sent again after an error, how often and when: the one place where that is decided.
///
/// Always true: what is sent again has had no effect, and its caller has seen nothing of it. A transaction that has
/// ended is never begun again here, because only its program can judge what it has read and written. A request that was
/// refused because the server has too much to do is not sent again either: more requests would not help.
package struct RepeatRule: Sendable {
  private let repeatsMax: Int
  private var pause: Duration
  private let pauseMax: Duration
  private let deadline: MonotonicTime
  private var hasMoved = false
  private var repeats = 0

  /// No request is sent again after its deadline.
  package init(_ configuration: ClientConfiguration, until deadline: MonotonicTime = .distantFuture) {
    repeatsMax = configuration.readRepeatsMax
    // Longer than any program runs, and short enough to be doubled.
    pauseMax = .milliseconds(configuration.backoffMax.milliseconds)
    pause = min(configuration.backoffFirst, pauseMax)
    self.deadline = deadline
  }

  /// The request has failed before it gave its caller anything. How long to wait before it is sent again; nil: it is
  /// not.
  mutating func pause(after error: ReplyError, now: MonotonicTime = Deadline.now()) -> Duration? {
    switch Self.kind(of: error) {
    case .final: return nil
    case .needsOtherConnection:
      // What ends two connections in a row would end a third.
      guard !hasMoved else { return nil }
      hasMoved = true
      return .zero
    case .madeRoom:
      let next = now.advanced(by: pause)
      guard repeats < repeatsMax, next < deadline else { return nil }
      repeats += 1
      defer { pause = min(pause * 2, pauseMax) }
      return pause
    }
  }

  /// The same for an error as programs are thrown it.
  package mutating func pause(afterThrown error: any Error) -> Duration? {
    switch error {
    case let error as RequestError: pause(after: .request(error))
    case let error as ClientError: pause(after: .client(error))
    default: nil
    }
  }

  private enum Kind { case final, needsOtherConnection, madeRoom }

  private static func kind(of error: ReplyError) -> Kind {
    switch error {
    case .client(let error): return error.code == .connectionLost && error.isRetryable ? .needsOtherConnection : .final
    case .request(let error):
      guard error.isRetryable, !error.isOutcomeUnknown else { return .final }
      if error.reason == .shuttingDown { return .needsOtherConnection }
      // Only reads have a snapshot, so the request wrote nothing.
      return error.reason == .snapshotEvicted ? .madeRoom : .final
    case .cancelled: return .final
    }
  }
}
