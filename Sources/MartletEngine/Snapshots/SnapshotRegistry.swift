import MartletValues
import Synchronization

/// Tracks the open reads of one database, and ends those that exceed a limit, from any thread.
///
/// Always true: a holder is told at most once, and never while the registry is locked.
final class SnapshotRegistry: Sendable {
  private struct State {
    var ledger: SnapshotLedger
    var holders: [UInt64: any SnapshotHolder] = [:]
  }

  private let state: Mutex<State>
  private let clock: @Sendable () -> MonotonicTime
  private let log: LogMeter

  init(limits: Limits, clock: @escaping @Sendable () -> MonotonicTime, log: LogMeter) {
    self.clock = clock
    self.log = log
    state = Mutex(State(ledger: SnapshotLedger(logBytesMax: limits.walBytesMax)))
  }

  func enter(_ holder: any SnapshotHolder, due: MonotonicTime) -> UInt64 {
    state.withLock { state in
      let id = state.ledger.entered(due: due)
      state.holders[id] = holder
      return id
    }
  }

  func snapshotTaken(by id: UInt64) {
    let now = clock()
    let written = log.writtenBytes
    state.withLock { $0.ledger.snapshotTaken(by: id, at: now, logBytes: written) }
  }

  func snapshotReleased(by id: UInt64) { state.withLock { $0.ledger.snapshotReleased(by: id) } }

  func move(_ id: UInt64, due: MonotonicTime) { state.withLock { $0.ledger.moved(id, due: due) } }

  func leave(_ id: UInt64) {
    state.withLock { state in
      state.ledger.left(id)
      state.holders[id] = nil
    }
  }

  /// Ends what is over its time. Called periodically.
  func expire(now: MonotonicTime) { tell { $0.expired(now: now) } }

  /// Ends the snapshots that the log has grown too much for; called after commits while it is over its limit.
  func logGrew(to bytes: Int) {
    let now = clock()
    let written = log.writtenBytes
    tell { ledger in ledger.logGrew(to: UInt64(max(0, bytes)), written: written, now: now) }
  }

  /// Ends the snapshots from before `writtenBytes` had ever been written to the log, so that all of it can be copied.
  func logLost(writtenBytes: UInt64) { tell { $0.logLost(written: writtenBytes) } }

  func shutDown() { tell { $0.shutDown() } }

  func oldestAgeMs(now: MonotonicTime) -> Int { state.withLock { $0.ledger.oldestAgeMs(now: now) } }

  /// Reads that run, stream, are paused or wait.
  var count: Int { state.withLock { $0.ledger.count } }

  private func tell(_ choose: (inout SnapshotLedger) -> [(id: UInt64, end: SnapshotEnd)]) {
    let told = state.withLock { state in
      choose(&state.ledger).map { (state.holders.removeValue(forKey: $0.id), $0.end) }
    }
    for (holder, end) in told { holder?.snapshotMustEnd(end) }
  }
}

/// Who holds a snapshot, or waits for one, and can be told to let go.
protocol SnapshotHolder: AnyObject, Sendable {
  /// Called on any thread; must not block.
  func snapshotMustEnd(_ end: SnapshotEnd)
}

/// Which reads are open, since when they hold a snapshot, and which of them must end: the rules, without threads.
///
/// A snapshot keeps the write-ahead log from starting anew, so its price is what is written while it lasts. Its age
/// alone costs nobody anything.
///
/// Always true: a read that it told to end is no longer in it, so each is told once.
struct SnapshotLedger {
  private struct Entry {
    var since: MonotonicTime?
    /// Bytes that had ever been written to the log when the snapshot was taken.
    var logBytes: UInt64 = 0
    var due: MonotonicTime
  }

  private let logBytesMax: UInt64
  private var entries: [UInt64: Entry] = [:]
  private var last: UInt64 = 0

  init(logBytesMax: Int) { self.logBytesMax = UInt64(max(1, logBytesMax)) }

  var count: Int { entries.count }

  /// A read has come, which has no snapshot yet and must end by `due`.
  mutating func entered(due: MonotonicTime) -> UInt64 {
    last += 1
    assert(entries[last] == nil)
    entries[last] = Entry(since: nil, due: due)
    return last
  }

  mutating func snapshotTaken(by id: UInt64, at now: MonotonicTime, logBytes: UInt64) {
    entries[id]?.since = now
    entries[id]?.logBytes = logBytes
  }

  /// The read goes on without a snapshot.
  mutating func snapshotReleased(by id: UInt64) { entries[id]?.since = nil }

  mutating func moved(_ id: UInt64, due: MonotonicTime) { entries[id]?.due = due }

  mutating func left(_ id: UInt64) { entries[id] = nil }

  /// The reads that must end now.
  mutating func expired(now: MonotonicTime) -> [(id: UInt64, end: SnapshotEnd)] {
    defer { assert(entries.values.allSatisfy { $0.due > now }, "a read that must end is open") }
    let ids = entries.filter { $0.value.due <= now }.keys.sorted()
    for id in ids { entries[id] = nil }
    return ids.map { ($0, .due) }
  }

  /// The log holds `bytes`, and `written` have ever been written to it. Ends the snapshots during which it grew beyond
  /// its limit. If it is twice as large, because short snapshots follow on each other without a gap, a quarter of
  /// the limit is enough.
  mutating func logGrew(to bytes: UInt64, written: UInt64, now: MonotonicTime) -> [(id: UInt64, end: SnapshotEnd)] {
    guard bytes > logBytesMax else { return [] }
    let most = bytes / 2 > logBytesMax ? logBytesMax / 4 : logBytesMax
    var ends: [(id: UInt64, end: SnapshotEnd)] = []
    for (id, entry) in entries {
      guard let since = entry.since, written > entry.logBytes, written - entry.logBytes > most else { continue }
      ends.append((id, .logGrew(ageMs: now.milliseconds(since: since), grownBytes: written - entry.logBytes)))
    }
    for end in ends { entries[end.id] = nil }
    return ends.sorted { $0.id < $1.id }
  }

  /// The log has to be copied as a whole. Ends the snapshots from before `written` bytes had ever been written to it,
  /// each of which would keep what is newer than itself from being copied.
  mutating func logLost(written: UInt64) -> [(id: UInt64, end: SnapshotEnd)] {
    let ids = entries.filter { $0.value.since != nil && $0.value.logBytes < written }.keys.sorted()
    for id in ids { entries[id] = nil }
    return ids.map { ($0, .logLost) }
  }

  mutating func shutDown() -> [(id: UInt64, end: SnapshotEnd)] {
    let ends = entries.keys.sorted().map { (id: $0, end: SnapshotEnd.shutDown) }
    entries = [:]
    return ends
  }

  /// The age of the oldest snapshot; 0 if there is none.
  func oldestAgeMs(now: MonotonicTime) -> Int {
    entries.values.compactMap(\.since).min().map { now.milliseconds(since: $0) } ?? 0
  }
}
