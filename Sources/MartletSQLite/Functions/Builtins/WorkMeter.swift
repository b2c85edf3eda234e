/// Counts the work of one call of a function, and says when the call must end.
///
/// Always true: between two looks at deadline, budget and cancellation lie at most a few thousand bytes of work; what a
/// short call did is counted as well, so that many of them end like a long one.
struct WorkMeter {
  private let limiter: ExecutionLimiter
  private var bytes = 0

  init(_ limiter: ExecutionLimiter) { self.limiter = limiter }

  /// About `count` bytes were read or written.
  @inline(__always)
  mutating func spend(_ count: Int) throws(WorkStopped) {
    bytes &+= count
    if bytes >= SQLiteLimits.workLookBytes { try look() }
  }

  @inline(never)
  private mutating func look() throws(WorkStopped) {
    let spent = bytes
    bytes = 0
    if limiter.charge(bytes: spent) { throw WorkStopped() }
  }

  /// The call ends well; what is left is counted.
  func finish() {
    // The statement's next step asks the limiter by itself.
    if bytes >= SQLiteLimits.bytesPerStep { _ = limiter.charge(bytes: bytes) }
  }
}

/// The statement's limiter wants the call to end.
struct WorkStopped: Error {}
