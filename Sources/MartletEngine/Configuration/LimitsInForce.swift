import MartletValues
import Synchronization

/// The limits that an engine takes anew while it runs, as they are now.
///
/// Always true: nobody sees a part of a change; what has begun goes on under the limits that it began with.
final class LimitsInForce: Sendable {
  private let limits: Mutex<ServingLimits>

  init(_ limits: Limits) { self.limits = Mutex(ServingLimits(limits)) }

  var current: ServingLimits { limits.withLock { $0 } }

  func replace(with changed: ServingLimits) { limits.withLock { $0 = changed } }
}
