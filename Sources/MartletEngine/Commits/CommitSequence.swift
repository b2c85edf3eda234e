/// Which numbers the commits of one database get.
///
/// Always true: numbers only grow, over restarts too; none is given above the bound that was recorded before, so an
/// opening after a crash begins above all numbers that anybody has seen. Within one opening they are consecutive;
/// between two openings some are left out.
struct CommitSequence: Equatable {
  /// The last number that was given; before the first, a number that was recorded and that none will be below.
  private(set) var last: UInt64
  /// The next number is above this.
  private var floor: UInt64
  /// Numbers up to this are recorded as given.
  private var ceiling: UInt64

  /// What has to be durable before the next commit.
  struct Reservation: Equatable {
    var after: UInt64
    var through: UInt64
  }

  init(recorded: UInt64 = 0) {
    let start = min(recorded, EngineLimits.sequenceMax)
    last = start
    floor = start
    ceiling = start
  }

  var isExhausted: Bool { max(last, floor) >= ceiling }

  /// The next block of numbers; nil while there are some left. The first of an opening begins above the clock's
  /// microseconds since 1970, so that numbers grow although the record was lost, or an old one was put back.
  func reservation(microseconds: UInt64) -> Reservation? {
    guard isExhausted else { return nil }
    let isFirst = last == floor && floor == ceiling
    let after = isFirst && microseconds <= EngineLimits.sequenceMax / 2 ? max(last, microseconds) : last
    return Reservation(after: after, through: after &+ EngineLimits.sequenceBlock)
  }

  /// The reservation has been recorded.
  mutating func reserved(_ reservation: Reservation) {
    assert(reservation.after >= last && reservation.through > ceiling, "a reservation that takes numbers back")
    floor = reservation.after
    ceiling = reservation.through
  }

  /// A commit has become durable; returns its number.
  mutating func advanced() -> UInt64 {
    assert(!isExhausted, "a commit without a reservation")
    last = max(last, floor) &+ 1
    return last
  }
}
