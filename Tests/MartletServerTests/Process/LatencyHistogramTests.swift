/// The ranges that latencies are counted in, and what is said of them.
import MartletValues
import Testing

@testable import MartletServer

@Suite struct LatencyHistogramTests {
  @Test func `each range ends where the next one begins, and none is wider than a quarter`() {
    for range in 0..<LatencyHistogram.rangeCount - 1 {
      // In units of 1,024 nanoseconds, in which the ranges are exact.
      let ends = (0..<40).flatMap { exponent in (4...8).map { UInt64($0) << UInt64(exponent) } }
      let end =
        range < 4 ? UInt64(range) + 1 : ends.filter { LatencyHistogram.range(of: ($0 - 1) << 10) == range }.max()
      guard let end, end < 1 << 40 else { continue }
      #expect(LatencyHistogram.range(of: (end << 10) - 1) == range)
      #expect(LatencyHistogram.range(of: end << 10) == range + 1)
      #expect(LatencyHistogram.boundUs(range) == (end << 10) / 1_000)
    }
    #expect(LatencyHistogram.range(of: 0) == 0)
    #expect(LatencyHistogram.range(of: .max) == LatencyHistogram.rangeCount - 1)
    let minute = LatencyHistogram.range(of: 60_000_000_000)
    #expect(minute < LatencyHistogram.rangeCount - 1, "a minute has a range of its own")
  }

  @Test func `percentiles are within a quarter of what was noted`() throws {
    var histogram = LatencyHistogram()
    for us in 1...1_000 { histogram.note(.read, nanoseconds: UInt64(us) * 1_000) }
    histogram.note(.finish, nanoseconds: .max)
    let counts = histogram.counted
    #expect(counts.map(\.kind) == ["read", "finish"])
    let reads = try #require(counts.first)
    #expect(reads.count == 1_000 && reads.microseconds == 500_500)
    for (fraction, exact) in [(0.5, 500), (0.9, 900), (0.99, 990), (1, 1_000)] as [(Double, Double)] {
      let found = Double(try #require(reads.percentile(fraction)))
      #expect(found >= exact && found <= exact * 1.26, "\(fraction): \(found)")
    }
    #expect(LatencyCounts(kind: "x").percentile(0.5) == nil)
  }

  @Test func `a difference holds what came in between`() {
    var histogram = LatencyHistogram()
    for us in [10, 20, 3_000] as [UInt64] { histogram.note(.write, nanoseconds: us * 1_000) }
    let before = histogram.counted[0]
    for us in [20, 90_000] as [UInt64] { histogram.note(.write, nanoseconds: us * 1_000) }
    let rest = histogram.counted[0].since(before)
    #expect(rest.count == 2 && rest.microseconds == 90_020)
    #expect(rest.boundsUs.count == 2 && rest.boundsUs[0] >= 20 && rest.boundsUs[1] >= 90_000)
    #expect(before.since(histogram.counted[0]).count == 0, "a server that was started anew")
    var other = LatencyHistogram()
    other.add(histogram)
    other.add(histogram)
    #expect(other.counted[0].count == 10)
  }

  @Test func `values are gone from masked SQL, and everything else is there`() {
    let table: [(String, String)] = [
      ("SELECT * FROM t WHERE a = 'it''s me' AND b = 12.5e-3", "SELECT * FROM t WHERE a = ? AND b = ?"),
      ("select x'00ff', X'AB', 0x1F, .5, t1.c2 from t1", "select ?, ?, ?, ?, t1.c2 from t1"),
      ("select \"secret\" , `x` from [t 1]", "select ? , ? from [t ?]"),
      ("insert into t values (?1, :name, @x2, $y)", "insert into t values (?1, :name, @x2, $y)"),
      ("select 1 -- password 'x'\nfrom t /* 2 'y' */ where c", "select ?  \nfrom t   where c"),
      ("select 'not closed and 5", "select ?"), ("select /* not closed 5", "select  "), ("", ""),
      ("update größe set ä1 = 'ü' where max'x'", "update größe set ä1 = ? where max?"),
    ]
    for (sql, masked) in table { #expect(SQLMask.withoutValues(sql) == masked, "\(sql)") }
  }

  @Test func `what a client calls itself cannot steer a terminal`() {
    #expect(PrintableText.of("a\u{1B}[2Jb\n\u{202E}c\u{9B}é", lengthMax: 64) == "a?[2Jb??c?é")
    #expect(PrintableText.of(String(repeating: "x", count: 100), lengthMax: 64).count == 64)
  }
}
