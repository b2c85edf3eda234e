import MartletValues
import Synchronization

/// The limits that an engine takes anew while it runs, as they are now.
///
/// Always true: nobody sees a part of a change; what has begun goes on under the limits that it began with.
final class LimitsInForce: Sendable {
  private let limits: Mutex<ServingLimits>

  /// The same limit by itself: it is asked for with each write, and threads that ask at once would wait for each other.
  private let writeTime: Atomic<Int>

  init(_ limits: Limits) {
    self.limits = Mutex(ServingLimits(limits))
    writeTime = Atomic(limits.writeTimeMaxMs)
  }

  var current: ServingLimits { limits.withLock { $0 } }

  var writeTimeMaxMs: Int { writeTime.load(ordering: .relaxed) }

  func replace(with changed: ServingLimits) {
    limits.withLock { limits in
      limits = changed
      writeTime.store(changed.writeTimeMaxMs, ordering: .relaxed)
    }
  }
}
