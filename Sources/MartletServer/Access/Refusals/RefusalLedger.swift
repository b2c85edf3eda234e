internal import MartletValues

/// How long somebody waits who has just been refused: longer each time, for each address or user.
///
/// Always true: bounded; who waits long enough is forgotten; nobody's refusals make another wait.
struct RefusalLedger: Sendable {
  private struct Entry {
    var count: Int
    var last: MonotonicTime
  }

  private var entries: [UInt64: Entry] = [:]

  /// A client is refused now. Returns when it may be told.
  mutating func refused(_ share: UInt64, now: MonotonicTime) -> MonotonicTime {
    var entry = entries[share] ?? Entry(count: 0, last: now)
    if now.milliseconds(since: entry.last) >= AccessLimits.refusalMemoryMs { entry.count = 0 }
    entry.count = min(entry.count + 1, 16)
    entry.last = now
    if entries[share] == nil, entries.count >= AccessLimits.refusedMax { makeRoom(now: now) }
    entries[share] = entry
    let delay = min(AccessLimits.firstRefusalMs << (entry.count - 1), AccessLimits.refusalMsMax)
    return now.advanced(milliseconds: delay)
  }

  var count: Int { entries.count }

  private mutating func makeRoom(now: MonotonicTime) {
    entries = entries.filter { now.milliseconds(since: $0.value.last) < AccessLimits.refusalMemoryMs }
    guard entries.count >= AccessLimits.refusedMax else { return }
    let ages = entries.values.map(\.last).sorted()
    let middle = ages[ages.count / 2]
    entries = entries.filter { $0.value.last > middle }
  }
}
