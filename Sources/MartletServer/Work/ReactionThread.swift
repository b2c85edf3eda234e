internal import Dispatch
internal import MartletThreads
internal import Synchronization

/// A thread for what a server has to do at any time: react to signals, and end. It runs from the server's start on,
/// because by then the system may have no thread to give.
///
/// Always true: reactions run in order, one at a time; those that came before `end` run, and none that comes later.
final class ReactionThread: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isEnding = false
  }

  private let state = Mutex(State())
  private let came = DispatchSemaphore(value: 0)

  /// False if the system has no thread to give.
  func start() -> Bool {
    ThreadStarter.shared.startNow(named: "martlet-reacts") { [self] in
      while let reaction = next() { reaction() }
    }
  }

  /// Has the thread call `reaction` soon. From any thread.
  func act(_ reaction: @escaping @Sendable () -> Void) {
    state.withLock { if !$0.isEnding { $0.waiting.append(reaction) } }
    came.signal()
  }

  /// The thread ends when it has come back from the reactions that came before. From any thread, also from a reaction.
  func end() {
    state.withLock { $0.isEnding = true }
    came.signal()
  }

  private func next() -> (@Sendable () -> Void)? {
    while true {
      came.wait()
      let (reaction, isEnding) = state.withLock { state in
        (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isEnding)
      }
      if let reaction { return reaction }
      if isEnding { return nil }
    }
  }
}
