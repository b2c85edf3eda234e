import MartletValues

/// Limits how often the schema may change, by the time that readers spend reading it again.
///
/// Every connection reads the whole schema after a change, and with thousands of tables that takes as long as thousands
/// of small reads. So what readers of other sessions spend on it has a part of the time, and the next change waits
/// until that is left. Many changes in one transaction, or before anybody reads, cost as much as one.
///
/// Always true: what a session pays for its own changes counts for nothing; after a change the next one waits for at
/// most `EngineLimits.schemaPauseMaxMs`; at most `EngineLimits.penalizedSessionsMax` sessions are remembered.
struct SchemaPace {
  private var part = PartOfTime(
    percent: EngineLimits.schemaSharePercent, savedMicroseconds: EngineLimits.schemaSavedMs * 1_000)
  private var changedAt: MonotonicTime?
  private var changer: UInt64?
  /// Sessions that changed the schema lately, and until when that counts.
  private var changers: [UInt64: MonotonicTime] = [:]

  /// The moment from which the schema may be changed.
  var freeAt: MonotonicTime {
    guard let changedAt else { return MonotonicTime(nanoseconds: 0) }
    return min(part.freeAt, changedAt.advanced(milliseconds: EngineLimits.schemaPauseMaxMs))
  }

  /// The session has changed the schema.
  mutating func changed(by session: UInt64, at now: MonotonicTime) {
    changedAt = now
    changer = session
    wanted(by: session, at: now)
  }

  /// The session wanted to change the schema, and could not.
  mutating func wanted(by session: UInt64, at now: MonotonicTime) {
    if changers.count >= EngineLimits.penalizedSessionsMax, changers[session] == nil {
      changers = changers.filter { $0.value > now }
      if changers.count >= EngineLimits.penalizedSessionsMax { changers.removeAll() }
    }
    changers[session] = now.advanced(milliseconds: EngineLimits.schemaChangerMs)
  }

  /// A connection has read the changed schema for the session, or for all. `nanoseconds`: processor time.
  mutating func wasRead(_ nanoseconds: UInt64, by session: UInt64?, at now: MonotonicTime) {
    if changedAt != nil, session != changer { part.spend(nanoseconds, until: now) }
  }

  /// Whether the session changed the schema lately, so that its next transaction may well do so again.
  func isChanger(_ session: UInt64, at now: MonotonicTime) -> Bool { changers[session].map { $0 > now } ?? false }
}
