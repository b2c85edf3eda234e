import MartletValues

/// The life of one interactive transaction: whose turn it is, what runs next, and when the engine takes it back.
///
///     waiting ──▶ open ──▶ ended
///        └──────────────────▲
///
/// A command may be under way and not here yet: in the owner's socket while its loop is busy, or on the thread that
/// plans long statements. So silence ends a transaction only after its owner has been listened to.
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

  /// What a look at the time says.
  enum Tick: Equatable {
    /// The transaction has been silent for as long as it may: hear what its owner has sent, then tell `ownerHeard`
    /// that number.
    case listen(UInt64)
    case end(TransactionEnd)
  }

  /// Whether the owner of a silent transaction has been listened to.
  private enum Hearing: Equatable {
    case notAsked
    case asked
    case heard
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
  /// A command of the owner is still being planned.
  private var isPlanning = false
  private var hearing = Hearing.notAsked
  /// Counts how often the owner has been listened to, so that an answer is to the question that waits for one.
  private var question: UInt64 = 0
  private var openedAt = MonotonicTime(nanoseconds: 0)
  private var idleSince = MonotonicTime(nanoseconds: 0)
  /// How many others wait for the writer, and since when there has always been one.
  private var waiters = 0
  private(set) var contendedSince: MonotonicTime?
  /// How long others will wait after its end for what it has written.
  private var owedMs = 0

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
    hearing = .notAsked
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

  /// `owed`: nanoseconds for which others will wait after its end for what it has written so far.
  mutating func commandFinished(_ now: MonotonicTime, owed: UInt64 = 0) {
    defer { invariant() }
    assert(isRunning || state != .open, "a command that ends without having begun")
    isRunning = false
    isPaused = false
    owedMs = Int(clamping: owed / 1_000_000)
    rests(now)
  }

  /// A running command waits for its owner to take rows: that is idle time too.
  mutating func commandPaused(_ now: MonotonicTime) {
    assert(isRunning || state != .open, "a pause of nothing")
    rests(now)
    isPaused = true
  }

  mutating func commandResumed() { isPaused = false }

  /// The owner has sent a command that has to be planned before it arrives.
  mutating func planningBegan() { isPlanning = true }

  /// What was planned has arrived, or was refused.
  mutating func planningEnded(_ now: MonotonicTime) {
    isPlanning = false
    rests(now)
  }

  /// From now on the owner is waited for.
  private mutating func rests(_ now: MonotonicTime) {
    idleSince = now
    hearing = .notAsked
  }

  /// Whatever the owner had sent when it was asked for with `number` has arrived.
  mutating func ownerHeard(_ number: UInt64) {
    if hearing == .asked, number == question { hearing = .heard }
  }

  /// What has to be done now; nil while the transaction may go on.
  mutating func ticked(_ now: MonotonicTime) -> Tick? {
    guard state == .open else { return nil }
    if let end = timeEnd(now) { return .end(end) }
    guard isIdle, let end = silenceEnd(now) else {
      // Nobody waits any more, for example.
      if hearing == .heard { hearing = .notAsked }
      return nil
    }
    switch hearing {
    case .notAsked:
      hearing = .asked
      question &+= 1
      return .listen(question)
    case .asked: return nil
    case .heard: return .end(end)
    }
  }

  /// Why a transaction that has been open for so long ends, whatever its owner does; nil while it may go on.
  func timeEnd(_ now: MonotonicTime) -> TransactionEnd? {
    guard state == .open else { return nil }
    if now >= openedAt.advanced(milliseconds: totalMs) {
      return isBoundByQuota ? .openBeyondQuota(ms: totalMs) : .openTooLong
    }
    return now >= contendedEnd ? .openWhileOthersWaited : nil
  }

  private func silenceEnd(_ now: MonotonicTime) -> TransactionEnd? {
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

  /// How long others may wait for a transaction: what they will wait for its commit and for the copy of its part of
  /// the log is of that time, but never all of it.
  static func patienceMs(_ limits: Limits, owedMs: Int) -> Int {
    let whole = limits.transactionContendedTotalMs
    return whole - min(max(0, owedMs), whole / EngineLimits.owedDivisor)
  }

  private var contendedEnd: MonotonicTime {
    contendedSince?.advanced(milliseconds: Self.patienceMs(limits, owedMs: owedMs)) ?? .distantFuture
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
  private var isIdle: Bool { isPaused || (!isRunning && !isPlanning && commands.isEmpty) }

  /// When `ticked` may next have something to say.
  var nextDeadline: MonotonicTime {
    guard state == .open else { return .distantFuture }
    let total = min(openedAt.advanced(milliseconds: totalMs), contendedEnd)
    if !isIdle || hearing == .asked { return total }
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
