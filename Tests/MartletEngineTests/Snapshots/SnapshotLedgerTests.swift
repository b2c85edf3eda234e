/// Which snapshots must end, as scripts over a clock of numbers.
import MartletAST
import Testing

@testable import MartletEngine

@Suite struct SnapshotLedgerTests {
  private func at(_ milliseconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

  @Test func `a snapshot that is too old ends once, and one that waits has no age`() {
    var ledger = SnapshotLedger(ageMaxMs: 100)
    let old = ledger.entered(due: .distantFuture)
    let waiting = ledger.entered(due: .distantFuture)
    ledger.snapshotTaken(by: old, at: at(50))
    #expect(ledger.expired(now: at(149)).isEmpty)
    #expect(ledger.oldestAgeMs(now: at(149)) == 99)
    let ends = ledger.expired(now: at(150))
    #expect(ends.map(\.id) == [old])
    #expect(ends.map(\.end) == [.tooOld(ageMs: 100)])
    #expect(ledger.expired(now: at(900)).isEmpty)
    #expect(ledger.oldestAgeMs(now: at(900)) == 0)
    ledger.left(waiting)
    #expect(ledger.count == 0)
  }

  @Test func `what is due ends, unless it was moved`() {
    var ledger = SnapshotLedger(ageMaxMs: 1_000)
    let first = ledger.entered(due: at(10))
    let second = ledger.entered(due: at(10))
    ledger.moved(second, due: at(30))
    #expect(ledger.expired(now: at(10)).map(\.id) == [first])
    #expect(ledger.expired(now: at(30)).map(\.end) == [.due])
  }

  @Test func `when the log is too large the oldest snapshot goes, one at a time`() {
    var ledger = SnapshotLedger(ageMaxMs: 1_000)
    let ids = (0..<3).map { _ in ledger.entered(due: .distantFuture) }
    for (id, time) in zip(ids, [30, 10, 20] as [UInt64]) { ledger.snapshotTaken(by: id, at: at(time)) }
    let first = ledger.logGrewOverLimit(now: at(40))
    #expect(first?.id == ids[1])
    #expect(first?.end == .logTooLarge(ageMs: 30))
    #expect(ledger.logGrewOverLimit(now: at(40))?.id == ids[2])
    #expect(ledger.logGrewOverLimit(now: at(40))?.id == ids[0])
    #expect(ledger.logGrewOverLimit(now: at(40)) == nil)
  }

  @Test func `at shutdown everyone is told`() {
    var ledger = SnapshotLedger(ageMaxMs: 1_000)
    let ids = (0..<3).map { _ in ledger.entered(due: .distantFuture) }
    #expect(ledger.shutDown().map(\.id) == ids)
    #expect(ledger.count == 0)
  }
}
