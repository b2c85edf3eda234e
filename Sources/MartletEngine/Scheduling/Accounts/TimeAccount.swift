/// What a session or subject has had of a time that several share, and what one of its jobs takes.
///
/// Always true: all times are in nanoseconds; what is charged only grows.
struct TimeAccount: Equatable {
  fileprivate(set) var used: UInt64
  private(set) var typicalCost = EngineLimits.presumedJobNs
  /// The turn of its level at which it began to wait, or at which it had a turn last.
  fileprivate(set) var waitsSince: UInt64 = 0
  /// What its job may take that has its turn by age: that is no part of its share.
  fileprivate var granted: UInt64 = 0
  /// The number of that job, and `waitsSince` as it was before its turn.
  fileprivate var grantedJob: UInt64 = 0
  fileprivate var waitedSince: UInt64 = 0

  init(used: UInt64) { self.used = used }

  /// Time that the account will have used after its next job, if that job takes as long as usual.
  var rank: UInt64 { used &+ typicalCost }

  /// Returns what counts for its share.
  fileprivate mutating func charge(_ cost: UInt64, jobs: Int) -> UInt64 {
    let counted = cost - min(cost, granted)
    used &+= counted
    // The new cost counts for a quarter, so one job that was held up by something else is soon forgotten.
    typicalCost = typicalCost - typicalCost / 4 + cost / UInt64(jobs) / 4
    return counted
  }
}

/// How much each of those that share a time has had by now if all had the same. A new one begins there.
///
/// Always true: it never goes back. It grows with all time that is used, so one that waits comes first in the end,
/// however many new ones come.
struct TimeLevel: Equatable {
  private(set) var reached: UInt64 = 0
  private var byAge = TurnsByAge()

  /// An account for a session without a history.
  func opened() -> TimeAccount { TimeAccount(used: reached) }

  /// The account has jobs again after it had none. Of the time that it did not use, at most `savedNsMax` is kept.
  func resumed(_ account: inout TimeAccount) {
    let least = reached - min(reached, EngineLimits.savedNsMax)
    account.used = max(account.used, least)
    account.waitsSince = byAge.turns
  }

  /// The job of that number has come back without having run: if it had its turn by age, its age and that time are
  /// there again.
  mutating func returned(_ job: UInt64, of account: inout TimeAccount) {
    guard account.granted > 0, account.grantedJob == job else { return }
    byAge.giveBack(account.granted)
    account.granted = 0
    account.waitsSince = account.waitedSince
  }

  /// Whether the account may be forgotten: a new one would lack only the `savedNsMax` that this one has saved.
  func isSettled(_ account: TimeAccount) -> Bool { account.used &+ EngineLimits.savedNsMax <= reached }

  /// The account is next, as the one that has used the least of those that wait: the level rises to it.
  mutating func chosen(_ account: TimeAccount) { reached = max(reached, account.used) }

  /// Whether the one of `waiting` that has waited the longest is next by its age.
  func isDue(since turn: UInt64, of waiting: Int) -> Bool { byAge.isDue(since: turn, of: waiting) }

  /// A job of the account has its turn, by its age or as the one that has used the least.
  mutating func turnTaken(by account: inout TimeAccount, job: UInt64, isByAge: Bool) {
    byAge.turnTaken()
    defer { account.waitsSince = byAge.turns }
    guard isByAge else { return }
    account.waitedSince = account.waitsSince
    account.grantedJob = job
    account.granted = account.typicalCost
    byAge.spend(account.granted)
  }

  /// Charges what `jobs` of the account took while `sharers` accounts, this one included, had jobs.
  mutating func charge(_ nanoseconds: UInt64, jobs: Int = 1, to account: inout TimeAccount, sharers: Int) {
    let jobs = max(1, jobs)
    let cost = max(nanoseconds, EngineLimits.jobNsMin &* UInt64(jobs))
    // What its turn by age was given and did not take is there for others.
    byAge.giveBack(account.granted - min(cost, account.granted))
    let counted = account.charge(cost, jobs: jobs)
    account.granted = 0
    byAge.charged(counted)
    reached &+= counted / UInt64(max(1, sharers))
  }
}
