/// Which snapshots must end, as scripts over a clock of numbers.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct SnapshotLedgerTests {
  private func at(_ milliseconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

  @Test func `an old snapshot stays as long as nothing is written, and one that waits has no age`() {
    var ledger = SnapshotLedger(logBytesMax: 100)
    let old = ledger.entered(due: .distantFuture)
    let waiting = ledger.entered(due: .distantFuture)
    ledger.snapshotTaken(by: old, at: at(50), logBytes: 7_000)
    #expect(ledger.expired(now: at(1_000_000)).isEmpty)
    #expect(ledger.oldestAgeMs(now: at(149)) == 99)
    #expect(ledger.logGrew(to: 7_000, written: 7_000, now: at(149)).isEmpty)
    #expect(ledger.logGrew(to: 150, written: 7_100, now: at(150)).isEmpty)
    let ends = ledger.logGrew(to: 150, written: 7_101, now: at(150))
    #expect(ends.map(\.id) == [old])
    #expect(ends.map(\.end) == [.logGrew(ageMs: 100, grownBytes: 101)])
    #expect(ledger.logGrew(to: 150, written: 9_000, now: at(900)).isEmpty)
    #expect(ledger.oldestAgeMs(now: at(900)) == 0)
    ledger.left(waiting)
    #expect(ledger.count == 0)
  }

  @Test func `what is due ends, unless it was moved`() {
    var ledger = SnapshotLedger(logBytesMax: 1_000)
    let first = ledger.entered(due: at(10))
    let second = ledger.entered(due: at(10))
    ledger.moved(second, due: at(30))
    #expect(ledger.expired(now: at(10)).map(\.id) == [first])
    #expect(ledger.expired(now: at(30)).map(\.end) == [.due])
  }

  @Test func `snapshots that follow each other without a gap do not keep the log from starting anew for ever`() {
    var ledger = SnapshotLedger(logBytesMax: 100)
    let ids = (0..<3).map { _ in ledger.entered(due: .distantFuture) }
    for (id, written) in zip(ids, [300, 260, 280] as [UInt64]) {
      ledger.snapshotTaken(by: id, at: at(30), logBytes: written)
    }
    #expect(ledger.logGrew(to: 200, written: 310, now: at(40)).isEmpty)
    #expect(ledger.logGrew(to: 202, written: 310, now: at(40)).map(\.id) == [ids[1], ids[2]])
    #expect(ledger.logGrew(to: 202, written: 310, now: at(40)).isEmpty)
  }

  @Test func `if the log is lost the snapshots from before its last commit end, and no others`() {
    var ledger = SnapshotLedger(logBytesMax: 1_000)
    let (old, new) = (ledger.entered(due: .distantFuture), ledger.entered(due: .distantFuture))
    let waiting = ledger.entered(due: .distantFuture)
    ledger.snapshotTaken(by: old, at: at(10), logBytes: 300)
    ledger.snapshotTaken(by: new, at: at(20), logBytes: 301)
    #expect(ledger.logLost(written: 300).isEmpty)
    let ends = ledger.logLost(written: 301)
    #expect(ends.map(\.id) == [old] && ends.map(\.end) == [.logLost])
    #expect(ledger.logLost(written: 301).isEmpty)
    #expect(ledger.logLost(written: .max).map(\.id) == [new])
    ledger.left(waiting)
    #expect(ledger.count == 0)
  }

  @Test func `everyone is told at shutdown`() {
    var ledger = SnapshotLedger(logBytesMax: 1_000)
    let ids = (0..<3).map { _ in ledger.entered(due: .distantFuture) }
    #expect(ledger.shutDown().map(\.id) == ids)
    #expect(ledger.count == 0)
  }
}
