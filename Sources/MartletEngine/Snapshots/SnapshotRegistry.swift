/// The open reads of one database, and the hand that ends those which are over a limit, from any thread.
///
/// Always true: a holder is told at most once, and never while the registry is locked.
import MartletAST
import Synchronization

/// Who holds a snapshot, or waits for one, and can be told to let go.
protocol SnapshotHolder: AnyObject, Sendable {
  /// Called on any thread; must not block.
  func snapshotMustEnd(_ end: SnapshotLedger.End)
}

final class SnapshotRegistry: Sendable {
  private struct State {
    var ledger: SnapshotLedger
    var holders: [UInt64: any SnapshotHolder] = [:]
  }

  private let state: Mutex<State>
  private let clock: @Sendable () -> MonotonicTime

  init(limits: Limits, clock: @escaping @Sendable () -> MonotonicTime) {
    self.clock = clock
    state = Mutex(State(ledger: SnapshotLedger(ageMaxMs: limits.snapshotAgeMs)))
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
    state.withLock { $0.ledger.snapshotTaken(by: id, at: now) }
  }

  func move(_ id: UInt64, due: MonotonicTime) { state.withLock { $0.ledger.moved(id, due: due) } }

  func leave(_ id: UInt64) {
    state.withLock { state in
      state.ledger.left(id)
      state.holders[id] = nil
    }
  }

  /// Ends what is over its time. Called periodically.
  func expire(now: MonotonicTime) { tell { $0.expired(now: now) } }

  /// Ends the oldest snapshot; called after a checkpoint that left the log over its limit.
  func logIsOverLimit() {
    let now = clock()
    tell { ledger in ledger.logGrewOverLimit(now: now).map { [$0] } ?? [] }
  }

  func shutDown() { tell { $0.shutDown() } }

  func oldestAgeMs(now: MonotonicTime) -> Int { state.withLock { $0.ledger.oldestAgeMs(now: now) } }

  /// Reads that run, stream, are paused or wait.
  var count: Int { state.withLock { $0.ledger.count } }

  private func tell(_ choose: (inout SnapshotLedger) -> [(id: UInt64, end: SnapshotLedger.End)]) {
    let told = state.withLock { state in
      choose(&state.ledger).map { (state.holders.removeValue(forKey: $0.id), $0.end) }
    }
    for (holder, end) in told { holder?.snapshotMustEnd(end) }
  }
}
