/// Conditions on rows: what is one, and what is known of it.
import MartletValues
import Testing

@Suite struct RowRuleTests {
  @Test func `a condition is its text with claims as parts`() throws {
    let table: [(String, [RowRule.Part])] = [
      ("a = 1", [.sql("a = 1")]),
      ("tenant = claim('t')", [.sql("tenant = "), .claim("t")]),
      ("CLAIM ( 'a-b_1' ) IS NULL", [.sql(""), .claim("a-b_1"), .sql(" IS NULL")]),
      ("'claim(''x'')' = a", [.sql("'claim(''x'')' = a")]),
      ("\"claim\" = [claim] AND `claim` = 1", [.sql("\"claim\" = [claim] AND `claim` = 1")]),
      ("a - -1 = x'3b'", [.sql("a - -1 = x'3b'")]),
    ]
    for (text, parts) in table { #expect(try RowRule(text).parts == parts, "\(text)") }
    let rule = try RowRule(
      "Team IN (SELECT team FROM \"My Members\" WHERE who = claim('n')) OR claim('m') = claim('n')")
    #expect(rule.claims == ["n", "m"])
    #expect(rule.words == ["team", "in", "select", "from", "my members", "where", "who", "or"])
  }

  @Test(arguments: [
    "", "  ", "a) OR (1", "(a", "a)", "a; DROP TABLE t", "a -- x", "a /* x */", "a = ?1", "a = :x", "a = @x", "a = $x",
    "'a", "\"a", "[a", "a\0", "'a\0'", "claim", "claim()", "claim(x)", "claim('')", "claim('a b')", "claim('a'",
    "claim('a', 'b')", String(repeating: "a", count: RowRule.bytesMax + 1),
  ]) func `what could be more or less than one expression is refused`(_ text: String) {
    #expect(throws: RowRule.Invalid.self) { try RowRule(text) }
  }

  @Test func `rules that say the same have one id, and others another`() throws {
    func rules(_ text: String, _ read: [String]? = nil, _ name: String = "t") throws -> TableRules {
      TableRules([name: TableRule(readColumns: read, rows: try RowRule(text))])
    }
    let first = try rules("a = 1")
    #expect(try first == rules("a = 1") && first == rules("a = 1", nil, "T"))
    for other in try [rules("a = 2"), rules("a = 1", ["a"]), rules("a = 1", nil, "u"), TableRules([:])] {
      #expect(first != other)
    }
    let shape = ShapeID(high: 1, low: 2)
    #expect(try Restriction(rules: first).key(of: shape) != Restriction(rules: rules("a = 2")).key(of: shape))
  }
}
