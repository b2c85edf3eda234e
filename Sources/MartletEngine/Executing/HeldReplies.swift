/// Replies that are complete but wait for their reader's credit.
///
/// Always true: they leave in order; rows only while there is credit; one thread delivers at a time, and nothing is
/// held while it does.
import MartletAST
import Synchronization

final class HeldReplies: ExecutionDriver {
  private struct State {
    var replies: [Reply]
    var next = 0
    var isDelivering = false
  }

  private let state: Mutex<State>

  init(_ replies: [Reply]) { state = Mutex(State(replies: replies)) }

  /// Delivers what the credit allows, now and whenever there is more.
  func begin(_ execution: Execution) {
    execution.setDriver(self)
    deliver(execution)
  }

  func creditExtended(_ execution: Execution) { deliver(execution) }

  func cancelled(_ execution: Execution) {
    // The write is committed, so a cancellation ends the delivery of its rows; the endings still count.
    state.withLock { state in
      state.replies = state.replies[state.next...].filter { if case .rows = $0.event { false } else { true } }
      state.next = 0
    }
    deliver(execution)
  }

  private enum Next {
    case reply(Reply)
    case pause
    case end
  }

  private func deliver(_ execution: Execution) {
    let isMine = state.withLock { state in
      if state.isDelivering { return false }
      state.isDelivering = true
      return true
    }
    guard isMine else { return }
    while true {
      let next: Next = state.withLock { state in
        guard state.next < state.replies.count else { return .end }
        let reply = state.replies[state.next]
        if case .rows(let batch) = reply.event {
          guard execution.hasCredit else {
            state.isDelivering = false
            return .pause
          }
          execution.spendCredit(batch.byteCount)
        }
        state.next += 1
        return .reply(reply)
      }
      switch next {
      case .reply(let reply):
        if !execution.isAbandoned { execution.sink.deliver(reply.event, to: reply.token) }
      case .end:
        execution.setDriver(nil)
        return
      case .pause:
        // Credit may have come between the look and the pause; whoever brought it saw a delivery under way.
        guard execution.hasCredit else { return }
        deliver(execution)
        return
      }
    }
  }
}
