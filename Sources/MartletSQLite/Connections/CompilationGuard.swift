import Foundation

/// Ends the compilation of a statement that takes too long, which SQLite itself cannot be told to.
///
/// A few hundred bytes can keep SQLite compiling for minutes: common tables and views that name each other twice double
/// what is compiled with each level, and the planner tries orders of up to 64 tables. SQLite allocates memory all the
/// while, and gives up cleanly where there is none; so that is what it is told.
///
/// Always true: only allocations on the thread that compiles are refused, and only until `end`; what is measured
/// is the thread's own time, so a machine that is busy refuses nobody.
final class CompilationGuard {
  /// Allocations between two looks at the clock.
  private static let lookEvery = 8

  /// `Int.max` for no bound.
  private let microsecondsMax: Int
  // Unowned because the connection owns both, and neither is asked when it is gone.
  private unowned let limiter: ExecutionLimiter
  private var until = UInt64.max
  private var left = lookEvery
  private var isActive = false
  /// What was watched on the thread before.
  private var outer: UnsafeMutableRawPointer?

  /// The compilation that ran last was ended.
  private(set) var hasEnded = false
  /// Because its statement's deadline passed or it was cancelled; the limiter knows which.
  private(set) var isStopped = false

  init(microsecondsMax: Int, limiter: ExecutionLimiter) {
    self.microsecondsMax = microsecondsMax
    self.limiter = limiter
  }

  /// Watches what `body` compiles on this thread.
  func watch<Result>(_ body: () -> Result) -> Result {
    begin()
    defer { end() }
    return body()
  }

  /// From here on to `end`, what this thread compiles is watched.
  func begin() {
    guard !isActive else { return }
    isActive = true
    hasEnded = false
    isStopped = false
    left = Self.lookEvery
    until = microsecondsMax == .max ? .max : Self.threadTime &+ UInt64(max(0, microsecondsMax)) &* 1_000
    outer = ProcessMemory.beginCompiling(under: self)
  }

  func end() {
    guard isActive else { return }
    isActive = false
    ProcessMemory.endCompiling(outer)
  }

  /// Asked at each allocation.
  func mustEnd() -> Bool {
    if hasEnded { return true }
    left -= 1
    guard left <= 0 else { return false }
    left = Self.lookEvery
    isStopped = limiter.isOver
    hasEnded = isStopped || (until != .max && Self.threadTime >= until)
    return hasEnded
  }

  /// Nanoseconds that this thread has run.
  static var threadTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
