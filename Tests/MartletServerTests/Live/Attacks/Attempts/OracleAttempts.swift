import MartletAST
import MartletValues

/// Questions whose answer would be an error, a count or a conflict: what they tell is nothing, or what the page about
/// security says that they tell.
enum OracleAttempts {
  static let all = counts + errors + conflicts + fullText + waste

  private static let three: [[Value]] = [[.integer(3)]]

  private static func count(_ change: @escaping @Sendable (inout ASTSelect) -> Void = { _ in }) -> ASTStatement {
    .select {
      $0.columns = [.expression(.countAll)]
      $0.from = .table("notes")
      change(&$0)
    }
  }

  private static let counts: [Attempt] = [
    .gives("how many rows there are", three) { count() },
    .gives("how many rows there are of another tenant", [[.integer(0)]]) {
      count { $0.where = .in(.column("id"), [.literal(Int64(2)), .literal(Int64(4))]) }
    },
    .gives("the greatest key", [[.integer(5)]]) { Ask.select(.function("max", .column("id")), from: "notes") },
    .gives("all texts in one", [[.text("b,b,b")]]) {
      Ask.select(.function("group_concat", .column("body")), from: "notes")
    },
    .gives("whether another's row is there", [[.integer(0)]]) {
      Ask.value(.exists(Ask.notes { $0.where = Ask.equal(.column("title"), .literal("n2")) }))
    },
    .gives("what is missing between its own keys", []) {
      .compound(Ask.notes { $0.orderBy = [] }, [(.except, Ask.notes { $0.orderBy = [] })])
    },
    .gives("rows under a condition that is always true", three) {
      count { $0.where = .call(.or, Ask.equal(.column("id"), .literal(Int64(2))), .literal(Int64(1))) }
    },
    .gives("rows by a claim that is written as SQL", [[.integer(0)]]) {
      count { $0.where = Ask.equal(.column("title"), .literal("x' OR tenant = 'b")) }
    },
    .gives("the documents of its team", [[.integer(1)]]) {
      Ask.select(.countAll, from: "docs")
    },
    .gives("the rows of a table without rowid", [[.text("x"), .text("a")]]) { Ask.all("keyed") },
    .refused("who is in which team, which the conditions ask", .tenant, "members") { Ask.all($0) },
    .gives("a window over all rows", three) {
      .select {
        $0.columns = [.expression(.function("count", .column("id")) { $0.over.window = .over() })]
        $0.from = .table("notes")
        $0.limit = .literal(Int64(1))
      }
    },
  ]

  private static let body = ASTExpression.column("body")
  private static let minimum = ASTExpression.literal(Int64.min)
  private static let isTwo = ASTExpression.call(.equal, .column("title"), .literal("n2"))

  /// Each would fail in a row of another only. In a CASE, because the own bodies are no JSON either.
  private static func asked(_ failing: ASTExpression) -> ASTExpression {
    .case([(.call(.notEqual, body, .literal("b")), failing)], else: .literal(Int64(1)))
  }

  private static let failing: [(String, ASTExpression)] = [
    ("reading it as JSON", .function("json", body)),
    ("a path of JSON", .function("json_extract", body, .literal("$["))),
    ("a number that has no absolute value", .function("abs", minimum)),
    ("a sum that is too large", .function("abs", .call(.subtract, minimum, .literal(Int64(0))))),
    (
      "a pattern that is too long",
      .call(.like, .literal("x"), .function("hex", .function("zeroblob", .literal(Int64(30_000)))))
    ),
    ("a text that is too long", .function("zeroblob", .literal(Int64(1) << 40))),
    ("a pattern's escape that is none", .function("like", .literal("a"), .literal("a"), .literal("ab"))),
    ("a function that wants a number", .function("nth_value", body, .literal(Int64(0))) { $0.over.window = .over() }),
  ]

  private static let errors: [Attempt] =
    failing.dropLast().flatMap { name, expression in
      [
        Attempt.gives("an error in a row of another's only: \(name)", three) { count { $0.where = asked(expression) } },
        .changes("the same before a write: \(name)", 3) { Ask.update { $0.where = asked(expression) } },
        .changes("the same before a delete: \(name)", 3) { Ask.delete { $0.where = asked(expression) } },
      ]
    } + [
      .gives("an error in the condition of a join", [[.integer(6)]]) {
        .select {
          $0.columns = [.expression(.countAll)]
          $0.from = .table("plain")
          $0.joins = [.join(.inner, .table("notes"), on: asked(.function("json", body)))]
        }
      },
      .gives("an error in the order of rows", [[.integer(1)], [.integer(3)], [.integer(5)]]) {
        Ask.notes { $0.orderBy = [.by(asked(.function("json", body))), .by(.column("id"))] }
      },
      .changes("a division by zero is NULL", 0) {
        Ask.update { $0.where = .call(.divide, .literal(Int64(1)), .literal(Int64(0))) }
      },
      .changes("an error in what an update sets of another's row", 0) {
        Ask.update {
          $0.assignments = [.set("body", .function("json", body))]
          $0.where = isTwo
        }
      },
      .changes("an error in an upsert that meets another's row", 0) {
        .insert(into: "notes", ["title", "tenant"]) {
          $0.values = .rows([[.literal("n2"), .literal("a")]])
          $0.upserts = [
            .on(
              ["title"], set: [.set("body", .function("json", .column("notes", "body")))],
              where: .function("json", .column("notes", "body")))
          ]
        }
      },
      .fails("RAISE outside of a trigger", .invalidStatement) { _ in Ask.value(.raise(.abort, "x")) },
    ]

  private static func row(_ title: String, _ change: (inout ASTInsert) -> Void = { _ in }) -> ASTStatement {
    .insert(into: "notes", ["title", "tenant"]) {
      $0.values = .rows([[.literal(title), .literal("a")]])
      change(&$0)
    }
  }

  /// What a unique constraint and a foreign key tell is documented: that there is a row. What is in it they do not.
  private static let conflicts: [Attempt] = [
    .fails("an insert that meets another's unique text", .constraint) { _ in row("n2") },
    .fails("an update that meets another's unique text", .constraint) { _ in
      Ask.update {
        $0.assignments = [.set("title", .literal("n2"))]
        $0.where = Ask.equal(.column("id"), .literal(Int64(1)))
      }
    },
    .changes("an insert that ignores another's row", 0) { row("n2") { $0.or = .ignore } },
    .changes("an insert that does nothing at another's row", 0) { row("n2") { $0.upserts = [.on(["title"])] } },
    .fails("an insert of a message that is there", .constraint, .inserter) { _ in
      .insert(into: "inbox", ["message"]) { $0.values = .rows([[.literal(AttackStage.marker + " message")]]) }
    },
    .changes("a foreign key to a hidden row that is there", 1) {
      .insert(into: "links", ["vault"]) { $0.values = .rows([[.literal("k1")]]) }
    },
    .fails("a foreign key to a hidden row that is not there", .constraint) { _ in
      .insert(into: "links", ["vault"]) { $0.values = .rows([[.literal("k9")]]) }
    },
    .fails("a value that a constraint of the table refuses", .constraint) { _ in row("never") },
  ]

  private static let fullText: [Attempt] = [
    .gives("a search in a full-text table", [[.text("some words")]]) {
      Ask.select(.column("text"), from: "pages") { $0.where = .call(.match, .column("pages"), .literal("words")) }
    },
    .unknown("a search in a table of which some columns are hidden", .tenant, "notes", not: "nothing") { hidden in
      Ask.notes { $0.where = .call(.match, .column(hidden), .literal("F*")) }
    },
    .unknown("the rank of a table that is no full-text index", .tenant, "rank") {
      Ask.select(.column($0), from: "notes")
    },
    .refused("a search in a hidden full-text table", .tenant, "diary") { hidden in
      Ask.select(.column("entry"), from: hidden) { $0.where = .call(.match, .column(hidden), .literal("FORBIDDEN*")) }
    },
  ]

  private static let waste: [Attempt] = [
    .fails("a blob that is larger than memory", .limit) { _ in
      Ask.value(.function("randomblob", .literal(Int64(1) << 40)))
    },
    .gives("a text that is written a thousand million times", [[.null]]) {
      Ask.value(.function("printf", .literal("%*d"), .literal(Int64(1_000_000_000)), .literal(Int64(1))))
    },
    .gives("what the library was compiled with is no secret", [[.integer(1)]]) {
      Ask.value(.function("sqlite_compileoption_used", .literal("ENABLE_FTS5")))
    },
  ]
}
