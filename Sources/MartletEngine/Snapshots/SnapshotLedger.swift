/// Which reads are open, since when they hold a snapshot, and which of them must end: the rules, without threads.
///
/// Always true: a read that it told to end is no longer in it, so each is told once.
import MartletAST

struct SnapshotLedger {
  enum End: Sendable, Equatable {
    /// Its deadline, or the time it may be idle or last, has passed.
    case due
    /// Its snapshot is older than any may be.
    case tooOld(ageMs: Int)
    /// The write-ahead log cannot be emptied because of it.
    case logTooLarge(ageMs: Int)
    case shutDown
  }

  private struct Entry {
    var since: MonotonicTime?
    var due: MonotonicTime
  }

  private let ageMaxMs: Int
  private var entries: [UInt64: Entry] = [:]
  private var last: UInt64 = 0

  init(ageMaxMs: Int) { self.ageMaxMs = ageMaxMs }

  var count: Int { entries.count }

  /// A read has come, which has no snapshot yet and must end by `due`.
  mutating func entered(due: MonotonicTime) -> UInt64 {
    last += 1
    entries[last] = Entry(since: nil, due: due)
    return last
  }

  mutating func snapshotTaken(by id: UInt64, at now: MonotonicTime) { entries[id]?.since = now }

  mutating func moved(_ id: UInt64, due: MonotonicTime) { entries[id]?.due = due }

  mutating func left(_ id: UInt64) { entries[id] = nil }

  /// The reads that must end now.
  mutating func expired(now: MonotonicTime) -> [(id: UInt64, end: End)] {
    var ends: [(id: UInt64, end: End)] = []
    for (id, entry) in entries {
      if entry.due <= now {
        ends.append((id, .due))
      } else if let since = entry.since, since.advanced(milliseconds: ageMaxMs) <= now {
        ends.append((id, .tooOld(ageMs: now.milliseconds(since: since))))
      }
    }
    for end in ends { entries[end.id] = nil }
    return ends.sorted { $0.id < $1.id }
  }

  /// The log is over its limit: the oldest snapshot must end.
  mutating func logGrewOverLimit(now: MonotonicTime) -> (id: UInt64, end: End)? {
    guard let oldest = oldest else { return nil }
    entries[oldest.id] = nil
    return (oldest.id, .logTooLarge(ageMs: now.milliseconds(since: oldest.since)))
  }

  mutating func shutDown() -> [(id: UInt64, end: End)] {
    let ends = entries.keys.sorted().map { (id: $0, end: End.shutDown) }
    entries = [:]
    return ends
  }

  /// The age of the oldest snapshot; 0 where there is none.
  func oldestAgeMs(now: MonotonicTime) -> Int { oldest.map { now.milliseconds(since: $0.since) } ?? 0 }

  private var oldest: (id: UInt64, since: MonotonicTime)? {
    var found: (id: UInt64, since: MonotonicTime)?
    for (id, entry) in entries {
      guard let since = entry.since else { continue }
      if let present = found, (present.since, present.id) < (since, id) { continue }
      found = (id, since)
    }
    return found
  }
}
