/// Calls back on a loop when the process gets a signal.
///
/// Always true: while a watcher of a signal is open, the signal's default action does not happen.
internal import CLibuv

public final class SignalWatcher: LoopHandle {
  private var action: (() -> Void)?

  /// `number` such as `SIGTERM`.
  public init(_ number: Int32, on loop: EventLoop, _ action: @escaping () -> Void) throws(LoopError) {
    loop.checkIsOnLoop()
    self.action = action
    try super.init(UV_SIGNAL, on: loop, operation: "watch a signal") { memory in
      uv_signal_init(loop.raw, memory.signal)
    }
    let code = uv_signal_start(
      memory.signal,
      { handle, _ in
        guard let handle else { return }
        SignalWatcher.of(handle).action?()
      }, number)
    guard code == 0 else {
      close()
      throw LoopError(code: code, operation: "watch signal \(number)")
    }
  }

  override func didClose() { action = nil }
}
