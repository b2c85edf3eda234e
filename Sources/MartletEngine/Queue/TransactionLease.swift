import MartletValues

/// The life of one interactive transaction: whose turn it is, what runs next, and when the engine takes it back.
///
///     waiting ──▶ open ──▶ ended
///        └──────────────────▲
///
/// Always true: at most one command runs at a time, in the order of arrival; what arrives after the end is refused
/// with the reason of the end; at most `commandsMax` commands wait.
struct TransactionLease<Command> {
  enum State: Equatable {
    /// Can move to open (its turn came) or ended.
    case waiting
    /// Can move to ended.
    case open
    case ended(TransactionEnd)
  }

  enum Answer: Equatable {
    case queued
    case refusedEnded(TransactionEnd)
    case refusedOverloaded
  }

  private let limits: Limits
  private let commandsMax: Int
  /// Milliseconds that the transaction may be open.
  private let totalMs: Int
  private let isBoundByQuota: Bool
  private(set) var state = State.waiting
  private var commands: [Command] = []
  private var isRunning = false
  private var isPaused = false
  private var openedAt = MonotonicTime(nanoseconds: 0)
  private var idleSince = MonotonicTime(nanoseconds: 0)
  /// How many others wait for the writer, and since when there has always been one.
  private var waiters = 0
  private(set) var contendedSince: MonotonicTime?

  /// `quotaMs`: its owner's quota, which holds if it is shorter than the limit.
  init(limits: Limits, quotaMs: Int = .max) {
    self.limits = limits
    totalMs = min(limits.transactionTotalMs, quotaMs)
    isBoundByQuota = quotaMs < limits.transactionTotalMs
    commandsMax = limits.requestsPerConnectionMax
  }

  // MARK: Events

  mutating func turnCame(_ now: MonotonicTime) {
    defer { invariant() }
    assert(state != .open, "a turn that comes twice")
    guard state == .waiting else { return }
    state = .open
    openedAt = now
    idleSince = now
  }

  mutating func commandArrived(_ command: Command) -> Answer {
    if case .ended(let end) = state { return .refusedEnded(end) }
    guard commands.count < commandsMax else { return .refusedOverloaded }
    commands.append(command)
    return .queued
  }

  /// The command that runs now; nil if none waits, one runs already, or the transaction is not open.
  mutating func nextCommand() -> Command? {
    defer { invariant() }
    guard state == .open, !isRunning, !commands.isEmpty else { return nil }
    isRunning = true
    return commands.removeFirst()
  }

  mutating func commandFinished(_ now: MonotonicTime) {
    defer { invariant() }
    assert(isRunning || state != .open, "a command that ends without having begun")
    isRunning = false
    isPaused = false
    idleSince = now
  }

  /// A running command waits for its owner to take rows: that is idle time too.
  mutating func commandPaused(_ now: MonotonicTime) {
    assert(isRunning || state != .open, "a pause of nothing")
    idleSince = now
    isPaused = true
  }

  mutating func commandResumed() { isPaused = false }

  /// Why the transaction has to end now; nil while it may go on.
  func ticked(_ now: MonotonicTime) -> TransactionEnd? {
    guard state == .open else { return nil }
    if now >= openedAt.advanced(milliseconds: totalMs) {
      return isBoundByQuota ? .openBeyondQuota(ms: totalMs) : .openTooLong
    }
    if now >= contendedEnd { return .openWhileOthersWaited }
    guard isIdle else { return nil }
    if now >= idleSince.advanced(milliseconds: limits.transactionIdleMs) { return .idleTooLong }
    return now >= contendedIdleEnd ? .idleWhileOthersWaited(ms: contendedIdleMs) : nil
  }

  /// `count` others wait for the writer now. The more there are, the sooner an idle transaction ends.
  mutating func waitersChanged(to count: Int, _ now: MonotonicTime) {
    waiters = count
    contendedSince = count == 0 ? nil : contendedSince ?? now
  }

  /// The whole time while a few clients wait, less if there are more, but always enough for a client's round trip.
  private var contendedIdleMs: Int {
    let free = EngineLimits.contendedWaitersFree
    let shared = limits.transactionContendedIdleMs * free / max(free, waiters)
    return max(limits.transactionContendedIdleMinMs, shared)
  }

  private var contendedIdleEnd: MonotonicTime {
    guard let contendedSince else { return .distantFuture }
    return max(idleSince, contendedSince).advanced(milliseconds: contendedIdleMs)
  }

  private var contendedEnd: MonotonicTime {
    contendedSince?.advanced(milliseconds: limits.transactionContendedTotalMs) ?? .distantFuture
  }

  /// Ends the transaction and hands back the commands that will not run. The first reason stays.
  mutating func ended(_ end: TransactionEnd) -> [Command] {
    defer { invariant() }
    if case .ended = state { return [] }
    state = .ended(end)
    let left = commands
    commands = []
    isRunning = false
    isPaused = false
    return left
  }

  // MARK: Questions

  /// Nothing is left to do until the owner does something.
  private var isIdle: Bool { isPaused || (!isRunning && commands.isEmpty) }

  /// When `ticked` may next have something to say.
  var nextDeadline: MonotonicTime {
    guard state == .open else { return .distantFuture }
    let total = min(openedAt.advanced(milliseconds: totalMs), contendedEnd)
    if !isIdle { return total }
    return min(total, idleSince.advanced(milliseconds: limits.transactionIdleMs), contendedIdleEnd)
  }

  /// The moment at which a running statement has to stop for the transaction's sake.
  var totalDeadline: MonotonicTime {
    state == .open ? openedAt.advanced(milliseconds: totalMs) : .distantFuture
  }

  private func invariant() {
    assert(commands.count <= commandsMax)
    assert(!isRunning || state == .open, "something runs, and the transaction is not open")
    assert(!isPaused || isRunning || state != .open, "a pause of nothing")
    if case .ended = state { assert(commands.isEmpty, "a command waits after the end") }
  }

  func ageMs(_ now: MonotonicTime) -> Int { state == .waiting ? 0 : now.milliseconds(since: openedAt) }
}
