import MartletSQLite

/// Whether writes of a shape need a savepoint beside others in a transaction, judged by the statement and by how the
/// last ones went.
///
/// Always true: who is wrong here loses time and nothing else, because a write that fails without a savepoint, and that
/// SQLite has not undone for certain, takes its transaction with it, and everybody runs again. That happens once in
/// `EngineLimits.savepointSuccessesMin` writes of a shape at most.
struct SavepointJudgement: Equatable {
  /// Since a write of the shape took its transaction with it.
  private var successes: UInt8 = 0
  private var staysWithin = false

  init() {}

  var isNeeded: Bool { !(staysWithin && isProven) }

  /// So many have succeeded that their statement is worth a look.
  var isProven: Bool { successes >= EngineLimits.savepointSuccessesMin }

  mutating func succeeded() {
    if !isProven { successes += 1 }
  }

  mutating func tookTransaction() { self = SavepointJudgement() }

  /// Somebody has looked how far a failure of the statement reaches.
  mutating func lookedAt(_ reach: FailureReach) { staysWithin = reach == .statement }

  // MARK: As one number, for an atomic

  init(bits: UInt16) {
    successes = UInt8(truncatingIfNeeded: bits)
    staysWithin = bits >> 8 & 1 == 1
  }

  var bits: UInt16 { UInt16(successes) | (staysWithin ? 1 << 8 : 0) }
}
