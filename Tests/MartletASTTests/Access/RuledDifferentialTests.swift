/// Random trees under rules for tables: each does on a database with forbidden rows and columns what it does, with and
/// without the rules, on one that does not have them.
///
/// Always true: MARTLET_RULED_TREES says how many trees are tried, MARTLET_SEED where they begin.
import Foundation
import MartletAST
import MartletSQLite
import MartletValues
import Testing

@Suite struct RuledDifferentialTests {
  private static func setting(_ name: String, _ otherwise: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? otherwise
  }

  /// What came of all the trees.
  private struct Tally {
    var compared = 0
    /// Gave what they give without rules where nothing is forbidden.
    var likeTwin = 0
    /// Gave, row by row and word by word, what they give under the same rules where nothing is forbidden.
    var likeBare = 0
    var gaveRows = 0
    var changed = 0
    /// Of those, with an error.
    var failed = 0
    var refused = 0
  }

  /// What leaves open what a statement gives: LIMIT takes any of the rows that are equally early, a column beside an
  /// aggregate is any row's, an UPDATE takes any of several rows of its FROM, and uuid() is random.
  private static let openWords = [
    "LIMIT", "GROUP BY", "uuid()", "count(", "sum(", "avg(", "total(", "min(", "max(", "group_concat(", "OVER ",
    "json_group",
  ]

  /// A subquery that stands for a value is any of its rows.
  private static func hasScalarQuery(_ sql: String) -> Bool {
    let parts = sql.components(separatedBy: "(\n").dropLast()
    return parts.contains { part in
      !["FROM ", "JOIN ", "EXISTS ", "IN ", "AS ", "MATERIALIZED "].contains { part.hasSuffix($0) }
    }
  }

  /// Of two rows of a query with one key, the one that is found first is inserted.
  private static func isRace(_ sql: String) -> Bool {
    sql.contains("INSERT") && sql.contains("\nFROM ") && (sql.contains("OR IGNORE") || sql.contains("ON CONFLICT"))
  }

  private static func isCertain(_ sql: String, _ tree: ASTStatement) -> Bool {
    let hasFrom = tree.update.hasFrom || tree.with.body.update.hasFrom
    return !hasFrom && !hasScalarQuery(sql) && !openWords.contains { sql.contains($0) } && !isRace(sql)
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
        // Of what names these tables alone, text is refused, and what would take away others' rows.
        let isExpected = plain.holdsRaw || plain.sql.contains("OR REPLACE")
        #expect(isExpected && error.reason == .permission, "seed \(seed): \(error)")
        tally.refused += 1
        continue
      }
      for connection in databases.all { try TwinDatabases.run("BEGIN", on: connection) }
      let (full, twin, bare) = try databases.outcomes(of: (ruled, plain))
      let contents = try databases.contents()
      let hasFailed = full.failure != nil || twin.failure != nil
      // Of several errors SQLite finds any first.
      let isCertain = Self.isCertain(plain.sql, tree) && !hasFailed
      let isLikeTwin = !isCertain || (full.sorted == twin.sorted && contents.full == contents.twin)
      // The same SQL on what may be seen of the same: every row, in its order, and every word of an error.
      let isEqual = full == bare && contents.full == contents.bare
      // Between the two a second may have begun.
      let isRandom = ruled.sql.contains("uuid()") || (!isEqual && ruled.sql.contains("CURRENT_"))
      let isComparable = !isRandom && !full.failsByKey
      let isLikeBare = !isComparable || isEqual
      let isTold = (full.rows + [full.failure ?? ""]).contains { $0.contains(TwinDatabases.marker) }
      let isKept = try databases.forbidden() == untouched
      if !isLikeTwin || !isLikeBare || isTold || !isKept { failures += 1 }
      #expect(
        isLikeTwin && isLikeBare && !isTold && isKept,
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
