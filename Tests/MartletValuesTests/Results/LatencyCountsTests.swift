/// Counts of latencies as any server may send them.
import MartletValues
import Testing

@Suite struct LatencyCountsTests {
  @Test func `a percentile of more than a double counts exactly is found`() {
    let counts = LatencyCounts(kind: "read", boundsUs: [10, 20], counts: [1, .max - 1])
    #expect(counts.percentile(1) == 20 && counts.percentile(0) == 10)
  }
}
