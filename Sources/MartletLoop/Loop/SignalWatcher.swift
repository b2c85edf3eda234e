internal import CLibuv

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Calls back on a loop when the process gets a signal.
///
/// Always true: while a watcher of a signal is open, the signal's default action does not happen, and the loop's thread
/// does not block it.
package final class SignalWatcher: LoopHandle {
  private var action: (() -> Void)?

  /// `number` such as `SIGTERM`.
  package init(_ number: Int32, on loop: EventLoop, _ action: @escaping () -> Void) throws(LoopError) {
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
    Self.unblock(number)
  }

  /// A process inherits the signal mask of the thread that started it, and many start others from threads that block
  /// every signal: without this, such a server could not be asked to stop.
  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  override func didClose() { action = nil }
}
