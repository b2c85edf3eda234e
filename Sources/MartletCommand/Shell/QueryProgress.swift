import Synchronization

/// Shows a person that a statement still runs: for how long, and how many rows have come.
///
/// Always true: nothing is shown in the first second, and nothing is left on the terminal; if standard error is no
/// terminal nothing is shown at all.
final class QueryProgress: Sendable {
  private struct State {
    var rows = 0
    var isShown = false
    var isOver = false
  }

  private let state = Mutex(State())
  private let start = ContinuousClock.now

  init() {
    guard StandardOutput.isErrorTerminal else { return }
    // It keeps itself alive until the statement has ended.
    Task.detached { [self] in
      try await Task.sleep(for: .seconds(CommandLimits.progressFirstSeconds))
      while show() { try await Task.sleep(for: .milliseconds(CommandLimits.progressLookMs)) }
    }
  }

  func rowsArrived(_ count: Int) { state.withLock { $0.rows = count } }

  /// Takes the line away.
  func ended() {
    state.withLock { state in
      if state.isShown { StandardOutput.complain("\r\u{1B}[K") }
      state.isShown = false
      state.isOver = true
    }
  }

  /// False once the statement has ended. The lock is held while the line is written, so that it never comes late.
  private func show() -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      let seconds = (ContinuousClock.now - start).components.seconds
      let rows = state.rows > 0 ? ", \(Count.rows(state.rows)) so far" : ""
      StandardOutput.complain("\r(running for \(seconds) s\(rows); Control-C stops it)\u{1B}[K")
      state.isShown = true
      return true
    }
  }
}
