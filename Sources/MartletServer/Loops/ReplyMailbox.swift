internal import MartletEngine
internal import MartletLoop
internal import Synchronization

/// Where the engine leaves replies for one loop.
///
/// Always true: whoever finds it empty wakes the loop, once; what it holds is bounded by the credit that sessions gave.
final class ReplyMailbox: ReplySink {
  private struct State {
    var replies: [Reply] = []
    var doorbell: WakeUp?
  }

  private let state = Mutex(State())

  /// Rings from now on; what came before is announced at once.
  func open(doorbell: WakeUp) {
    let isWaiting = state.withLock { state in
      state.doorbell = doorbell
      return !state.replies.isEmpty
    }
    if isWaiting { doorbell.signal() }
  }

  func deliver(_ event: ReplyEvent, to token: RequestToken) {
    let doorbell = state.withLock { state -> WakeUp? in
      state.replies.append(Reply(token: token, event: event))
      return state.replies.count == 1 ? state.doorbell : nil
    }
    doorbell?.signal()
  }

  func deliver(_ replies: [Reply]) {
    guard !replies.isEmpty else { return }
    let doorbell = state.withLock { state -> WakeUp? in
      defer { state.replies.append(contentsOf: replies) }
      return state.replies.isEmpty ? state.doorbell : nil
    }
    doorbell?.signal()
  }

  /// Swaps what has come for `empty`, whose memory is used for what comes next.
  func take(into empty: inout [Reply]) {
    state.withLock { swap(&$0.replies, &empty) }
  }
}
