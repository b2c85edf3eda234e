/// Which tables are named when a transaction's foreign keys do not hold at its end.
import MartletEngine
import Testing

@Suite struct DeferredKeysTests {
  @Test(
    arguments: [
      ([("a", true)], ["a"]),
      ([("a", true), ("b", true), ("a", true)], ["a", "b"]),
      // What was mended is forgotten.
      ([("a", true), ("b", false), ("c", true)], ["c"]),
      ([("a", false), ("b", false)], []),
      ([("", true), ("a", true)], ["a"]),
      ([("a", true), ("b", true), ("c", true), ("d", true), ("e", true)], ["a", "b", "c", "d"]),
    ] as [([(String, Bool)], [String])])
  func `the tables that were written since all keys held`(
    statements: [(table: String, isViolated: Bool)], tables: [String]
  ) {
    var keys = DeferredKeys()
    for (table, isViolated) in statements {
      keys.statementEnded(isViolated: isViolated, writing: table.isEmpty ? [] : [table])
    }
    #expect(keys.tables == tables)
  }
}
