/// What somebody has had of a time that several share, and what a job of his takes.
///
/// Always true: all numbers are nanoseconds; what is charged only grows.
struct TimeAccount: Equatable {
  /// Unknown jobs are presumed to be short, so that somebody new does not wait behind whoever is known to be slow.
  static let presumedCost: UInt64 = 100_000
  /// A job that took next to nothing costs so much, so that nobody is served for ever.
  static let leastCost: UInt64 = 10_000

  fileprivate(set) var used: UInt64
  private(set) var typicalCost = Self.presumedCost

  /// What he will have had after his next job.
  var rank: UInt64 { used &+ typicalCost }

  fileprivate mutating func charge(_ cost: UInt64, jobs: Int) {
    used &+= cost
    // A quarter of the news: one job that was held up by something else is soon forgotten.
    typicalCost = typicalCost - typicalCost / 4 + cost / UInt64(jobs) / 4
  }
}

/// How much each of those who share a time has had by now if all had the same: where who comes anew begins.
///
/// Always true: it never goes back. It grows with what is given to anybody, so that whoever waits is caught up with,
/// however many come anew.
struct TimeLevel: Equatable {
  private(set) var reached: UInt64 = 0

  /// Somebody comes whom nobody remembers.
  func opened() -> TimeAccount { TimeAccount(used: reached) }

  /// He is here again after having had nothing to do. What he has had too little meanwhile is not saved up.
  func resumed(_ account: inout TimeAccount) {
    let least = reached - min(reached, EngineLimits.savedNs)
    account.used = max(account.used, least)
  }

  /// Forgetting him would change nothing but a little to his loss.
  func isSettled(_ account: TimeAccount) -> Bool { account.used &+ EngineLimits.savedNs <= reached }

  /// It is his turn, who has had the least of those that wait.
  mutating func chosen(_ account: TimeAccount) { reached = max(reached, account.used) }

  /// His jobs took so long while `sharers` wanted something, he among them.
  mutating func charge(_ nanoseconds: UInt64, jobs: Int = 1, to account: inout TimeAccount, sharers: Int) {
    let jobs = max(1, jobs)
    let cost = max(nanoseconds, TimeAccount.leastCost &* UInt64(jobs))
    account.charge(cost, jobs: jobs)
    reached &+= cost / UInt64(max(1, sharers))
  }
}
