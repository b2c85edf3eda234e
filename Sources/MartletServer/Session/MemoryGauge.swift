internal import MartletValues

/// Whether a connection may go on sending, by what it holds of the server's memory.
///
///     flowing ──more than its share──▶ paused ──no better for a while──▶ refusing
///        ▲                               │                                  │
///        └───────── half of its share ───┴──────────────────────────────────┘
///
/// Always true: what holds memory is waited for and not for ever, because a request that would free it (a cancel,
/// credit, the end of a transaction) may stand behind what is not read. Long requests are refused only if what is held
/// is more than the share at the end of the wait, too: others may have made room meanwhile.
struct MemoryGauge: Equatable, Sendable {
  enum State: Equatable, Sendable {
    case flowing
    /// Nothing is read.
    case paused(since: MonotonicTime)
    /// Everything is read, and long requests are refused.
    case refusing
  }

  enum Change: Equatable, Sendable {
    case none
    case paused
    case resumed
  }

  private(set) var state = State.flowing
  private let pauseMs: Int
  private var heldBytes = 0
  private var allowedBytes = Int.max

  init(limits: Limits) { pauseMs = limits.memoryPauseMs }

  var isPaused: Bool { if case .paused = state { true } else { false } }
  var isRefusing: Bool { state == .refusing }
  var isTight: Bool { state != .flowing }

  /// The connection holds `held` bytes, of `allowed` that it may hold at this moment.
  mutating func changed(heldBytes held: Int, allowedBytes allowed: Int, now: MonotonicTime) -> Change {
    let before = heldBytes
    heldBytes = held
    allowedBytes = allowed
    switch state {
    case .flowing:
      guard held > allowed else { return .none }
      state = .paused(since: now)
      return .paused
    case .paused:
      if held <= allowed / 2 {
        state = .flowing
        return .resumed
      }
      // As long as it becomes less, waiting helps.
      if held < before { state = .paused(since: now) }
      return ticked(now: now)
    case .refusing:
      if held <= allowed / 2 { state = .flowing }
      return .none
    }
  }

  mutating func ticked(now: MonotonicTime) -> Change {
    guard case .paused(let since) = state, now >= since.advanced(milliseconds: pauseMs) else { return .none }
    state = heldBytes > allowedBytes ? .refusing : .flowing
    return .resumed
  }
}
