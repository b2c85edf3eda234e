/// The load run's figures as JSON and as text, and the numbers that its requests are made of.
import MartletValues
import Testing

@testable import MartletCommand

struct BenchReportTests {
  static let report = BenchReport(
    workload: "point-read", connections: 64, pipeline: 1, seconds: 2, operations: 100_001, errors: 3, rows: 200_000,
    median: 512.25, percentile99: 1_024, percentile999: 2_048.06)

  @Test func `the JSON has the agreed keys in their order`() {
    #expect(
      Self.report.json
        == #"{"workload":"point-read","connections":64,"pipeline":1,"seconds":2.000,"operations":100001,"errors":3,"#
        + #""ops_per_second":50000.5,"rows_per_second":100000.0,"p50_us":512.3,"p99_us":1024.0,"p999_us":2048.1}"#)
  }

  @Test func `a run that came to nothing divides by nothing`() {
    var empty = Self.report
    empty.seconds = 0
    #expect(empty.operationsPerSecond == 0)
    #expect(empty.rowsPerSecond == 0)
  }

  @Test(arguments: [
    (0.0, 1, "0.0"), (1.05, 1, "1.1"), (-1.25, 2, "-1.25"), (-0.001, 1, "0.0"), (1_234.5, 0, "1235"),
    (.infinity, 1, "0"),
    (0.05, 3, "0.050"),
  ])
  func `numbers are written with a fixed count of decimals`(value: Double, digits: Int, text: String) {
    #expect(BenchReport.fixed(value, digits) == text)
  }

  @Test func `no two inserts of a run share a value`() {
    var seen: Set<Int64> = []
    for connection in 0..<16 {
      for number in 0..<100 as Range<UInt64> {
        let value = BenchData.insertValue(run: 0xF_FFFF, connection: connection, number: number)
        #expect(value > 0)
        #expect(seen.insert(value).inserted)
      }
    }
  }

  @Test func `random keys stay within their bound and the seed decides them`() {
    var first = BenchRandom(seed: 7)
    var second = BenchRandom(seed: 7)
    var keys: Set<Int64> = []
    for _ in 0..<1_000 {
      let key = first.key(upTo: 10)
      #expect(key == second.key(upTo: 10))
      keys.insert(key)
    }
    #expect(keys == Set(1...10))
  }

  @Test func `items are the same in every run and fit a frame in bulk`() {
    let batch = BenchData.items(1..<(1 + BenchData.bulkRows), hasKey: false)
    #expect(batch == BenchData.items(1..<(1 + BenchData.bulkRows), hasKey: false))
    #expect(batch.columns.allSatisfy { $0.isWellFormed(rowCount: BenchData.bulkRows) })
    #expect(batch.byteCount < Limits().frameBytesMax * 3 / 4)
  }

  @Test func `of ten mixed requests eight read`() {
    let kinds = (0..<10 as Range<UInt64>).map { Workload.mixed.kind(number: $0) }
    #expect(kinds.count { $0 == .pointRead } == 8)
    #expect(kinds.count { $0 == .insert } == 1)
    #expect(kinds.count { $0 == .upsert } == 1)
  }
}
