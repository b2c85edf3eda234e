internal import CLibuv

/// A timer of a loop, once or repeating.
///
/// Always true: a stopped timer does not fire until it is started again.
package final class LoopTimer: LoopHandle {
  private var action: (() -> Void)?

  /// Makes a timer that does nothing until `start`.
  package init(on loop: EventLoop, _ action: @escaping () -> Void) throws(LoopError) {
    loop.checkIsOnLoop()
    self.action = action
    try super.init(UV_TIMER, on: loop, operation: "make a timer") { memory in
      uv_timer_init(loop.raw, memory.timer)
    }
  }

  private var timer: UnsafeMutablePointer<uv_timer_t> { memory.timer }

  package var isActive: Bool { !isClosing && uv_is_active(handle) != 0 }

  /// Fires after `afterMs`, and then every `repeatMs` if that is not 0. Starting again starts over.
  package func start(afterMs: Int, repeatMs: Int = 0) {
    loop.checkIsOnLoop()
    guard !isClosing else { return }
    // The loop's idea of the time is from the start of its turn; a long turn would make the timer early.
    uv_update_time(loop.raw)
    uv_timer_start(
      timer,
      { handle in
        guard let handle else { return }
        LoopTimer.of(handle).action?()
      }, UInt64(max(0, afterMs)), UInt64(max(0, repeatMs)))
  }

  package func stop() {
    loop.checkIsOnLoop()
    if !isClosing { uv_timer_stop(timer) }
  }

  override func didClose() { action = nil }
}
