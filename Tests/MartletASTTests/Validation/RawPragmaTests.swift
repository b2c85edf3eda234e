/// Random texts against the real library: what it takes for a pragma needs the permission for pragmas.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@Suite struct RawPragmaTests {
  private static let pieces = [
    " ", "\n", "\t", "\u{FEFF}", "/**/", "/*;*/", "-- PRAGMA\n", ";", "EXPLAIN ", "QUERY PLAN ", "PRAGMA ", "pragma",
    "PrAgMa/**/", "main.", "\"main\" . ", "user_version", "[table_info]", "'table_list'", "(t)", "('t')", "=1",
    "SELECT * FROM ", "select 1 from", "pragma_table_info", "\"pragma_table_list\"", "`Pragma_user_version`",
    "'pragma_table_info'", "CREATE VIEW v AS ", "WITH w AS (", ")", "(", "w", ",", "defer_foreign_keys", ".", "t",
  ]
  /// Texts that SQLite may take whole, into which pieces are put.
  private static let skeletons = [
    ["PRAGMA ", "user_version"], ["EXPLAIN ", "PRAGMA ", "main", ".", "user_version"],
    ["PRAGMA ", "table_info", "(t)"],
    ["SELECT * FROM ", "pragma_table_info", "('t')"], ["SELECT * FROM ", "t", ",", "\"pragma_table_list\""],
    ["WITH w AS (", "select 1 from ", "`Pragma_user_version`", ")", "SELECT * FROM ", "w"],
    ["CREATE VIEW v AS ", "SELECT * FROM ", "main.", "pragma_table_list"], ["PRAGMA ", "defer_foreign_keys", "=1"],
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    var text = ""
    guard Bool.random(using: &random) else {
      for _ in 0..<Int.random(in: 1...8, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
      return text
    }
    for part in skeletons.randomElement(using: &random) ?? [] {
      if Bool.random(using: &random) { text += pieces.randomElement(using: &random) ?? "" }
      text += part
    }
    return text
  }

  @Test func `whatever SQLite takes for a pragma is found, in the middle of anything`() throws {
    let probe = SQLiteProbe(schema: ["CREATE TABLE t (a)"])
    var random = SeededGenerator(seed: 1)
    var found = 0
    for _ in 0..<40_000 {
      let text = Self.text(&random)
      let answer = probe.prepare(text)
      let asked =
        answer.pragmas.subtracting(["defer_foreign_keys"])
        .union(answer.tables.filter { $0.lowercased().hasPrefix("pragma_") })
      guard answer.error.isEmpty, !asked.isEmpty else { continue }
      found += 1
      let needs = try StatementRenderer().render(.raw(text)).needs
      #expect(needs.contains(.pragmas), "\(text.debugDescription) asks \(asked)")
    }
    #expect(found > 500)
  }
}
