/// `martlet bench` with runs of a fraction of a second: its JSON, its tables, and a server that dies under it.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletCommand

struct BenchCommandTests {
  let shop: ServedShop
  var folder: TemporaryFolder { shop.folder }
  var server: ServerProcess { shop.server }
  var url: String { shop.url }

  init() throws { shop = try ServedShop("bench") }

  func report(_ outcome: Martlet.Outcome) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any], "\(outcome)")
  }

  @Test(arguments: Workload.allCases)
  func `each workload runs and reports`(workload: Workload) throws {
    if workload == .ping {
      let mistyped = try Martlet.run(["bench", "ping", "--url", url, "--duration", "0.1"])
      #expect(mistyped.status == 1 && mistyped.complaint.contains("martlet databases create"), "\(mistyped)")
      try #require(try Martlet.run(["sql", "--create", url, "select 1"]).status == 0)
    }
    let outcome = try Martlet.run([
      "bench", workload.rawValue, "--url", url, "--connections", "3", "--pipeline", "2", "--duration", "0.2", "--rows",
      "2000", "--json",
    ])
    #expect(outcome.status == 0, "\(outcome.complaint)")
    let report = try report(outcome)
    #expect(Set(report.keys) == Set(BenchReport.jsonKeys))
    #expect(report["workload"] as? String == workload.rawValue)
    #expect(report["errors"] as? Int == 0)
    let operations = try #require(report["operations"] as? Int)
    #expect(operations > 0)
    switch workload {
    case .insert: #expect(try shop.count("inserts") == operations)
    case .bulkInsert: #expect(try shop.count("bulk_items") == operations * BenchData.bulkRows)
    case .pointRead, .scan: #expect(try shop.count("items") == 2_000)
    default: break
    }
  }

  @Test(arguments: TPCBLoad.Mode.allCases)
  func `transactions of a bank run in each mode, and its sums are compared`(mode: TPCBLoad.Mode) throws {
    let words = [
      "bench", "tpcb", "--url", url, "--mode", mode.rawValue, "--clients", "3", "--scale", "1", "--duration", "0.2",
      "--json",
    ]
    var transactions = 0
    for _ in 1...2 {
      let outcome = try Martlet.run(words)
      #expect(outcome.status == 0, "\(outcome.complaint)")
      let report = try report(outcome)
      #expect(Set(report.keys) == Set(BenchReport.jsonKeys))
      #expect(report["workload"] as? String == "tpcb \(mode.rawValue)")
      #expect(report["errors"] as? Int == 0)
      let operations = try #require(report["operations"] as? Int)
      #expect(operations > 0)
      transactions += operations
      #expect(try shop.count("tpcb_history") == transactions)
    }
    #expect(try shop.count("tpcb_branches") == 1)
    #expect(try shop.count("tpcb_tellers") == 10)
    #expect(try shop.count("tpcb_accounts") == 100_000)
    for balance in ["tpcb_branches set bbalance = bbalance", "tpcb_tellers set tbalance = tbalance"] {
      for change in ["+ 1", "- 1"] {
        #expect(try Martlet.run(["sql", url, "update \(balance) \(change) where rowid = 1"]).status == 0)
        guard change == "+ 1" else { continue }
        let outcome = try Martlet.run(words)
        #expect(outcome.status == 3)
        #expect(outcome.complaint.contains("The sums differ"), "\(outcome.complaint)")
      }
    }
    // What was made wrong and right again is no longer found.
    #expect(try Martlet.run(words).status == 0)
    // Another scale is another bank.
    let larger = try Martlet.run(words.map { $0 == "1" ? "2" : $0 })
    #expect(larger.status == 0, "\(larger.complaint)")
    #expect(try shop.count("tpcb_accounts") == 200_000)
  }

  @Test func `a bank is as it should be or told of`() {
    let before = TPCBBank.Sums(branches: 5, tellers: 5, accounts: 5, history: 5, transactions: 10)
    var after = TPCBBank.Sums(branches: 9, tellers: 9, accounts: 9, history: 9, transactions: 12)
    #expect(TPCBBank.fault(before: before, after: after, acknowledged: 2) == nil)
    // One more may have been carried out than was heard of.
    #expect(TPCBBank.fault(before: before, after: after, acknowledged: 1) == nil)
    #expect(TPCBBank.fault(before: before, after: after, acknowledged: 3)?.contains("2 rows more") == true)
    for path in [\TPCBBank.Sums.branches, \.tellers, \.accounts, \.history] {
      after[keyPath: path] += 1
      #expect(TPCBBank.fault(before: before, after: after, acknowledged: 2)?.contains("differ") == true)
      after[keyPath: path] -= 1
    }
  }

  @Test func `the values of acknowledged inserts are in the table`() throws {
    let ids = folder.path + "/ids"
    let outcome = try Martlet.run([
      "bench", "insert", "--url", url, "--connections", "8", "--duration", "0.3", "--ids-file", ids, "--json",
    ])
    let values = try String(contentsOfFile: ids, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(values.count == (try report(outcome))["operations"] as? Int)
    let table = try Martlet.run(["sql", url, "select value from inserts", "--format", "csv"])
    #expect(Set(table.lines.dropFirst()) == Set(values))
  }

  @Test func `what was acknowledged is told when the server dies`() async throws {
    let made = try Martlet.run(["sql", "--create", url, "select 1"])
    #expect(made.status == 0)
    let target = url
    let run = Task.detached {
      try Martlet.run(["bench", "insert", "--url", target, "--connections", "4", "--duration", "30", "--json"])
    }
    // Until the first inserts are there.
    try await suspendUntil("no insert was seen", within: .seconds(30)) {
      let seen = try Martlet.run(["sql", url, "select count(*) from inserts", "--format", "csv"])
      return (seen.lines.last.flatMap { Int($0) } ?? 0) > 0
    }
    server.kill()
    let ended = try await run.value
    #expect(ended.status == 2)
    let report = try report(ended)
    #expect(Set(report.keys) == Set(BenchReport.jsonKeys))
    let operations = try #require(report["operations"] as? Int)
    #expect(operations > 0)
    let restarted = try ServerProcess(directory: folder.path + "/data")
    let rows = try Martlet.run([
      "sql", restarted.url(database: "bench"), "select count(*) from inserts", "--format", "csv",
    ])
    // Each of the four may have had one more on its way.
    let count = try #require(rows.lines.last.flatMap { Int($0) })
    #expect((operations...(operations + 4)).contains(count))
  }
}
