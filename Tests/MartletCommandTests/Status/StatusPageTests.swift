/// The page of a server that says absurd numbers.
import MartletClient
import MartletValues
import Testing

@testable import MartletCommand

struct StatusPageTests {
  private static let names = [
    "requests", "requests_inline", "rows_sent", "bytes_received", "bytes_sent", "commits", "group_commits",
    "group_members", "group_size_1", "oldest_snapshot_age_ms", "plan_hits", "uptime_ms", "databases_fenced",
  ]

  private static func inspection(_ value: Int64, _ count: UInt64, groups: Int64? = nil) -> Inspection {
    Inspection(
      counters: names.map { .init(name: $0, value: $0 == "group_commits" ? groups ?? value : value) },
      shapes: (0..<3).map { _ in
        ShapeStatistics(
          shape: ShapeID(high: 1, low: 2), database: "d", sql: "SELECT 1", executions: count, errors: count,
          rows: count, microseconds: count)
      }, latencies: [LatencyCounts(kind: "read", boundsUs: [10, 20], counts: [1, count], microseconds: count)],
      sessions: (1...3).map {
        SessionInfo(id: $0, peer: "1.2.3.4:5", client: "c", database: "d", ageMs: count, requests: count)
      })
  }

  @Test(arguments: [Int64.max, .min, 0])
  func `any numbers of a server make a page`(value: Int64) {
    for former in [Int64.max, .min, 0] {
      let difference = StatusDifference(
        before: Self.inspection(former, 0), after: Self.inspection(value, .max, groups: former < 0 ? 1 + former : 1),
        seconds: 0)
      let page = StatusPage(difference: difference, server: "martlet://localhost", database: nil)
      #expect(page.lines(width: 100).count > 8)
      #expect(throws: Never.self) { try StatusJSON.text(difference, database: nil) }
    }
  }

  @Test func `a change beyond 64 bits is the greatest`() {
    let up = StatusDifference(before: Self.inspection(.min, 0), after: Self.inspection(.max, 0), seconds: 1)
    #expect(up.change("commits") == .max)
    let down = StatusDifference(before: Self.inspection(.max, 0), after: Self.inspection(.min, 0), seconds: 1)
    #expect(down.change("commits") == 0)
  }
}
