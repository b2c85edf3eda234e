internal import CLibuv
internal import Synchronization

/// Wakes a loop from any thread: however many signals come before the loop turns, its action runs at least once.
///
/// Always true: `signal()` after the handle has closed does nothing.
// @unchecked because `signal` uses only the mutex and libuv's one thread-safe call, and the rest runs on the loop.
package final class WakeUp: LoopHandle, @unchecked Sendable {
  private var action: (() -> Void)?

  /// Held while signalling, because the memory must not be freed between the question and the call.
  private let isOpen = Mutex(true)

  /// `action` runs on the loop's thread.
  package convenience init(on loop: EventLoop, _ action: @escaping () -> Void) throws(LoopError) {
    loop.checkIsOnLoop()
    try self.init(firstOf: loop, action)
  }

  /// For the loop itself, before its thread runs.
  init(firstOf loop: EventLoop, _ action: @escaping () -> Void) throws(LoopError) {
    self.action = action
    try super.init(UV_ASYNC, on: loop, operation: "make a wake-up") { memory in
      uv_async_init(loop.raw, memory.async) { handle in
        guard let handle else { return }
        WakeUp.of(handle).action?()
      }
    }
  }

  /// From any thread.
  package func signal() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      uv_async_send(memory.async)
    }
  }

  override func willClose() { isOpen.withLock { $0 = false } }
  override func didClose() { action = nil }
}
