import MartletValues
import Synchronization

/// Replies that are complete but wait for their reader's credit.
///
/// Always true: they leave in order; rows only while there is credit; one thread delivers at a time, and nothing is
/// held while it does. What has left is let go at once.
final class HeldReplies: ExecutionDriver {
  private struct State {
    /// The next one last.
    var replies: [Reply]
    let hold: MemoryHold?
    var isDelivering = false
  }

  private let state: Mutex<State>

  /// `holds`: the part of the account's memory that the replies' rows take.
  init(_ replies: [Reply], holds: [MemoryHold]) {
    state = Mutex(State(replies: replies.reversed(), hold: MemoryHold.joining(holds)))
  }

  /// Delivers what the credit allows, now and whenever there is more.
  func begin(_ execution: Execution) {
    execution.setDriver(self)
    if execution.isCancelled { dropRows(execution) }
    deliver(execution)
  }

  func creditExtended(_ execution: Execution) { deliver(execution) }

  func cancelled(_ execution: Execution) {
    dropRows(execution)
    deliver(execution)
  }

  /// What was asked is done, so a cancellation ends the delivery of its rows; the final events are still delivered. Who
  /// did not ask for that is told what is missing.
  private func dropRows(_ execution: Execution) {
    let areUntaken = execution.areRowsUntaken
    state.withLock { state in
      var incomplete: Set<RequestToken> = []
      state.replies = state.replies.filter { reply in
        guard case .rows = reply.event else { return true }
        incomplete.insert(reply.token)
        return false
      }
      guard areUntaken else { return }
      for index in state.replies.indices where incomplete.contains(state.replies[index].token) {
        if case .completed = state.replies[index].event { state.replies[index].event = .failed(.rowsUntaken) }
      }
    }
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
        guard let reply = state.replies.last else { return .end }
        if case .rows(let batch) = reply.event {
          guard execution.hasCredit else {
            state.isDelivering = false
            return .pause
          }
          let bytes = batch.byteCount
          execution.spendCredit(bytes)
          state.hold?.shrink(byBytes: bytes)
        }
        state.replies.removeLast()
        return .reply(reply)
      }
      switch next {
      case .reply(let reply):
        if !execution.isAbandoned { execution.sink.deliver(reply.event, to: reply.token) }
      case .end:
        execution.setDriver(nil)
        return
      case .pause:
        // Credit may have come between the look and the pause, while this delivery still ran and nobody began another.
        guard execution.hasCredit else { return }
        deliver(execution)
        return
      }
    }
  }
}
