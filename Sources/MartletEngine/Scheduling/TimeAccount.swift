/// What a session or subject has had of a time that several share, and what one of its jobs takes.
///
/// Always true: all numbers are nanoseconds; what is charged only grows.
struct TimeAccount: Equatable {
  fileprivate(set) var used: UInt64
  private(set) var typicalCost = EngineLimits.presumedJobNs

  /// Time that the account will have used after its next job, if that job takes as long as usual.
  var rank: UInt64 { used &+ typicalCost }

  fileprivate mutating func charge(_ cost: UInt64, jobs: Int) {
    used &+= cost
    // The new cost counts for a quarter, so one job that was held up by something else is soon forgotten.
    typicalCost = typicalCost - typicalCost / 4 + cost / UInt64(jobs) / 4
  }
}

/// How much each of those that share a time has had by now if all had the same. A new one begins there.
///
/// Always true: it never goes back. It grows with all time that is used, so one that waits comes first in the end,
/// however many new ones come.
struct TimeLevel: Equatable {
  private(set) var reached: UInt64 = 0

  /// An account for a session without a history.
  func opened() -> TimeAccount { TimeAccount(used: reached) }

  /// The account has jobs again after it had none. Of the time that it did not use, at most `savedNsMax` is kept.
  func resumed(_ account: inout TimeAccount) {
    let least = reached - min(reached, EngineLimits.savedNsMax)
    account.used = max(account.used, least)
  }

  /// Whether the account may be forgotten: a new one would lack only the `savedNsMax` that this one has saved.
  func isSettled(_ account: TimeAccount) -> Bool { account.used &+ EngineLimits.savedNsMax <= reached }

  /// The account is next, as the one that has used the least of those that wait: the level rises to it.
  mutating func chosen(_ account: TimeAccount) { reached = max(reached, account.used) }

  /// Charges what `jobs` of the account took while `sharers` accounts, this one included, had jobs.
  mutating func charge(_ nanoseconds: UInt64, jobs: Int = 1, to account: inout TimeAccount, sharers: Int) {
    let jobs = max(1, jobs)
    let cost = max(nanoseconds, EngineLimits.jobNsMin &* UInt64(jobs))
    account.charge(cost, jobs: jobs)
    reached &+= cost / UInt64(max(1, sharers))
  }
}
