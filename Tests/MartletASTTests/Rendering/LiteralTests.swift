/// Literals, read back by the real library.
///
/// Always true: each value that SQLite gives is the one that the tree held, bit for bit.
import CSQLite
import Foundation
import MartletAST
import MartletTestSupport
import Testing

@Suite struct LiteralTests {
  private let probe = SQLiteProbe(schema: [])

  private func evaluate(_ literal: ASTExpression) throws -> (
    type: Int32, integer: Int64, real: Double, text: String, blob: [UInt8]
  ) {
    probe.evaluate(try StatementRenderer().render(.select { $0.columns = [.expression(literal)] }).sql)
  }

  @Test func `an integer is read back as itself`() throws {
    for value in [0, 1, -1, .max, .min, .min + 1, 1 << 53, -(1 << 53)] as [Int64] {
      for literal in [ASTExpression.literal(value), .call(.plus, .literal(value))] {
        let answer = try evaluate(literal)
        #expect(answer.type == SQLITE_INTEGER && answer.integer == value)
      }
    }
  }

  @Test func `a real is read back as itself`() throws {
    let values = [
      0, 1, -1, 0.1, -0.1, 1.0 / 3, .pi, 1e15, 1e16, 123_456_789.123, 1e-7, 1e22, 1e100, 1e-100,
      .greatestFiniteMagnitude,
      .infinity, -.infinity, 2.5e-10, 9_007_199_254_740_992,
    ]
    for value in values {
      let answer = try evaluate(.literal(value))
      #expect(answer.type == SQLITE_FLOAT && answer.real == value, "\(value)")
    }
    #expect(try evaluate(.literal(Double.nan)).type == SQLITE_NULL)
  }

  // To Swift a quote with an accent behind it is another character than a quote.
  @Test func `a name or a type ends where it ends, whatever stands within it`() throws {
    for mark in ["\"\u{308}", "\"\u{FE0F}", "\"\u{20DD}", "'\u{301}", "]\u{301}", "`\u{301}", ")\u{301}"] {
      let text = "x\(mark), b TEXT, c"
      for (tree, columns) in [
        (ASTStatement.createTable("t", [.column("a", "x\(mark) DEFAULT 7 --")]), 1),
        (.createTable("t", [.column(text), .column("z")]), 2),
        (.createTable("t\(text)", [.column("a", "INTEGER")]), 1),
      ] {
        let probe = SQLiteProbe(schema: [try StatementRenderer().render(tree).sql])
        let count = "SELECT count(*) FROM sqlite_schema AS s, pragma_table_info(s.name) WHERE dflt_value IS NULL"
        #expect(probe.evaluate(count).integer == Int64(columns), "\(text.debugDescription)")
      }
    }
  }

  @Test func `a text is read back as itself`() throws {
    for value in ["", "'", "''", "\"", "\\", "a\nb", "--", "/*", ";", "é", "e\u{301}", "🪶", "\u{feff}x", "%s", "?1"] {
      let answer = try evaluate(.literal(value))
      #expect(answer.type == SQLITE_TEXT && Array(answer.text.utf8) == Array(value.utf8))
    }
  }

  @Test func `a blob is read back as itself`() throws {
    for value in [[], [0], Array(0...255)] as [[UInt8]] {
      let answer = try evaluate(.literal(value))
      #expect(answer.type == SQLITE_BLOB && answer.blob == value)
    }
  }
}
