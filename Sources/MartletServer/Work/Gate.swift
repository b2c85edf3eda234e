internal import Dispatch
internal import MartletEngine
internal import Synchronization

/// Lets threads wait for something that happens once: the end of a number of parts, or a value.
///
/// Always true: once open it stays open; a time to wait is the machine's monotonic one, whatever happens to the clock
/// of the day.
final class Gate: Sendable {
  /// 1 once it is open: whoever takes that puts it back.
  private let opening: TimedSemaphore
  private let missing: Mutex<Int>

  init(count: Int = 1) {
    missing = Mutex(count)
    opening = TimedSemaphore(value: count > 0 ? 0 : 1)
  }

  func open() {
    let isOpened = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if isOpened { opening.signal() }
  }

  func wait() {
    opening.wait()
    opening.signal()
  }

  /// Waits no longer than that. Whether it is open.
  @discardableResult
  func wait(ms: Int) -> Bool {
    guard opening.wait(by: .now() + .milliseconds(ms)) else { return false }
    opening.signal()
    return true
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

  /// The value; nil if it is not there after so long.
  func wait(ms: Int) -> Value? { gate.wait(ms: ms) ? value : nil }
}
