/// Waiting for a value that is observed: `Observation` says when to look again.
///
/// Always true: nothing is polled; what never comes is ended by the suite's time limit, which is long, because tests
/// that run beside others wait for a thread.
import Observation
import Synchronization

/// Waits until `read` returns a value for which `isWanted` holds.
func eventually<T>(
  isolation: isolated (any Actor)? = #isolation, _ read: @autoclosure () -> T, _ isWanted: (T) -> Bool
) async {
  var isDone = false
  while !isDone {
    isDone = await withCheckedContinuation { continuation in
      let answer = FirstAnswer(continuation)
      let value = withObservationTracking(read) { answer.give(false) }
      if isWanted(value) { answer.give(true) }
    }
  }
}

/// Answers once: whoever comes first.
private final class FirstAnswer: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = Mutex(continuation) }

  func give(_ answer: Bool) {
    let first = continuation.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    first?.resume(returning: answer)
  }
}
