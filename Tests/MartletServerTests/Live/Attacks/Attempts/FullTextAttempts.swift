import MartletAST
import MartletValues

/// Full-text tables of which some columns are hidden, and functions that read whatever index is open: what is asked of
/// one column must not be answered from another.
enum FullTextAttempts {
  static let all = searches + ranks + functions + open

  /// What each hidden cell begins with; and what none does.
  private static let word = "FORBIDDEN*"
  private static let none = "nothing*"

  private static func match(_ column: String, in table: String, _ pattern: String) -> ASTStatement {
    Ask.select(.column("title"), from: table) {
      $0.where = .call(.match, .column(column), .literal(pattern))
    }
  }

  private static func quiet(_ name: String, _ tree: @escaping Attempt.Tree) -> Attempt {
    Attempt(name: name, who: .tenant, hidden: word, invented: none, values: [], outcome: .nothing, tree: tree)
  }

  private static let searches: [Attempt] = [
    quiet("a hidden column in the pattern for another column") { match("title", in: "letters", "secret:" + $0) },
    quiet("the same as a function") { pattern in
      Ask.select(.column("title"), from: "letters") {
        $0.where = .function("match", .literal("secret:" + pattern), .column("title"))
      }
    },
    quiet("the same through a common table") { pattern in
      .with([.named("c", as: Ask.all("letters"))], match("title", in: "c", "secret:" + pattern))
    },
    quiet("the same in the condition of a join") { pattern in
      Ask.select(.column("plain", "id"), from: "plain") {
        $0.joins = [
          .join(
            .inner, .table("letters"), on: .call(.match, .column("letters", "title"), .literal("secret:" + pattern)))
        ]
      }
    },
    quiet("the same behind a view") { match("title", in: "letter_titles", "secret:" + $0) },
    quiet("the same in a delete") { pattern in
      .delete(from: "letters") { $0.where = .call(.match, .column("title"), .literal("secret:" + pattern)) }
    },
    quiet("the same in an update") { pattern in
      .update("letters") {
        $0.assignments = [.set("title", .literal("found"))]
        $0.where = .call(.match, .column("title"), .literal("secret:" + pattern))
      }
    },
  ]

  /// A statement can choose what FTS5 computes for `rank`.
  private static let rank = "highlight(1, '<', '>')"

  private static func ranked(_ table: String, _ column: String, _ symbol: ASTOperator) -> ASTStatement {
    Ask.select(.column(column), from: table) {
      $0.where = .call(
        .and, .call(.match, .column("title"), .literal("title")), .call(symbol, .column(column), .literal(rank)))
    }
  }

  private static let ranks: [Attempt] = [
    .fails("a hidden column as the rank of a row", .sqlite) { _ in ranked("papers", "rank", .match) },
    .fails("the same by equality", .sqlite) { _ in ranked("papers", "rank", .equal) },
    .fails("what is ranked behind a view", .sqlite) { _ in ranked("paper_ranks", "score", .match) },
    .fails("what is ranked behind a view by equality", .sqlite) { _ in ranked("paper_ranks", "score", .equal) },
    .fails("a hidden column that an update copies as the rank", .notAllowed) { _ in
      .update("papers") {
        $0.assignments = [.set("title", .column("rank"))]
        $0.where = .call(.equal, .column("rank"), .literal(rank))
      }
    },
    .fails("a hidden column that a delete asks as the rank", .notAllowed) { _ in
      .delete(from: "papers") {
        $0.where = .call(
          .and, .call(.equal, .column("rank"), .literal(rank)), .call(.like, .column("rank"), .literal("FORB%")))
      }
    },
  ]

  private static func call(_ name: String, _ index: ASTExpression) -> ASTExpression {
    let one = ASTExpression.literal(Int64(1))
    return switch name {
    case "bm25": .function(name, index)
    case "snippet":
      .function(name, index, one, .literal("<"), .literal(">"), .literal(""), .literal(Int64(9)))
    default: .function(name, index, one, .literal("<"), .literal(">"))
    }
  }

  /// The titles of papers are the numbers of indexes that are being read, one of them the right one.
  private static let functions: [Attempt] = ["highlight", "snippet", "bm25", "HIGHLIGHT"].flatMap { name in
    [
      Attempt.refused("\(name) of a column that holds an index's number") { _ in
        Ask.select(call(name, .column("title")), from: "papers")
      },
      .refused("\(name) of such a column beside a full-text table that is open") { _ in
        Ask.select(call(name, .column("papers", "title")), from: "papers") {
          $0.joins = [.join(.cross, .table("pages"))]
        }
      },
      .refused("\(name) of such a column with the name of an open table") { _ in
        .select {
          $0.columns = [.expression(call(name, .column("s", "pages")))]
          $0.from = .subquery(
            .select {
              $0.columns = [.expression(.column("title"), as: "Pages")]
              $0.from = .table("papers")
            }, as: "s")
        }
      },
      .refused("\(name) of such a column that a common table calls so") { _ in
        .with(
          [.named("c", columns: ["pages"], as: Ask.select(.column("title"), from: "papers"))],
          Ask.select(call(name, .column("c", "pages")), from: "c"))
      },
      .fails("\(name) of such a column that a view calls so", .notAllowed) { _ in
        Ask.select(call(name, .column("page_numbers", "pages")), from: "page_numbers")
      },
      .fails("\(name) of what a function calls like a full-text table", .notAllowed) { _ in
        .select {
          $0.columns = [.expression(call(name, .column("value")))]
          $0.from = .table("papers")
          $0.joins = [.join(.cross, .function("json_each", [.literal("[1,2,3]")]))]
        }
      },
      .refused("\(name) of a number") { _ in Ask.select(call(name, .literal(Int64(1))), from: "pages") },
      .refused("\(name) of a table that is hidden", .tenant, "diary") {
        Ask.select(call(name, .column($0)), from: "pages")
      },
      .refused("\(name) of a table of which a part is hidden", .tenant, "papers") {
        Ask.select(call(name, .column($0)), from: "papers")
      },
    ]
  }

  private static let open: [Attempt] = [
    .gives("a mark in a full-text table that is open", [[.text("<b>some</b> words")]]) {
      Ask.select(
        .function("highlight", .column("pages"), .literal(Int64(0)), .literal("<b>"), .literal("</b>")), from: "pages"
      ) { $0.where = .call(.match, .column("pages"), .literal("some")) }
    },
    .gives("titles of a full-text table of which a column is hidden", [[.integer(60)]]) {
      Ask.select(.function("count", .column("title")), from: "papers")
    },
  ]
}
