/// Random trees under rules for tables: each does on a database with forbidden rows and columns what it does, with and
/// without the rules, on one that does not have them.
///
/// Always true: MARTLET_RULED_TREES says how many trees are tried, MARTLET_SEED where they begin.
import Foundation
import MartletAST
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@Suite struct RuledDifferentialTests {
  private static func setting(_ name: String, _ otherwise: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? otherwise
  }

  /// What came of all the trees.
  private struct Tally {
    var compared = 0
    /// Gave what they give without rules if nothing is forbidden.
    var likeTwin = 0
    /// Gave, row by row and word by word, what they give under the same rules if nothing is forbidden.
    var likeBare = 0
    var gaveRows = 0
    var changed = 0
    /// Of those, with an error.
    var failed = 0
    var refused = 0
  }

  /// Whether the rows are the same but for which of them has which key.
  private static func areSame(_ rows: [String], _ others: [String]) -> Bool {
    func parts(_ rows: [String]) -> [[String]] {
      let cut = rows.map { $0.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) }
      return [cut.map { $0[0] }.sorted(), cut.map { $0.last ?? "" }.sorted()]
    }
    return parts(rows) == parts(others)
  }

  @Test func `a statement under rules does what it does where nothing is forbidden`() throws {
    let databases = try TwinDatabases()
    let untouched = try databases.forbidden()
    var tally = Tally()
    var failures = 0
    let start = Self.setting("MARTLET_SEED", 1)
    for seed in start..<start + Self.setting("MARTLET_RULED_TREES", 3_000) where failures < 5 {
      var generator = TreeGenerator(seed: seed)
      let tree = generator.statement()
      guard let plain = try? StatementRenderer().render(tree), plain.access != .schema else { continue }
      let ruled: RenderedStatement
      do {
        ruled = try StatementRenderer(rules: databases.rules).render(tree)
      } catch {
        // Of the statements that name only these tables, text is refused, and so is what would take away others' rows.
        let isExpected = plain.holdsRaw || plain.sql.contains("OR REPLACE") || generator.collides
        #expect(isExpected && error.reason == .permission, "seed \(seed): \(error)")
        tally.refused += 1
        continue
      }
      for connection in databases.all { try TwinDatabases.run("BEGIN", on: connection) }
      let (full, twin, bare) = try databases.outcomes(of: (ruled, plain))
      let contents = try databases.contents()
      let hasFailed = full.failure != nil || twin.failure != nil
      // Behind the largest key SQLite takes any that is free.
      let isFull = plain.sql.contains("INSERT") && contents.full.contains { $0.hasPrefix("i\(Int64.max)|") }
      // Of several errors SQLite finds any first.
      let isCertain = TreeCertainty.isCertain(plain.sql, tree) && !hasFailed && !isFull
      let isSame = full.sorted == twin.sorted && contents.full == contents.twin
      let isNumbered = TreeCertainty.insertsQuery(plain.sql) && Self.areSame(contents.full, contents.twin)
      let isAsMuch = full.changes == twin.changes && full.rows.count == twin.rows.count
      let isLikeTwin = !isCertain || isSame || (isNumbered && isAsMuch)
      // The same SQL on what may be seen of the same: every row, in its order, and every word of an error.
      let isEqual = full == bare && contents.full == contents.bare
      // Between the two a second may have begun.
      let isRandom = ruled.sql.contains("uuid()") || (!isEqual && (isFull || ruled.sql.contains("CURRENT_")))
      let isComparable = !isRandom && !full.failsByKey
      let isLikeBare = !isComparable || isEqual
      let isNamed = full.names == nil || twin.names == nil || full.names == twin.names
      let isTold = (full.rows + [full.failure ?? ""]).contains { $0.contains(TwinDatabases.marker) }
      let isKept = try databases.forbidden() == untouched
      let isRight = isLikeTwin && isLikeBare && isNamed && !isTold && isKept
      if !isRight { failures += 1 }
      #expect(
        isRight,
        "seed \(seed): \(full) \(twin) \(bare) told \(isTold) kept \(isKept)\n\(ruled.sql)\n\(plain.sql)")
      for connection in databases.all where !connection.isAutocommit {
        try TwinDatabases.run("ROLLBACK", on: connection)
      }
      tally.compared += 1
      tally.likeTwin += isCertain ? 1 : 0
      tally.likeBare += isComparable ? 1 : 0
      tally.gaveRows += full.rows.isEmpty ? 0 : 1
      tally.changed += full.changes > 0 ? 1 : 0
      tally.failed += isComparable && full.failure != nil ? 1 : 0
    }
    print("under rules: \(tally)")
    #expect(tally.gaveRows * 5 > tally.compared && tally.changed * 20 > tally.compared)
    #expect(tally.likeBare * 10 > tally.compared * 8 && tally.failed * 100 > tally.compared)
  }
}
