import Foundation

/// State behind a lock, and a place to wait until it has changed or a moment has come.
///
/// Always true: the state is touched only with the lock held; waits are measured on the machine's monotonic clock, so a
/// change of the time of day neither shortens nor prolongs them.
// Unchecked because the state, and the C primitives beside it, are only reached through the lock.
package final class Monitor<State>: @unchecked Sendable {
  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var waiters = 0

  package init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    #if os(Linux)
      // Most often held for a microsecond or two. To look a few times more is then cheaper than to sleep and be woken;
      // whoever still waits sleeps.
      var kind = pthread_mutexattr_t()
      pthread_mutexattr_init(&kind)
      pthread_mutexattr_settype(&kind, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
      pthread_mutex_init(mutex, &kind)
      pthread_mutexattr_destroy(&kind)
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #else
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Changes the state without telling anybody.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Changes the state and wakes the threads that wait for that.
  package func change<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    var isAwaited = false
    defer { unlock(isAwaited) }
    let result = try body(&state)
    isAwaited = waiters > 0
    return result
  }

  /// The same if nobody has the lock now; nil otherwise.
  package func tryChange<Result>(_ body: (inout State) -> Result) -> Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    var isAwaited = false
    defer { unlock(isAwaited) }
    let result = body(&state)
    isAwaited = waiters > 0
    return result
  }

  /// Signals after the lock is free, or else a thread that wakes would wait for it at once. Without a waiter the signal
  /// would be a system call for nothing.
  private func unlock(_ isAwaited: Bool) {
    pthread_mutex_unlock(mutex)
    if isAwaited { pthread_cond_broadcast(condition) }
  }

  /// Looks at the state or changes it, and wakes the threads that wait if `body` says that there is news for them.
  package func withLock<Result>(tellingNews body: (inout State, _ isNews: inout Bool) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    var isNews = false
    defer { unlock(isNews && waiters > 0) }
    return body(&state, &isNews)
  }

  /// What a look at the state found, or how long to wait for the next one.
  package enum Look<Result> {
    case found(Result)
    /// The look has also changed something that others may wait for.
    case foundNews(Result)
    /// Look again when the state has changed, or after `nanoseconds`.
    case wait(nanoseconds: UInt64?)
  }

  /// Looks at the state until the look finds something; `body` runs with the lock held.
  package func wait<Result>(_ body: (inout State) -> Look<Result>) -> Result {
    pthread_mutex_lock(mutex)
    var isAwaited = false
    defer { unlock(isAwaited) }
    while true {
      switch body(&state) {
      case .found(let result): return result
      case .foundNews(let result):
        isAwaited = waiters > 0
        return result
      case .wait(let nanoseconds):
        waiters += 1
        sleep(nanoseconds)
        waiters -= 1
      }
    }
  }

  private func sleep(_ nanoseconds: UInt64?) {
    guard let nanoseconds else {
      pthread_cond_wait(condition, mutex)
      return
    }
    var time = timespec()
    #if os(Linux)
      clock_gettime(CLOCK_MONOTONIC, &time)
      let capped = min(nanoseconds, EngineLimits.waitNsMax)
      let total = UInt64(time.tv_nsec) &+ capped
      time.tv_sec += Int(total / 1_000_000_000)
      time.tv_nsec = Int(total % 1_000_000_000)
      pthread_cond_timedwait(condition, mutex, &time)
    #else
      time.tv_sec = Int(min(nanoseconds, EngineLimits.waitNsMax) / 1_000_000_000)
      time.tv_nsec = Int(nanoseconds % 1_000_000_000)
      pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #endif
  }
}
