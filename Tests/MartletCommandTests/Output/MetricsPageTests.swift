/// What docs/METRICS.md says of numbers: of each counter, and of each key of `martlet status --json`.
import Foundation
import MartletValues
import Testing

@testable import MartletCommand

@Suite struct MetricsPageTests {
  private static let page: String = {
    let file = URL(filePath: #filePath).appending(path: "../../../../docs/METRICS.md").standardized
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  @Test func `each counter's words are those of the page`() {
    for (names, words) in ServerCounterNames.meanings {
      let row = "| \(names.map { "`\($0)`" }.joined(separator: " ")) | \(words) |"
      #expect(Self.page.contains(row), "\(row)")
    }
    #expect(ServerCounterNames.meaning(of: "group_size_2") == "commits that writes shared, and how many did")
    #expect(ServerCounterNames.meaning(of: "none") == "")
  }

  /// The first cells of the table.
  private var documentedKeys: Set<String> {
    let table = Self.page.components(separatedBy: "| key of `--json` |").dropFirst().first?.components(
      separatedBy: "\n\n")
    let cells = table?.first?.split(separator: "\n").compactMap { $0.split(separator: "|").first } ?? []
    return Set(cells.flatMap { $0.matches(of: /`([a-z_0-9.\[\]]+)`/).map { String($0.1) } })
  }

  @Test func `each key of the status as JSON is explained, and no other`() throws {
    let after = Inspection(
      counters: [.init(name: "requests", value: 3)],
      shapes: [
        ShapeStatistics(
          shape: ShapeID(high: 1, low: 2), database: "shop", sql: "SELECT 1", executions: 1, errors: 0, rows: 1,
          microseconds: 5)
      ], latencies: [LatencyCounts(kind: "read", boundsUs: [10], counts: [3], microseconds: 20)],
      sessions: [SessionInfo(id: 1, peer: "p", client: "c", database: "shop")])
    let text = try StatusJSON.text(StatusDifference(before: Inspection(), after: after, seconds: 1), database: nil)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let lists = try ["latencies", "sessions", "shapes"].flatMap { name in
      try #require((object[name] as? [[String: Any]])?.first).keys.map { "\(name)[].\($0)" }
    }
    #expect(Set(lists).union(object.keys) == documentedKeys)
  }
}
