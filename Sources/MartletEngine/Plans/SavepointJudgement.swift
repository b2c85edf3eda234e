import MartletSQLite

/// Whether writes of a shape need a savepoint beside others in a transaction, judged by the statement and by how the
/// last ones went.
///
/// Always true: who is wrong here loses time and nothing else, because a write that fails without a savepoint, and that
/// SQLite has not undone for certain, takes its transaction with it, and everybody runs again. Each time twice as many
/// writes of the shape have to succeed before the next one can do that.
struct SavepointJudgement: Equatable {
  /// Since a write of the shape took its transaction with it.
  private var successes: UInt32 = 0
  private var losses: UInt8 = 0
  private var staysWithin = false

  init() {}

  var isNeeded: Bool { !(staysWithin && isProven) }

  /// So many have succeeded that their statement is worth a look.
  var isProven: Bool { successes >= EngineLimits.savepointSuccessesMin << UInt32(losses) }

  mutating func succeeded() {
    if !isProven { successes += 1 }
  }

  mutating func tookTransaction() {
    successes = 0
    losses = min(losses + 1, EngineLimits.savepointLossesMax)
  }

  /// Somebody has looked how far a failure of the statement reaches.
  mutating func lookedAt(_ reach: FailureReach) { staysWithin = reach == .statement }

  // MARK: As one number, for an atomic

  init(bits: UInt64) {
    successes = UInt32(truncatingIfNeeded: bits)
    losses = min(UInt8(truncatingIfNeeded: bits >> 32), EngineLimits.savepointLossesMax)
    staysWithin = bits >> 40 & 1 == 1
  }

  var bits: UInt64 { UInt64(successes) | UInt64(losses) << 32 | UInt64(staysWithin ? 1 : 0) << 40 }
}
