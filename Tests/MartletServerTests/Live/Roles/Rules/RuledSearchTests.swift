/// Random searches of a client with rules for tables: an index tells nothing of what is hidden in it.
///
/// Always true: MARTLET_RULED_SEARCHES says how many statements are tried, MARTLET_SEED where they begin.
import Foundation
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct RuledSearchTests {
  private static func setting(_ name: String, _ otherwise: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? otherwise
  }

  @Test func `what is hidden in an index, a view or a table changes no answer`() throws {
    let twins = try SearchTwins()
    let hidden = try twins.hidden()
    #expect(hidden.count == 60)
    var (compared, answered, gaveRows, changed, failures) = (0, 0, 0, 0, 0)
    let start = Self.setting("MARTLET_SEED", 1)
    for seed in start..<start + Self.setting("MARTLET_RULED_SEARCHES", 1_200) where failures < 5 {
      var generator = SearchGenerator(seed: seed)
      let tree = generator.statement()
      let (full, bare) = (try twins.outcome("full", tree), try twins.outcome("bare", tree))
      // A pattern that the client wrote itself may come back to it; no pattern is a whole cell.
      let isTold = (full.rows + full.contents).contains { $0.contains(SearchTwins.marker + " tea ") }
      if full != bare || isTold {
        failures += 1
        let sql = (try? StatementRenderer().render(tree).sql) ?? "\(tree)"
        Issue.record("seed \(seed), told \(isTold): \(sql)\n\(full)\n\(bare)")
      }
      compared += 1
      answered += full.failure == nil ? 1 : 0
      gaveRows += full.rows.isEmpty ? 0 : 1
      changed += full.changed > 0 ? 1 : 0
    }
    print(
      "searches under rules: \(compared), \(answered) answered, \(gaveRows) with rows, \(changed) changed something")
    #expect(try twins.hidden() == hidden)
    #expect(answered * 4 > compared && gaveRows * 8 > compared && changed * 100 > compared)
  }
}
