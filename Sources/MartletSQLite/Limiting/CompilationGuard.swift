import CSQLite
import Foundation

/// Ends the compilation of a statement if it takes too long. SQLite has no means of its own for that.
///
/// A few hundred bytes can keep SQLite compiling for minutes: common tables and views that name each other twice double
/// what is compiled with each level, and the planner tries orders of up to 64 tables. SQLite allocates memory all the
/// while, and gives up cleanly if there is none. So the guard refuses it memory.
///
/// Always true: only allocations on the thread that compiles are refused, and only until `end`; what is measured is the
/// thread's own time, so a busy machine ends no compilation. On a virtual machine that time holds what other machines
/// took, so a compilation of few allocations is short whatever the clock says.
final class CompilationGuard {
  /// `Int.max` for no bound.
  private let microsecondsMax: Int
  private let shortAllocations: Int
  // Unowned because the connection owns both, and neither is asked when it is gone.
  private unowned let limiter: ExecutionLimiter
  /// The connection's; unowned like the limiter.
  private let handle: OpaquePointer
  private var wasInTransaction = false
  private var until = UInt64.max
  /// From then on others need not wait for it.
  private var longFrom = UInt64.max
  private var left = SQLiteLimits.allocationsPerLook
  /// Allocations as of the last look.
  private var seen = 0
  private var isActive = false
  private var isClosed = false
  /// SQLite compiles by itself, within a step. The statement that runs afterwards is not watched.
  private var isWithinStep = false
  /// A virtual table that a running statement uses compiles a statement of its own.
  private var isOfVirtualTable = false
  /// What was watched on the thread before.
  private var outer: UnsafeMutableRawPointer?

  /// The compilation that ran last was ended.
  private(set) var hasEnded = false
  /// A compilation within a step was ended, and nobody has taken note of it yet.
  private var hasEndedWithinStep = false
  /// The same for a virtual table's own; known until the watching ends.
  private var hasEndedVirtualTable = false
  /// The compilation was ended because its statement's deadline passed or it was cancelled; the limiter knows which.
  private(set) var isStopped = false

  init(microsecondsMax: Int, shortAllocations: Int, limiter: ExecutionLimiter, handle: OpaquePointer) {
    self.microsecondsMax = microsecondsMax
    self.shortAllocations = shortAllocations
    self.handle = handle
    self.limiter = limiter
  }

  /// Watches what `body` compiles on this thread.
  func watch<Result>(_ body: () -> Result) -> Result {
    begin()
    defer { end() }
    return body()
  }

  /// The same for a statement that is compiled once more, to look at it: if that was ended, it is nobody's concern
  /// later. It took less than its time before, so it has twice as much, or some would be refused by chance.
  func watchAside<Result>(_ body: () -> Result) -> Result {
    begin(factor: 2)
    defer {
      end()
      (hasEnded, isStopped) = (false, false)
    }
    return body()
  }

  /// SQLite compiles within a step: a statement anew, because the schema has changed, or, if a statement runs already,
  /// one of a virtual table's own. The watching ends at the latest when the limiter is disarmed, on the same thread.
  ///
  /// A virtual table's own may take as long as any other: a full-text table may have a view for its content, and
  /// `pragma_table_list` compiles each view of the schema.
  func beginWithinStep() {
    guard limiter.isArmed else { return }
    guard limiter.hasRunningStatement else { return begin(withinStep: true) }
    if isWithinStep { end() }
    guard !isActive else { return }
    begin()
    isOfVirtualTable = true
  }

  /// A statement takes steps, so what a virtual table needs for that has been compiled.
  func statementAsks() {
    if isOfVirtualTable { end() }
  }

  private func begin(withinStep: Bool = false, factor: UInt64 = 1) {
    guard !isActive else { return }
    isActive = true
    isWithinStep = withinStep
    hasEnded = false
    hasEndedWithinStep = false
    isStopped = false
    wasInTransaction = sqlite3_get_autocommit(handle) == 0
    left = SQLiteLimits.allocationsPerLook
    seen = 0
    let now = Self.threadTime
    until = microsecondsMax == .max ? .max : now &+ UInt64(max(0, microsecondsMax)) &* 1_000 &* factor
    longFrom = now &+ SQLiteLimits.longCompilationNs
    outer = ProcessMemory.beginCompiling(under: self)
  }

  func end() {
    guard isActive else { return }
    isActive = false
    isWithinStep = false
    isOfVirtualTable = false
    hasEndedVirtualTable = false
    ProcessMemory.endCompiling(under: self, outer)
  }

  /// Whether the step that has just failed lacks memory because of this. True only once for each end, since memory may
  /// be short for other reasons later.
  func takeEndWithinStep() -> Bool {
    defer { hasEndedWithinStep = false }
    return hasEndedWithinStep
  }

  /// The same for what a virtual table compiles: the statement that uses it cannot go on.
  func takeEndOfVirtualTable() -> Bool {
    guard hasEndedVirtualTable else { return false }
    end()
    return true
  }

  /// A transaction was open when the compilation began, and is gone. SQLite rolls all of it back if memory is refused
  /// while it reads the schema; whatever ran next would commit by itself.
  var hasLostTransaction: Bool { wasInTransaction && sqlite3_get_autocommit(handle) != 0 }

  /// The connection is about to go: nothing that runs later is its compilation.
  func close() {
    isClosed = true
    end()
  }

  /// Asked at each allocation.
  func mustEnd() -> Bool {
    if isClosed { return false }
    if hasEnded { return true }
    left -= 1
    guard left <= 0 else { return false }
    left = SQLiteLimits.allocationsPerLook
    seen &+= SQLiteLimits.allocationsPerLook
    if isWithinStep && limiter.hasRunningStatement || isOfVirtualTable && !limiter.isCompiling {
      end()
      return false
    }
    // Who is asked here may take it for a sign that the statement is not over in a moment.
    guard seen >= shortAllocations else { return false }
    isStopped = limiter.isOver
    hasEnded = isStopped || isTooLong()
    hasEndedWithinStep = hasEnded && isWithinStep
    hasEndedVirtualTable = hasEnded && isOfVirtualTable
    return hasEnded
  }

  private func isTooLong() -> Bool {
    let now = Self.threadTime
    if now >= until { return true }
    if now >= longFrom { limiter.compilesLong() }
    return false
  }

  /// Nanoseconds that this thread has run.
  static var threadTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
