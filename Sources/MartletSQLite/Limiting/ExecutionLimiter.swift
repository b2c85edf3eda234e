import CSQLite
public import Synchronization

/// Ends a statement that has run for too many steps, beyond its deadline, with too much memory, or that its owner
/// cancelled.
///
/// Always true: while it is not armed it stops nothing, whatever stopped before; `stop` tells why the last armed
/// statement was ended (nil: it was not). SQLite asks it every `period` virtual-machine steps, so it is at most that
/// many steps late.
public final class ExecutionLimiter {
  /// Why a statement was ended before its own end.
  public enum Stop: Sendable, Equatable {
    case budget
    case deadline
    case cancelled
    /// It holds more memory than it may.
    case memory
    /// Other reads need the statement's place.
    case displaced
  }

  /// Why the last armed statement was ended; nil if it was not.
  package private(set) var stop: Stop?

  /// SQLite was told to end what runs, and goes on being told so until the statement has ended: it may still return the
  /// row that it was at, and nothing after it.
  package var hasToldToEnd: Bool { pages.pagesLeft != nil }

  /// Why what is armed was interrupted: what ended it here, or its deadline if that has passed and somebody outside
  /// ended it.
  package var interruption: Stop? { stop ?? (isArmed && clock() >= deadline ? .deadline : nil) }

  private let usualPeriod: Int
  private var period: Int
  private let clock: @Sendable () -> UInt64
  /// SQLite counts the steps of a prepared statement across its runs, so even `BEGIN` asks now and then; ending it then
  /// would leave a transaction open that its owner does not know of.
  private(set) var isArmed = false
  /// Steps until the budget is used up, `Int.max` without one; for a statement that goes on later. Steps and not looks,
  /// because how many steps come between two looks may change while it is armed.
  package private(set) var stepsLeft = Int.max
  private var deadline = UInt64.max
  private var cancellation: (any CancellationSource)?
  /// The work that functions did since the last look, counted in steps.
  private var chargedSteps = 0
  private var pacer: (any StatementPacer)?
  private var memory: StatementMemory?

  var pages = PageLooks()
  private(set) var isAlone = false
  /// The connection that the limiter was installed on.
  private(set) var connection: OpaquePointer?
  /// The length of the pages of its database.
  var pageBytes = 0

  /// What watches statements that SQLite compiles anew; they are over when the limiter is disarmed.
  var recompilation: CompilationGuard?

  /// Stands in for a fault in tests: true ends whatever runs, armed or not, and nothing says why.
  package var fault: (@Sendable () -> Bool)?

  init(period: Int, clock: @escaping @Sendable () -> UInt64) {
    usualPeriod = max(1, period)
    self.period = usualPeriod
    self.clock = clock
  }

  /// Begins to watch what runs on the connection from here on. The deadline is in the clock's nanoseconds; `steps` is
  /// the budget, and two periods more are granted, since SQLite counts across runs of a statement; `stepsLeft` is what
  /// was left of it when the statement was left.
  ///
  /// What SQLite takes for it on this thread counts for `memory`, so it is disarmed on the same thread. `isAlone`: no
  /// other statement of the connection has begun, but those that SQLite runs within this one.
  package func arm(
    deadlineNanoseconds: UInt64 = .max, steps: Int = .max, stepsLeft: Int? = nil,
    cancellation: (any CancellationSource)? = nil, pacer: (any StatementPacer)? = nil, memory: StatementMemory? = nil,
    isAlone: Bool = false
  ) {
    stop = nil
    self.isAlone = isAlone
    isArmed = true
    ProcessMemory.beginLooking(with: self)
    pages = PageLooks()
    deadline = deadlineNanoseconds
    self.stepsLeft = stepsLeft ?? (steps >= .max - 2 * usualPeriod ? .max : steps + 2 * usualPeriod)
    if let memory {
      self.memory = memory
      ProcessMemory.beginMetering(memory)
    }
    if self.cancellation !== cancellation { self.cancellation = cancellation }
    if self.pacer !== pacer { self.pacer = pacer }
  }

  /// Watches nothing from here on; `stop` stays readable until it is armed again.
  package func disarm() {
    isArmed = false
    ProcessMemory.endLooking(with: self)
    recompilation?.end()
    deadline = .max
    stepsLeft = .max
    if cancellation != nil { cancellation = nil }
    if pacer != nil { pacer = nil }
    if memory != nil {
      ProcessMemory.endMetering()
      memory = nil
    }
  }

  /// Stops watching while the connection's owner runs a statement of its own, which nobody may end; returns what to
  /// hand to `resume`.
  package func suspend() -> Bool {
    defer { isArmed = false }
    recompilation?.end()
    if memory != nil { ProcessMemory.endMetering() }
    return isArmed
  }

  package func resume(_ wasArmed: Bool) {
    isArmed = wasArmed
    if let memory { ProcessMemory.beginMetering(memory) }
  }

  /// Sets how often the limiter looks: more often if one step of the statement may take long. Called with no statement
  /// running, before `arm` or after it.
  func expect(_ pace: StatementPace, on connection: OpaquePointer) {
    let wanted = pace == .ordinary ? usualPeriod : min(usualPeriod, SQLiteLimits.slowLookSteps)
    guard period != wanted else { return }
    period = wanted
    install(on: connection)
  }

  func install(on connection: OpaquePointer) {
    self.connection = connection
    // Unretained because the connection owns the limiter and removes the handler before it lets go of it.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      connection, Int32(clamping: period),
      { context in
        guard let context else { return 0 }
        // Unretained because the connection that calls owns the limiter.
        return Unmanaged<ExecutionLimiter>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
      }, context)
  }

  /// The connection is about to close.
  func remove(from connection: OpaquePointer) {
    isArmed = false
    ProcessMemory.endLooking(with: self)
    self.connection = nil
    sqlite3_progress_handler(connection, 0, nil, nil)
  }

  /// Counts what a function does inside one step, which SQLite itself cannot look into. True if the statement must
  /// end; the function then fails with `SQLITE_INTERRUPT`.
  func charge(bytes: Int) -> Bool {
    chargedSteps &+= bytes / SQLiteLimits.bytesPerStep
    guard chargedSteps >= period else { return false }
    let rest = chargedSteps % period
    // One period of them counts as the look that follows.
    if stepsLeft != .max { stepsLeft -= min(chargedSteps - rest - period, stepsLeft) }
    chargedSteps = rest
    return shouldStop()
  }

  /// Whether what is armed was cancelled or is late. Parks no thread, and may be asked at any time.
  package var isOver: Bool {
    guard isArmed else { return false }
    if let overdue { stop = overdue }
    return stop == .cancelled || stop == .deadline
  }

  /// The same, and nothing is made of it.
  var overdue: Stop? {
    if let cancellation, cancellation.isCancelled { return .cancelled }
    return deadline != .max && clock() >= deadline ? .deadline : nil
  }

  func compilesLong() { pacer?.compilesLong() }

  private func shouldStop() -> Bool {
    recompilation?.statementAsks()
    guard isArmed else { return fault?() ?? false }
    if let fault, fault() { return true }
    let isOver = mustStop()
    guard !isOver, stepsLeft != .max else { return isOver }
    stepsLeft -= min(period, stepsLeft)
    if stepsLeft == 0 { stop = .budget }
    return stop != nil
  }

  /// Whether what is armed was cancelled, is late, or must make place; may park the thread.
  func mustStop() -> Bool {
    // This comes first, because a statement that waited here may be cancelled or late by now.
    let isDisplaced = pacer?.mustEnd() ?? false
    if let cancellation, cancellation.isCancelled {
      stop = .cancelled
    } else if deadline != .max, clock() >= deadline {
      stop = .deadline
    } else if let memory, memory.look(at: ProcessMemory.blocks, pageBytes: pageBytes, cachedBytes: cachedBytes) {
      stop = .memory
    } else if isDisplaced, stop == nil {
      stop = .displaced
    }
    return stop != nil
  }

  /// What the connection's page caches hold.
  private func cachedBytes() -> Int {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_USED, &current, &highest, 0)
    return Int(current)
  }
}

/// Says whether a running statement is to end; asked on the statement's thread.
public protocol CancellationSource: AnyObject, Sendable {
  /// A cheap load; once true it stays true.
  var isCancelled: Bool { get }
}

/// A request to end a statement, which any thread may make.
public final class CancellationFlag: CancellationSource {
  @usableFromInline let flag = Atomic<Bool>(false)

  package init() {}

  package func cancel() { flag.store(true, ordering: .releasing) }

  @inlinable
  public var isCancelled: Bool { flag.load(ordering: .acquiring) }
}

/// Shares out time among statements; asked on the statement's thread, again and again.
public protocol StatementPacer: AnyObject, Sendable {
  /// May block the thread while others have their turn. True: the statement has to end, with `Stop.displaced`.
  func mustEnd() -> Bool
  /// The statement takes longer to be compiled than a moment, and `mustEnd` is not asked until that is done. Told again
  /// and again meanwhile, within an allocation of SQLite's; so it blocks nothing.
  func compilesLong()
}
