/// The numbers of commits: what is recorded before which, over restarts, clocks that go back, and records that are
/// gone.
import Foundation
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct CommitSequenceTests {
  private static let block = EngineLimits.sequenceBlock

  @Test func `numbers are consecutive, and none is given beyond what is recorded`() {
    var sequence = CommitSequence()
    #expect(sequence.last == 0)
    #expect(sequence.reservation(microseconds: 0) == .init(after: 0, through: Self.block))
    sequence.reserved(.init(after: 0, through: 3))
    #expect(sequence.reservation(microseconds: 500) == nil)
    #expect((1...3).map { _ in sequence.advanced() } == [1, 2, 3])
    // Later blocks go on where the first ended, whatever the clock says.
    let next = sequence.reservation(microseconds: 500)
    #expect(next == .init(after: 3, through: 3 + Self.block))
    if let next { sequence.reserved(next) }
    #expect(sequence.advanced() == 4)
  }

  static let openings: [(recorded: UInt64, microseconds: UInt64, first: UInt64)] = [
    (0, 0, 1), (0, 1_700_000_000_000_000, 1_700_000_000_000_001),
    // A clock that went back, or stands at its beginning, takes nothing back.
    (1_700_000_000_000_000, 12, 1_700_000_000_000_001), (1_700_000_000_000_000, 0, 1_700_000_000_000_001),
    // An old record that was put back: the clock knows better.
    (5, 1_700_000_000_000_000, 1_700_000_000_000_001),
    // A clock that cannot be right is not asked.
    (7, .max, 8), (0, EngineLimits.sequenceMax, 1),
    (EngineLimits.sequenceMax, 1, EngineLimits.sequenceMax + 1),
  ]

  @Test(arguments: openings) func `an opening begins above what was recorded, and above the clock`(
    recorded: UInt64, microseconds: UInt64, first: UInt64
  ) throws {
    var sequence = CommitSequence(recorded: recorded)
    #expect(sequence.last == recorded)
    sequence.reserved(try #require(sequence.reservation(microseconds: microseconds)))
    #expect(sequence.last == recorded, "nothing was committed yet")
    #expect(sequence.advanced() == first)
  }

  @Test func `restarts at any moment, with any clock, never give a number twice`() throws {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      var recorded: UInt64 = 0
      var seen: UInt64 = 0
      for _ in 0..<20 {
        var sequence = CommitSequence(recorded: recorded)
        #expect(sequence.last >= seen)
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          if let next = sequence.reservation(microseconds: UInt64.random(in: 0...1 << 30, using: &random)) {
            // The process may end before the record is there, or between it and the commit.
            if Int.random(in: 0..<4, using: &random) == 0 { break }
            recorded = next.through
            if Int.random(in: 0..<4, using: &random) == 0 { break }
            sequence.reserved(next)
          }
          let number = sequence.advanced()
          #expect(number > seen && number <= recorded)
          seen = number
        }
      }
    }
  }

  // MARK: - The record

  @Test func `a record is read as it was written`() {
    for number: UInt64 in [0, 1, 9_999, 1_795_337_846_123_457, EngineLimits.sequenceMax] {
      let bytes = SequenceRecord(through: number).bytes
      #expect(bytes.count == SequenceRecord.byteCount)
      #expect(SequenceRecord(bytes) == SequenceRecord(through: number))
    }
  }

  @Test func `a record with any byte changed, or cut off anywhere, is none`() {
    let bytes = SequenceRecord(through: 1_795_337_846_123_457).bytes
    for index in bytes.indices {
      #expect(SequenceRecord(bytes[..<index]) == nil)
      for change: UInt8 in [0x01, 0x02, 0x10, 0x20, 0x80] {
        var damaged = bytes
        damaged[index] ^= change
        #expect(SequenceRecord(damaged) == nil, "byte \(index)")
      }
    }
    #expect(SequenceRecord([UInt8](repeating: 0, count: bytes.count)) == nil)
    #expect(SequenceRecord(SequenceRecord(through: EngineLimits.sequenceMax + 1).bytes) == nil)
  }

  @Test func `the place that counts is never the one that is written`() {
    let (small, large) = (SequenceRecord(through: 5), SequenceRecord(through: 9))
    let cases: [([SequenceRecord?], latest: UInt64?, next: Int)] = [
      ([nil, nil], nil, 0), ([large, nil], 9, 1), ([nil, large], 9, 0), ([large, small], 9, 1), ([small, large], 9, 0),
    ]
    for (places, latest, next) in cases {
      #expect(SequenceRecord.latest(places) == latest)
      #expect(SequenceRecord.nextPlace(places) == next)
    }
  }

  // MARK: - The clock

  @Test func `a commit whose number cannot be recorded gets none, and the next asks again`() throws {
    let isFull = Mutex(true)
    let recorded = Mutex<[UInt64]>([])
    let clock = CommitClock(recorded: 40, wallClock: { 100 }) { (through) throws(RequestError) in
      if isFull.withLock({ $0 }) { throw .sequenceNotRecorded(database: "shop", "No space left on device") }
      recorded.withLock { $0.append(through) }
    }
    #expect(throws: RequestError.self) { try clock.reserve() }
    #expect(clock.sequence == 40)
    isFull.withLock { $0 = false }
    try clock.reserve()
    #expect(clock.sequence == 40)
    #expect(clock.advance() == 101)
    try clock.reserve()
    #expect(clock.advance() == 102)
    #expect(recorded.withLock { $0 } == [100 + Self.block])
  }
}
