import MartletValues
import Synchronization

/// Who holds a snapshot, or waits for one, and can be told to let go.
protocol SnapshotHolder: AnyObject, Sendable {
  /// Called on any thread; must not block.
  func snapshotMustEnd(_ end: SnapshotEnd)
}

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
