internal import Foundation

/// Lets threads wait for something that happens once: the end of a number of parts, or a value.
///
/// Always true: once open it stays open.
// @unchecked because every access to the count holds the condition's lock.
final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var missing: Int

  init(count: Int = 1) { missing = count }

  func open() {
    condition.lock()
    missing -= 1
    if missing <= 0 { condition.broadcast() }
    condition.unlock()
  }

  func wait() {
    condition.lock()
    while missing > 0 { condition.wait() }
    condition.unlock()
  }

  /// Waits no longer than that. Whether it is open.
  @discardableResult
  func wait(ms: Int) -> Bool {
    let end = Date(timeIntervalSinceNow: Double(ms) / 1_000)
    condition.lock()
    defer { condition.unlock() }
    while missing > 0, condition.wait(until: end) {}
    return missing <= 0
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
