internal import MartletValues

/// Whether a connection may go on sending, by what it holds of the server's memory.
///
///     flowing ──more than its share──▶ paused ──no better for a while──▶ refusing
///        ▲                               │                                  │
///        └─ half of its share at once, ──┴──────────────────────────────────┘
///           or its share after a tick
///
/// What a connection holds of a request that has come in part cannot become less while it is not read: the half would
/// be waited for in vain, however much room others make. So the share itself is enough, but not before a tick has
/// passed, or a connection at its bound would stop and go with each read.
///
/// Always true: what holds memory is waited for and not for ever, because a request that would free it (a cancel,
/// credit, the end of a transaction) may stand behind what is not read. Pauses that follow one another are one wait, so
/// a connection that stops and goes is refused as soon as one that only stops. Long requests are refused only if what
/// is held is more than the share at the end of the wait, too: others may have made room meanwhile.
struct MemoryGauge: Equatable, Sendable {
  enum State: Equatable, Sendable {
    case flowing
    /// Nothing is read.
    case paused
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
  private let tickMs: Int
  /// Since when the connection has been in its state.
  private var enteredAt = MonotonicTime(nanoseconds: 0)
  /// When the first pause of the wait began, or the last time that what is held became less in one.
  private var waitBegan: MonotonicTime?
  private var heldBytes = 0
  private var allowedBytes = Int.max

  init(limits: Limits) {
    pauseMs = limits.memoryPauseMs
    tickMs = limits.sessionTickMs
  }

  var isPaused: Bool { state == .paused }
  var isRefusing: Bool { state == .refusing }
  var isTight: Bool { state != .flowing }

  /// The connection holds `held` bytes, of `allowed` that it may hold at this moment.
  mutating func changed(heldBytes held: Int, allowedBytes allowed: Int, now: MonotonicTime) -> Change {
    defer { invariant() }
    let before = heldBytes
    heldBytes = held
    allowedBytes = allowed
    if isWaitOver(now: now) { waitBegan = nil }
    switch state {
    case .flowing:
      guard held > allowed else { return .none }
      waitBegan = waitBegan ?? now
      enter(.paused, now: now)
      return .paused
    case .paused:
      if hasRoom(now: now) {
        enter(.flowing, now: now)
        return .resumed
      }
      // As long as it becomes less, waiting helps.
      if held < before { waitBegan = now }
      return ticked(now: now)
    case .refusing:
      if hasRoom(now: now) { enter(.flowing, now: now) }
      return .none
    }
  }

  mutating func ticked(now: MonotonicTime) -> Change {
    guard state == .paused, let waitBegan, now >= waitBegan.advanced(milliseconds: pauseMs) else { return .none }
    enter(heldBytes > allowedBytes ? .refusing : .flowing, now: now)
    return .resumed
  }

  /// Half of its share ends a wait, and so does going on for as long as a wait lasts at most.
  private func isWaitOver(now: MonotonicTime) -> Bool {
    heldBytes <= allowedBytes / 2
      || (state == .flowing && now >= enteredAt.advanced(milliseconds: pauseMs))
  }

  private func hasRoom(now: MonotonicTime) -> Bool {
    heldBytes <= allowedBytes / 2
      || (heldBytes <= allowedBytes && now >= enteredAt.advanced(milliseconds: tickMs))
  }

  private mutating func enter(_ next: State, now: MonotonicTime) {
    state = next
    enteredAt = now
  }

  private func invariant() {
    assert(state != .paused || waitBegan != nil, "a pause has no end")
    assert(state != .flowing || heldBytes <= allowedBytes, "one goes on with more than its share")
  }
}
