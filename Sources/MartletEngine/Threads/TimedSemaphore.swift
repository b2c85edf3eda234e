package import Dispatch

/// A semaphore that threads wait at, also for a limited time.
///
/// Always true: that time is the machine's monotonic one. Dispatch's semaphores measure it on Linux with the clock of
/// the day, which somebody may set meanwhile.
package final class TimedSemaphore: Sendable {
  private let count: Monitor<Int>

  package init(value: Int = 0) { count = Monitor(value) }

  package func signal() { count.change { $0 += 1 } }

  package func wait() {
    count.wait { count -> Monitor<Int>.Look<Void> in
      guard count > 0 else { return .wait(nanoseconds: nil) }
      count -= 1
      return .found(())
    }
  }

  /// False if no signal has come by `deadline`.
  package func wait(by deadline: DispatchTime) -> Bool {
    count.wait { count -> Monitor<Int>.Look<Bool> in
      if count > 0 {
        count -= 1
        return .found(true)
      }
      let now = DispatchTime.now()
      return now < deadline
        ? .wait(nanoseconds: deadline.uptimeNanoseconds - now.uptimeNanoseconds) : .found(false)
    }
  }
}
