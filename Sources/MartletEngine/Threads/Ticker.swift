import Foundation
import MartletThreads

/// Calls something again and again on a thread of its own, until it is stopped.
///
/// Always true: after `stop` has returned it is not called any more.
final class Ticker: Sendable {
  private enum State {
    case running
    case stopping
    case stopped
  }

  private let monitor = Monitor(State.running)

  init(everyMs: Int, name: String, _ body: @escaping @Sendable () -> Void) {
    let monitor = monitor
    ThreadStarter.shared.start(named: name) {
      while true {
        var hasWaited = false
        let isRunning = monitor.wait { state -> Monitor<State>.Look<Bool> in
          if state != .running { return .found(false) }
          if hasWaited { return .found(true) }
          hasWaited = true
          return .wait(nanoseconds: UInt64(max(1, everyMs)) * 1_000_000)
        }
        guard isRunning else { break }
        body()
      }
      monitor.change { $0 = .stopped }
    }
  }

  /// Must not be called by the function that it calls.
  func stop() {
    monitor.change { if $0 == .running { $0 = .stopping } }
    monitor.wait { $0 == .stopped ? .found(()) : .wait(nanoseconds: nil) }
  }
}
