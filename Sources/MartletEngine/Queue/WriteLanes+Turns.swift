import MartletValues

/// What a turn of the writer is, and what it took.
extension WriteLanes {
  enum Turn {
    /// Nothing may run before that moment, unless something arrives.
    case idle(until: MonotonicTime)
    case group([Job])
    case exclusive(Job)
    /// Alone. After `grantMs` it gives way to ordinary writes and begins, and after its own `askMs` to other long
    /// writes.
    case long(LongWrite<Job>, grantMs: Int)
  }

  typealias Costs = [(share: SessionShare, nanoseconds: UInt64)]

  /// Of which lane a turn was, and what each of its jobs took of it.
  enum Spent {
    case group(Costs)
    case exclusive(Costs.Element)
    case long(Costs.Element)
  }

  /// The part of `time` that is as large as `share` is of `whole`.
  static func part(of time: UInt64, _ share: UInt64, _ whole: UInt64) -> UInt64 {
    let (high, low) = time.multipliedFullWidth(by: min(share, whole))
    return whole.dividingFullWidth((high, low)).quotient
  }
}
