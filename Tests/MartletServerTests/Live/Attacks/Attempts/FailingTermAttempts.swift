import MartletAST
import MartletValues

/// Terms that fail wherever they are asked, beside one by which an index finds a row of another: whether they are asked
/// must not tell that there is such a row.
enum FailingTermAttempts {
  static let all = terms.flatMap { name, values, outcome, term in
    statements.map { kind, statement in
      // Not an equality: SQLite would make a constant of it and evaluate the term with that.
      attempt("\(name), \(kind)", values, outcome) {
        statement(.call(.between, .column("notes", "title"), .literal($0), .literal($0)), term)
      }
    }
  }

  /// What comes of a term, whether it is asked or not.
  private enum Ending {
    /// It is asked of one's own rows only, or of no row: whether others have such a row makes no difference.
    case nothing
    /// It is refused before anything runs.
    case refused
  }

  private static func attempt(
    _ name: String, _ values: [Value], _ ending: Ending, _ tree: @escaping Attempt.Tree
  ) -> Attempt {
    Attempt(
      name: name, who: .tenant, hidden: "n2", invented: "n9", values: values,
      outcome: ending == .nothing ? .nothing : .fails(.sqlite), tree: tree)
  }

  private typealias Statement = @Sendable (_ key: ASTExpression, _ term: ASTExpression) -> ASTStatement

  private static let statements: [(String, Statement)] = [
    (
      "in a query",
      { key, term in
        Ask.notes {
          $0.orderBy = []
          $0.where = .call(.and, key, term)
        }
      }
    ),
    (
      "in a join",
      { key, term in
        Ask.select(.column("plain", "id"), from: "plain") {
          $0.joins = [.join(.inner, .table("notes"), on: .call(.and, key, term))]
        }
      }
    ),
    (
      "in an inner query",
      { key, term in
        Ask.plain {
          $0.where = .exists(Ask.select(.column("title"), from: "notes") { $0.where = .call(.and, key, term) })
        }
      }
    ),
    ("in an update", { key, term in Ask.update { $0.where = .call(.and, key, term) } }),
    ("in a delete", { key, term in Ask.delete { $0.where = .call(.and, key, term) } }),
  ]

  private static let long = String(repeating: "x", count: 60_000)
  private static let title = ASTExpression.column("notes", "title")
  private static let first = ASTExpression.parameter(1)

  /// `title <> (SELECT …)`
  private static func differs(from query: ASTStatement) -> ASTExpression {
    .call(.notEqual, title, .subquery(query))
  }

  private static func counted(_ query: ASTStatement) -> ASTExpression {
    differs(
      from: .select {
        $0.columns = [.expression(.countAll)]
        $0.from = .subquery(query)
      })
  }

  private static func one(_ change: (inout ASTSelect) -> Void) -> ASTStatement {
    .select {
      $0.columns = [.expression(.literal(Int64(1)))]
      change(&$0)
    }
  }

  private static func framed(_ frame: ASTFrame) -> ASTExpression {
    differs(
      from: Ask.select(
        .function("count", .column("id")) { $0.over.window = .over(orderBy: [.by(.column("id"))], frame: frame) },
        from: "plain"))
  }

  private static func matched(_ column: String, _ symbol: ASTOperator, _ text: String) -> ASTExpression {
    counted(Ask.select(.column("text"), from: "pages") { $0.where = .call(symbol, .column(column), .literal(text)) })
  }

  private static let terms: [(String, [Value], Ending, ASTExpression)] = patterns + bounds + frames + texts

  private static let patterns: [(String, [Value], Ending, ASTExpression)] = [
    ("a long pattern of LIKE", [], .nothing, .call(.like, title, .literal(long))),
    ("a long pattern of NOT LIKE", [], .nothing, .call(.notLike, title, .literal(long))),
    ("a long pattern of GLOB", [], .nothing, .call(.glob, title, .literal(long))),
    ("a pattern of 257 bytes", [], .nothing, .call(.like, title, .literal(String(long.prefix(257))))),
    (
      "a pattern of 100 characters of 3 bytes", [], .nothing,
      .call(.notGlob, title, .literal(String(repeating: "€", count: 100)))
    ),
    ("a long pattern that is a blob", [], .nothing, .call(.like, title, .literal([UInt8](repeating: 65, count: 300)))),
    ("a long pattern as a value", [.text(long)], .refused, .call(.like, title, first)),
    ("a long pattern of GLOB as a value", [.text(long)], .refused, .call(.glob, title, first)),
    ("a long pattern as a blob", [.blob([UInt8](repeating: 65, count: 300))], .refused, .call(.notLike, title, first)),
    (
      "a long pattern as a value that is collated", [.text(long)], .nothing,
      .call(.like, title, .collate(first, "NOCASE"))
    ),
    ("a long pattern from a query", [.text(long)], .nothing, .call(.like, title, .subquery(Ask.value(first)))),
    ("a long pattern behind a cast", [.text(long)], .nothing, .call(.like, title, .cast(first, as: "TEXT"))),
    (
      "a pattern with an escape that is none", [.text("ab")], .nothing,
      .call(.like, title, .literal("x"), first)
    ),
    ("LIKE as a function", [.text(long)], .nothing, .function("like", first, title)),
  ]

  private static let bounds: [(String, [Value], Ending, ASTExpression)] = [
    ("a text as a LIMIT", [.text("x")], .refused, counted(one { $0.limit = first })),
    (
      "a text as a LIMIT beside IN", [.text("x")], .refused,
      .call(.notIn, title, .subquery(one { $0.limit = first }))
    ),
    ("NULL as a LIMIT", [.null], .refused, differs(from: one { $0.limit = first })),
    ("half a row as a LIMIT", [.real(0.5)], .refused, differs(from: one { $0.limit = first })),
    ("a blob as a LIMIT", [.blob([1])], .refused, differs(from: one { $0.limit = first })),
    (
      "a text as an OFFSET", [.text("x")], .refused,
      counted(
        one {
          $0.limit = .literal(Int64(1))
          $0.offset = first
        })
    ),
    (
      "a text as the LIMIT of a union", [.text("x")], .refused,
      counted(.compound(one { _ in }, [(.unionAll, one { _ in })]) { $0.limit = first })
    ),
    ("a LIMIT that is written as a text", [], .nothing, counted(one { $0.limit = .literal("x") })),
    ("a LIMIT that is no number", [], .nothing, counted(one { $0.limit = .null })),
    ("a LIMIT out of a query", [.text("x")], .nothing, counted(one { $0.limit = .subquery(Ask.value(first)) })),
    (
      "a LIMIT that is calculated", [.text("0.5")], .nothing,
      counted(one { $0.limit = .call(.add, first, .literal(Int64(1))) })
    ),
    (
      "an OFFSET that is calculated", [.text("0.5")], .nothing,
      counted(
        one {
          $0.limit = .literal(Int64(1))
          $0.offset = .call(.negate, first)
        })
    ),
  ]

  private static let frames: [(String, [Value], Ending, ASTExpression)] = [
    (
      "a text as the beginning of a frame", [.text("x")], .nothing,
      framed(.between(.rows, .at(.preceding, first), .at(.currentRow)))
    ),
    (
      "a text as the end of a frame", [.text("x")], .nothing,
      framed(.between(.rows, .at(.currentRow), .at(.following, first)))
    ),
    (
      "a frame that begins below zero", [.integer(-1)], .nothing,
      framed(.between(.rows, .at(.preceding, first), .at(.currentRow)))
    ),
    (
      "a frame that begins at a text", [], .nothing,
      framed(.between(.range, .at(.preceding, .literal("x")), .at(.currentRow)))
    ),
    (
      "a frame of groups below zero", [], .nothing,
      framed(.between(.groups, .at(.preceding, .call(.negate, .literal(Int64(1)))), .at(.currentRow)))
    ),
    (
      "a window with a name and a text", [.text("x")], .nothing,
      differs(
        from: .select {
          $0.columns = [.expression(.function("count", .column("id")) { $0.over.name = "w" })]
          $0.from = .table("plain")
          var window = ASTNamedWindow()
          window.name = "w"
          window.window = .over(
            orderBy: [.by(.column("id"))], frame: .between(.rows, .at(.preceding, first), .at(.currentRow)))
          $0.windows = [window]
        })
    ),
  ]

  private static let texts: [(String, [Value], Ending, ASTExpression)] = [
    ("a full-text query that is none", [], .nothing, matched("pages", .match, "\"")),
    ("a full-text query by equality", [], .nothing, matched("pages", .equal, "\"")),
    ("a full-text query by IS", [], .nothing, matched("Pages", .is, "\"")),
    ("a rank that is none", [], .nothing, matched("rank", .equal, "x(")),
    (
      "a rank that is none, in a row", [], .nothing,
      counted(
        Ask.select(.column("text"), from: "pages") {
          $0.where = Ask.equal(.tuple(.column("rank"), .literal(Int64(1))), .tuple(.literal("x("), .literal(Int64(1))))
        })
    ),
    (
      "a rank that is none, by a natural join", [], .nothing,
      counted(
        Ask.select(.column("text"), from: "pages") {
          var join = ASTJoin.join(
            .inner, .subquery(.select { $0.columns = [.expression(.literal("x("), as: "rank")] }, as: "g"))
          join.natural = true
          $0.joins = [join]
        })
    ),
    (
      "a rank that is none, by USING", [], .nothing,
      counted(
        Ask.select(.column("text"), from: "pages") {
          var join = ASTJoin.join(
            .inner, .subquery(.select { $0.columns = [.expression(.literal("x("), as: "rank")] }, as: "g"))
          join.using = ["rank"]
          $0.joins = [join]
        })
    ),
    (
      "JSON that is none, as a table", [], .nothing,
      differs(
        from: .select {
          $0.columns = [.expression(.countAll)]
          $0.from = .function("json_each", [.literal("[")])
        })
    ),
    (
      "a sum that is too large", [.integer(.max)], .nothing,
      differs(
        from: .select {
          $0.columns = [.expression(.function("sum", .column("v")))]
          $0.from = .subquery(.select { $0.columns = [.expression(first, as: "v")] })
          $0.joins = [.join(.cross, .table("plain"))]
        })
    ),
    (
      "a time of this machine", [.text("localtime")], .nothing,
      differs(from: Ask.value(.function("date", .literal("now"), first)))
    ),
    (
      "texts that are too long together", [.text(long)], .nothing,
      .call(.notEqual, title, .call(.concatenate, Array(repeating: first, count: 100)))
    ),
  ]
}
