import Dispatch
import Foundation
import MartletThreads
import MartletValues
import Synchronization

/// The threads on which reads of the pool run, shared by all databases of an engine: as many run as there are slots,
/// and those that are parked keep theirs.
///
/// Always true: who runs is decided by `TimeShares`; there are at most as many threads as slots and seats for heavy
/// reads together. Their stacks are large enough for SQLite's deepest expressions.
final class WorkerThreads: Sendable {
  /// One thread, and what wakes it.
  // Unchecked because `turn` is written while the thread waits, and its semaphore orders that; the rest is its own.
  final class Worker: @unchecked Sendable {
    /// Wakes the thread if its turn is parked, and there is a slot for it.
    let wake = TimedSemaphore()
    /// Wakes the thread if it is idle: it has a turn, or is to end. Dispatch's costs two system calls less for each
    /// turn, and nobody waits at it for a limited time.
    fileprivate let turnCame = DispatchSemaphore(value: 0)
    fileprivate(set) var turn: Turn?
    /// The thread's niceness. A thread cannot go back, so one with any niceness ends after its read.
    private let niceness = Atomic<Int32>(0)
    /// The system's number of the thread; 0 before it runs.
    private let thread = Atomic<Int32>(0)

    var hasYielded: Bool { niceness.load(ordering: .relaxed) > 0 }

    /// Called on the thread when it begins.
    fileprivate func begins() { thread.store(ThreadPriority.ownNumber, ordering: .relaxed) }

    /// Heavy reads run behind event loops and writers.
    func yieldsToOthers() { become(ThreadPriority.behind) }

    /// From another thread: it is in a step that does not come back, beside those that have a slot, so it runs behind
    /// all others.
    func wentAstray() { become(ThreadPriority.last) }

    private func become(_ nicer: Int32) {
      guard niceness.exchange(nicer, ordering: .relaxed) < nicer else { return }
      let number = thread.load(ordering: .relaxed)
      if number > 0 { ThreadPriority.set(nicer, ofThread: number) }
    }
  }

  private struct State {
    var shares: TimeShares
    var turns: [UInt64: Turn] = [:]
    var idle: [Worker] = []
    var threads = 0
    var isStopping = false
    var actions: [TimeShares.Action] = []
  }

  /// The workers that have got a turn. They are told when the lock is free, because they take it soon.
  private struct Granted {
    /// Threads that do not run yet.
    var new: [Worker] = []
    var idle: [Worker] = []
  }

  let rules: TimeShares.Rules
  /// The machine's own, because the machine's time is shared out.
  let clock: @Sendable () -> UInt64
  /// What paused streams may keep in memory, of all databases together.
  let copies: ByteBudget
  // Not a `Mutex`, which calls the kernel as soon as two threads meet, and this is most often held for less than that.
  private let state: Monitor<State>
  private let waiting = Atomic<UInt8>(0)
  private let stopped = DispatchSemaphore(value: 0)
  private let label: String

  init(
    count: Int, heavyMax: Int, label: String, copiesBytesMax: Int,
    clock: @escaping @Sendable () -> UInt64 = { EngineConfiguration.systemClock().nanoseconds }
  ) {
    rules = TimeShares.Rules(slots: max(1, count), heavyMax: max(1, heavyMax))
    self.label = label
    self.clock = clock
    copies = ByteBudget(bytesMax: copiesBytesMax)
    state = Monitor(State(shares: TimeShares(rules: rules)))
  }

  /// Which reads wait for a slot; a cheap load.
  var pressure: TimeShares.Pressure { TimeShares.Pressure(rawValue: waiting.load(ordering: .relaxed)) ?? .none }

  // MARK: - Events

  func submit(_ turn: Turn) {
    change { shares, now, actions, turns in
      let id = shares.arrived(turn.share, pace: turn.pace, now: now, &actions)
      turn.id.store(id, ordering: .relaxed)
      turns[id] = turn
    }
  }

  /// The turn's statement must end: wakes the read if it is parked, and lets it go first if it waits.
  func stop(_ turn: Turn) {
    change { shares, now, actions, _ in
      shares.stopped(turn.id.load(ordering: .relaxed), now: now, &actions)
    }
  }

  func sliceEnded(_ turn: Turn, isUndoable: Bool, isLeaseWanted: Bool, now: UInt64) -> TimeShares.Verdict {
    var verdict = TimeShares.Verdict.goOn
    change { shares, _, actions, _ in
      verdict = shares.sliceEnded(
        turn.id.load(ordering: .relaxed), isUndoable: isUndoable, isLeaseWanted: isLeaseWanted, now: now, &actions)
    }
    return verdict
  }

  /// Other reads wait no more for this one, whose statement is being compiled and cannot ask. False if they do.
  func compilesLong(_ turn: Turn) -> Bool {
    var isAstray = false
    change { shares, now, actions, _ in
      isAstray = shares.wentAstray(turn.id.load(ordering: .relaxed), now: now, &actions)
    }
    return isAstray
  }

  /// Other reads wait no more for the reads that have not asked since the last call. For the watchdog.
  func look(at seen: inout [UInt64: UInt64]) {
    guard pressure != .none else { return seen.removeAll(keepingCapacity: true) }
    change { shares, now, actions, turns in
      var present: [UInt64: UInt64] = [:]
      for (id, turn) in turns where shares.takesSlot(id) {
        let beats = turn.beats.load(ordering: .relaxed)
        if seen[id] == beats {
          shares.wentAstray(id, now: now, &actions)
          turn.wentAstray()
        }
        present[id] = beats
      }
      seen = present
    }
  }

  private func change(
    _ event: (inout TimeShares, UInt64, inout [TimeShares.Action], inout [UInt64: Turn]) -> Void
  ) {
    let now = clock()
    let granted = state.withLock { state -> Granted in
      event(&state.shares, now, &state.actions, &state.turns)
      var granted = Granted()
      perform(in: &state, &granted)
      return granted
    }
    tell(granted)
  }

  private func tell(_ granted: Granted) {
    for worker in granted.idle { worker.turnCame.signal() }
    for worker in granted.new { start(worker) }
  }

  /// Chooses who runs. Returns the turn that the calling thread takes itself, if it is free.
  @discardableResult
  private func perform(in state: inout State, _ granted: inout Granted, isFree: Bool = false) -> Turn? {
    var own: Turn?
    for action in state.actions {
      switch action {
      case .resume(let id): state.turns[id]?.wake()
      case .start(let id):
        guard let turn = state.turns[id] else { continue }
        if isFree, own == nil {
          own = turn
        } else if let worker = state.idle.popLast() {
          worker.turn = turn
          granted.idle.append(worker)
        } else {
          let worker = Worker()
          worker.turn = turn
          state.threads += 1
          granted.new.append(worker)
        }
      }
    }
    state.actions.removeAll(keepingCapacity: true)
    waiting.store(state.shares.pressure.rawValue, ordering: .relaxed)
    return own
  }

  // MARK: - The threads

  private func start(_ worker: Worker) {
    ThreadStarter.shared.start(named: label) { [self] in work(worker) }
  }

  private func work(_ worker: Worker) {
    worker.begins()
    while true {
      // Whoever waits here has let go of the last read, with all that it holds.
      switch carryOut(on: worker) {
      case .goesOn: continue
      case .waits: if !waits(worker) { return }
      case .ends(let isLast):
        if isLast { stopped.signal() }
        return
      }
    }
  }

  private enum Ending {
    /// The worker has a turn again.
    case goesOn
    case waits
    case ends(isLast: Bool)
  }

  /// Runs the worker's turn.
  private func carryOut(on worker: Worker) -> Ending {
    guard let turn = worker.turn else { return .waits }
    turn.granted(on: worker)
    let next = turn.job(turn)
    if next == .again { turn.left() }
    return ended(turn, next, on: worker)
  }

  private func ended(_ turn: Turn, _ next: Turn.Next, on worker: Worker) -> Ending {
    let now = clock()
    worker.turn = nil
    var granted = Granted()
    let (own, ending) = state.withLock { state -> (Turn?, Ending) in
      let id = turn.id.load(ordering: .relaxed)
      let isStopping = state.shares.isStopping(id)
      state.shares.left(id, now: now, &state.actions)
      state.turns[id] = nil
      if next == .again {
        let id = state.shares.arrived(turn.share, pace: turn.pace, now: now, &state.actions)
        turn.id.store(id, ordering: .relaxed)
        state.turns[id] = turn
        if isStopping { state.shares.stopped(id, now: now, &state.actions) }
      }
      let own = perform(in: &state, &granted, isFree: !worker.hasYielded)
      if own != nil { return (own, .goesOn) }
      if worker.hasYielded || state.isStopping || state.idle.count >= rules.slots {
        state.threads -= 1
        return (nil, .ends(isLast: state.isStopping && state.threads == 0))
      }
      state.idle.append(worker)
      return (nil, .waits)
    }
    tell(granted)
    if let own { worker.turn = own }
    return ending
  }

  /// Waits for the next turn, which the worker has then. False if the thread is to end.
  private func waits(_ worker: Worker) -> Bool {
    worker.turnCame.wait()
    if worker.turn != nil { return true }
    if state.withLock({ state in
      state.threads -= 1
      return state.threads == 0
    }) {
      stopped.signal()
    }
    return false
  }

  /// Runs what was submitted to its end and stops the threads. Blocks until they have stopped.
  func stop() {
    let (idle, isDone) = state.withLock { state -> ([Worker], Bool) in
      state.isStopping = true
      defer { state.idle = [] }
      return (state.idle, state.threads == 0)
    }
    if isDone { return }
    for worker in idle { worker.turnCame.signal() }
    stopped.wait()
  }

  /// What runs on although its deadline has passed by `ms`, with the database's number and the turn's. What can be
  /// ended from outside is ended.
  func overdue(byMs ms: Int, now: MonotonicTime) -> [(database: Int, turn: UInt64, shape: ShapeID, ms: Int)] {
    state.withLock { $0.turns.map { ($0.key, $0.value) } }.compactMap { id, turn in
      guard let running = turn.watch.running, running.deadline.advanced(milliseconds: ms) < now else { return nil }
      turn.watch.endOverdue(byMs: ms, now: now)
      return (turn.share.database, id, running.shape, now.milliseconds(since: running.deadline))
    }
  }

  // MARK: - For tests

  /// Threads that there are now.
  var threadCount: Int { state.withLock { $0.threads } }
  var parkedCount: Int { state.withLock { $0.shares.parkedCount } }
}
