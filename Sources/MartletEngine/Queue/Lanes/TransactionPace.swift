import MartletValues

/// Decides when the next interactive transaction may begin, and who may begin ahead of that: after ordinary writes have
/// had as much time as the last one made them wait.
///
/// Ahead are those of sessions whose transactions are brief. If the last one was long, sessions of which nothing is
/// known are so on trial, for a tenth of that time, and not for a while after one of them was long itself.
///
/// Always true: whoever goes ahead and is long leaves ordinary writes as much time as it took, and what they were owed
/// before a trial.
struct TransactionPace {
  /// Why one begins ahead of time.
  enum Lead {
    /// Those of its session are brief.
    case brief
    /// Nothing is known of its session. Ordinary writes were still owed so many nanoseconds.
    case trial(owed: UInt64)
  }

  /// From here on any may begin.
  private(set) var freeAt = MonotonicTime(nanoseconds: 0)
  private var holders = KnownHolders()
  /// Why the one that has the writer began ahead of time; nil if it did not.
  private var lead: Lead?
  /// Trials begin again here, for as long as others have waited for them for less than `trialsLeft` nanoseconds.
  private var trialsAt = MonotonicTime(nanoseconds: 0)
  private var trialsLeft: UInt64 = 0
  /// The last one began ahead of time and was brief.
  private var wasBrief = false

  /// Why one may begin before `freeAt`, those that go first first.
  func leads(at now: MonotonicTime) -> [Lead] {
    guard trialsLeft > 0, now >= trialsAt, now < freeAt else { return [.brief] }
    return [.brief, .trial(owed: freeAt.nanoseconds - now.nanoseconds)]
  }

  func allows(_ session: UInt64, _ lead: Lead, _ now: MonotonicTime) -> Bool {
    switch lead {
    case .brief: holders.isBrief(session, now)
    case .trial: holders.isUnknown(session, now)
    }
  }

  /// One has begun; `lead` is nil if it is not ahead of time.
  mutating func began(ahead lead: Lead?) { self.lead = lead }

  /// What the last one wrote was copied from the log, and ordinary writes waited for that. Like a brief one itself, its
  /// copy moves the moment no further.
  mutating func copied(nanoseconds: UInt64, _ now: MonotonicTime) {
    if wasBrief { return }
    freeAt = MonotonicTime(nanoseconds: max(freeAt.nanoseconds, now.nanoseconds) &+ nanoseconds)
  }

  /// `contended`: nanoseconds of the transaction in which ordinary writes waited.
  mutating func ended(of session: UInt64?, contended: UInt64, _ now: MonotonicTime) {
    if let session { holders.transactionEnded(of: session, contended: contended, now) }
    let next = MonotonicTime(nanoseconds: now.nanoseconds &+ contended)
    let isBrief = contended <= EngineLimits.briefHoldNs
    wasBrief = false
    switch lead {
    case nil:
      freeAt = next
      let part = contended / EngineLimits.trialDivisor
      trialsLeft = part >= EngineLimits.briefHoldNs ? part : 0
    case .brief:
      // Another brief one moves the moment no further, or those that are not known to be brief would never begin.
      if !isBrief { freeAt = max(freeAt, next) }
      wasBrief = isBrief
    case .trial(let owed):
      trialsLeft -= min(trialsLeft, contended)
      if !isBrief {
        // What they had of their time is lost while this one held the writer.
        freeAt = MonotonicTime(nanoseconds: next.nanoseconds &+ owed)
        trialsAt = freeAt.advanced(milliseconds: EngineLimits.trialPauseMs)
      }
    }
    lead = nil
  }
}
