/// A bucket of tokens at odd moments, with numbers that nobody would write.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct TokenBucketTests {
  private func at(_ nanoseconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

  @Test func `a full bucket gives its burst at once and then one token at a time`() {
    var bucket = TokenBucket(rate: 3, burst: 5, now: at(100))
    for _ in 0..<5 {
      #expect(bucket.has(1, now: at(100)) == true)
      bucket.take(1, now: at(100))
    }
    #expect(bucket.has(1, now: at(100)) == false)
    // A third of a second is no whole number of nanoseconds: the token is there with the first that is not before it.
    #expect(bucket.has(1, now: at(100 + 333_333_333)) == false)
    #expect(bucket.has(1, now: at(100 + 333_333_334)) == true)
    bucket.take(1, now: at(100 + 333_333_334))
    #expect(bucket.has(1, now: at(100 + 666_666_666)) == false)
    #expect(bucket.has(1, now: at(100 + 666_666_667)) == true)
  }

  @Test func `looking often, or rarely, gives the same tokens`() {
    var generator = SeededGenerator(seed: 7)
    for rate in [1, 3, 7, 999, 1_000_000] {
      var often = TokenBucket(rate: rate, burst: rate, now: at(0))
      var rarely = often
      often.take(rate, now: at(0))
      rarely.take(rate, now: at(0))
      var now: UInt64 = 0
      let end: UInt64 = 900_000_000
      while now < end {
        now = min(end, now + UInt64.random(in: 1...3_000_000, using: &generator))
        _ = often.has(1, now: at(now))
      }
      _ = rarely.has(1, now: at(end))
      #expect(often == rarely, "\(rate)")
    }
  }

  @Test func `in any second no more than burst and rate are given`() {
    var generator = SeededGenerator(seed: 11)
    for (rate, burst) in [(1, 1), (10, 3), (100, 250), (1_000, 1)] {
      var bucket = TokenBucket(rate: rate, burst: burst, now: at(5))
      var given: [UInt64] = []
      var now: UInt64 = 5
      for _ in 0..<20_000 {
        now += UInt64.random(in: 0...2_000_000_000 / UInt64(rate) / 4, using: &generator)
        guard bucket.has(1, now: at(now)) else { continue }
        bucket.take(1, now: at(now))
        given.append(now)
      }
      var first = 0
      for (index, moment) in given.enumerated() {
        while moment - given[first] >= 1_000_000_000 { first += 1 }
        #expect(index - first + 1 <= rate + burst, "\(rate) \(burst)")
      }
      #expect(given.count > 1)
    }
  }

  @Test func `a clock that is far ahead, at its end or a little behind does no harm`() {
    var bucket = TokenBucket(rate: 1_000_000, burst: 1_000_000, now: at(1_000))
    bucket.take(1_000_000, now: at(1_000))
    #expect(bucket.has(1, now: at(900)) == false)
    #expect(bucket.has(1, now: at(1_000)) == false)
    #expect(bucket.isFull(now: .distantFuture) == true)
    bucket.take(1, now: at(1_000))
    #expect(bucket.isFull(now: at(5_000)) == false)
    #expect(bucket.has(999_999, now: at(5_000)) == true)
  }

  @Test func `numbers beyond all bounds are cut to them`() {
    var bucket = TokenBucket(rate: .max, burst: .max, now: at(1))
    for _ in 0..<1_000 { bucket.take(.max, now: at(1)) }
    #expect(!bucket.has(1, now: at(1)) && bucket.isFull(now: .distantFuture))
    var least = TokenBucket(rate: .min, burst: 0, now: at(1))
    #expect(least.has(0, now: at(1)) == true)
    least.take(-5, now: at(1))
    #expect(!least.has(1, now: at(1_000_000_000)) && least.has(1, now: at(1_000_000_001)))
  }

  @Test func `whoever takes more than the burst owes the rest`() {
    var bucket = TokenBucket(rate: 10, burst: 10, now: at(0))
    #expect(bucket.has(1_000, now: at(0)) == true)
    bucket.take(1_000, now: at(0))
    #expect(bucket.has(1, now: at(99_000_000_000)) == false)
    #expect(bucket.has(1, now: at(99_100_000_000)) == true)
    // A batch waits for a full bucket.
    #expect(!bucket.has(1_000, now: at(99_100_000_000)) && bucket.has(1_000, now: at(100_000_000_000)))
  }

  @Test func `other numbers hold from the moment of a reload`() {
    var bucket = TokenBucket(rate: 10, burst: 100, now: at(0))
    bucket.change(rate: 10, burst: 5, now: at(0))
    bucket.take(5, now: at(0))
    #expect(bucket.has(1, now: at(0)) == false)
    bucket.change(rate: 1_000, burst: 1_000, now: at(0))
    #expect(!bucket.has(1, now: at(0)) && bucket.has(1, now: at(1_000_000)))
    #expect(!bucket.has(2, now: at(1_000_000)) && bucket.has(1_000, now: at(1_000_000_000)))
  }
}
