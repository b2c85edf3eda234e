internal import Dispatch
internal import MartletEngine

/// Lets threads wait for something that happens once: the end of a number of parts, or a value.
///
/// Always true: once open it stays open, for any number of threads at once; a time to wait is the machine's monotonic
/// one, whatever happens to the clock of the day.
final class Gate: Sendable {
  private let missing: Monitor<Int>

  init(count: Int = 1) { missing = Monitor(count) }

  func open() { missing.change { $0 -= 1 } }

  func wait() { missing.wait { $0 <= 0 ? .found(()) : .wait(nanoseconds: nil) } }

  /// Waits no longer than that. Whether it is open.
  @discardableResult
  func wait(ms: Int) -> Bool {
    let end = DispatchTime.now() + .milliseconds(ms)
    return missing.wait { missing -> Monitor<Int>.Look<Bool> in
      if missing <= 0 { return .found(true) }
      let now = DispatchTime.now()
      return now < end ? .wait(nanoseconds: end.uptimeNanoseconds - now.uptimeNanoseconds) : .found(false)
    }
  }
}

/// A value that one thread makes and another waits for.
// @unchecked because the gate orders the writing before the reading.
final class Promise<Value: Sendable>: @unchecked Sendable {
  private let gate = Gate()
  private var value: Value?

  func fulfil(_ value: Value) {
    self.value = value
    gate.open()
  }

  func wait() -> Value {
    gate.wait()
    // `!` because the gate opens only after the value was set.
    return value!
  }

  /// The value; nil if it is not there after `ms` milliseconds.
  func wait(ms: Int) -> Value? { gate.wait(ms: ms) ? value : nil }
}
