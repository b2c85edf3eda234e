/// Interrupts statements at steps that a test chooses, whoever runs them, as SQLite does if its progress handler says
/// so.
///
/// Always true: the fault is asked on the engine's threads; between `disarm` and `arm` it ends nothing.
import Synchronization

final class StepFault: Sendable {
  private struct State {
    var connections = ""
    /// Asks, counted from the arming, that end the statement which asks.
    var positions: Set<Int> = []
    var asks = 0
    var hits = 0
  }

  private let state = Mutex(State())

  /// Ends what the connections whose labels begin with `connections` run, at these of their next asks.
  func arm(_ connections: String, at positions: Set<Int>) {
    state.withLock { $0 = State(connections: connections, positions: positions) }
  }

  /// How many asks there were, and how many statements ended for it.
  @discardableResult
  func disarm() -> (asks: Int, hits: Int) {
    state.withLock { state in
      defer { state = State() }
      return (state.asks, state.hits)
    }
  }

  var hook: @Sendable (String) -> Bool {
    { label in
      self.state.withLock { state in
        guard !state.positions.isEmpty, label.hasPrefix(state.connections) else { return false }
        state.asks += 1
        guard state.positions.contains(state.asks) else { return false }
        state.hits += 1
        return true
      }
    }
  }
}
