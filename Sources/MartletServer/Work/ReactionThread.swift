internal import Dispatch
internal import MartletLoop
internal import Synchronization

/// The thread that reacts to signals. It runs from the server's start on, because when a signal comes the system may
/// have no thread to give.
///
/// Always true: reactions run in order, one at a time; after `end` none that comes is run.
final class ReactionThread: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isEnding = false
  }

  private let state = Mutex(State())
  private let came = DispatchSemaphore(value: 0)

  /// Throws if the system has no thread to give.
  func start() throws(LoopError) {
    try SystemThread.start(for: "signals") { [self] in
      while let reaction = next() { reaction() }
    }
  }

  /// Has the thread call `reaction` soon. From any thread.
  func act(_ reaction: @escaping @Sendable () -> Void) {
    state.withLock { $0.waiting.append(reaction) }
    came.signal()
  }

  /// The thread ends when it has come back from the reaction that runs. From any thread, also from a reaction.
  func end() {
    state.withLock { $0.isEnding = true }
    came.signal()
  }

  private func next() -> (@Sendable () -> Void)? {
    while true {
      came.wait()
      let (reaction, isEnding) = state.withLock { state in
        (state.waiting.isEmpty || state.isEnding ? nil : state.waiting.removeFirst(), state.isEnding)
      }
      if isEnding { return nil }
      if let reaction { return reaction }
    }
  }
}
