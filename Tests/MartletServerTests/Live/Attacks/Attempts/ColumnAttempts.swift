import MartletAST
import MartletValues

/// Columns that are hidden, in each clause of a query and under any spelling: they are not there.
enum ColumnAttempts {
  static let all = clauses + calls + spellings + rowIDs + stars + joins

  private static func notes(_ change: @Sendable (inout ASTSelect) -> Void) -> ASTStatement { Ask.notes(change) }

  private static let clauses: [Attempt] = [
    .unknown("a hidden column") { Ask.select(.column($0), from: "notes") },
    .unknown("a hidden column of the table by its name") { Ask.select(.column("notes", $0), from: "notes") },
    .unknown("a hidden column for one who reads all rows", .reader) { Ask.select(.column($0), from: "notes") },
    .unknown("a column that another role reads", .reader, "body") { Ask.select(.column($0), from: "notes") },
    .unknown("a hidden column of a table without rowid") { Ask.select(.column($0), from: "keyed") },
    .unknown("a hidden column in WHERE") { hidden in
      Ask.notes { $0.where = .call(.like, .column(hidden), .literal("FORB%")) }
    },
    .unknown("a hidden column in ORDER BY") { hidden in Ask.notes { $0.orderBy = [.by(.column(hidden))] } },
    .unknown("a hidden column in GROUP BY") { hidden in Ask.notes { $0.groupBy = [.column(hidden)] } },
    .unknown("a hidden column in HAVING") { hidden in
      Ask.notes {
        $0.groupBy = [.column("id")]
        $0.having = .function("max", .column(hidden))
      }
    },
    .unknown("a hidden column in the order of a union", .tenant, "secret") { hidden in
      .compound(Ask.select(.column("id"), from: "notes"), [(.union, Ask.select(.column("id"), from: "notes"))]) {
        $0.orderBy = [.by(.function("lower", .column(hidden)))]
      }
    },
    .unknown("a hidden column in a subquery around which its table stands") { hidden in
      Ask.notes { $0.where = .exists(Ask.plain { $0.where = Ask.equal(.column("x"), .column("notes", hidden)) }) }
    },
    .unknown("a hidden column in a subquery's subquery") { hidden in
      Ask.notes {
        $0.where = .exists(Ask.plain { $0.where = .exists(Ask.value(.column("notes", hidden))) })
      }
    },
    .unknown("a hidden column through the star of a subquery") { hidden in
      .select {
        $0.columns = [.expression(.column("s", hidden))]
        $0.from = .subquery(Ask.all("notes"), as: "s")
      }
    },
    .unknown("a hidden column through a common table's star") { hidden in
      .with([.named("c", as: Ask.all("notes"))], Ask.select(.column(hidden), from: "c"))
    },
    .unknown("a hidden column in LIMIT") { hidden in
      Ask.plain { $0.limit = Ask.one(hidden, from: "notes") }
    },
  ]

  private static let calls: [Attempt] = [
    .unknown("a hidden column in an aggregate") {
      Ask.select(.function("group_concat", .column($0)), from: "notes")
    },
    .unknown("a hidden column in the condition of an aggregate") { hidden in
      Ask.select(.function("count", .column("id")) { $0.filter = .column(hidden) }, from: "notes")
    },
    .unknown("a hidden column in the order inside of an aggregate") { hidden in
      Ask.select(.function("group_concat", .column("id")) { $0.orderBy = [.by(.column(hidden))] }, from: "notes")
    },
    .unknown("a hidden column in the parts of a window") { hidden in
      Ask.select(
        .function("row_number") { $0.over.window = .over(partitionBy: [.column(hidden)]) }, from: "notes")
    },
    .unknown("a hidden column in the order of a window") { hidden in
      Ask.select(.function("rank") { $0.over.window = .over(orderBy: [.by(.column(hidden))]) }, from: "notes")
    },
    .fails("a hidden column in a frame's bound", .sqlite, .tenant, "secret") { hidden in
      Ask.select(
        .function("count", .column("id")) {
          $0.over.window = .over(
            orderBy: [.by(.column("id"))],
            frame: .between(.rows, .at(.preceding, .column(hidden)), .at(.currentRow)))
        }, from: "notes")
    },
    .unknown("a hidden column in CASE") {
      Ask.select(.case(on: .column($0), [(.literal("x"), .literal(Int64(1)))]), from: "notes")
    },
    .unknown("a hidden column in CAST") { Ask.select(.cast(.column($0), as: "BLOB"), from: "notes") },
    .unknown("a hidden column under a collation") { Ask.select(.collate(.column($0), "NOCASE"), from: "notes") },
    .unknown("a hidden column in a row value") { hidden in
      Ask.notes { $0.where = Ask.equal(.tuple(.column("id"), .column(hidden)), .tuple(.null, .null)) }
    },
    .unknown("a hidden column in a JSON function as a table") { hidden in
      Ask.notes { $0.joins = [.join(.cross, .function("json_each", [.column("notes", hidden)], as: "j"))] }
    },
    .unknown("a hidden column as a pattern") { hidden in
      Ask.notes { $0.where = .call(.glob, .column("title"), .column(hidden)) }
    },
    .unknown("a generated column that repeats a hidden one", .tenant, "shout") {
      Ask.select(.column($0), from: "notes")
    },
  ]

  private static let spellings: [Attempt] = [
    .unknown("a hidden column in capital letters", .tenant, "SECRET") { Ask.select(.column($0), from: "notes") },
    .unknown("a hidden column in quotation marks", .tenant, "\"secret\"", not: "\"nothin\"") {
      Ask.select(.column($0), from: "notes")
    },
    .unknown("a hidden column with a space behind it", .tenant, "secret ", not: "nothing ") {
      Ask.select(.column($0), from: "notes")
    },
    .unknown("a hidden column in letters of full width", .tenant, "ｓｅｃｒｅｔ") { Ask.select(.column($0), from: "notes") },
    .unknown("a hidden column with its table inside of the name", .tenant, "notes.secret") {
      Ask.select(.column($0), from: "notes")
    },
    .fails("a hidden column with a NUL behind it", .invalidStatement) { _ in
      Ask.select(.column("secret\0"), from: "notes")
    },
    .unknown("a hidden column of the schema's table") { hidden in
      Ask.select(.column("notes", hidden, schema: "main"), from: "notes")
    },
    .unknown("a hidden column by an alias of its table") { hidden in
      .select {
        $0.columns = [.expression(.column("n", hidden))]
        $0.from = .table("notes", as: "n")
      }
    },
    .gives("an alias that is called as a hidden column", [[.integer(1)], [.integer(3)], [.integer(5)]]) {
      Ask.notes {
        $0.columns = [.expression(.column("id"), as: "secret")]
        $0.orderBy = [.by(.column("secret"))]
      }
    },
    .refused("an index of a hidden column", .tenant, "notes_hidden") { hidden in
      Ask.notes { $0.from.table.hint = .indexedBy(hidden) }
    },
    .refused("an index of a hidden column in a write", .tenant, "notes_hidden") { hidden in
      Ask.update { $0.table.hint = .indexedBy(hidden) }
    },
  ]

  private static let rowIDs: [Attempt] = ["rowid", "oid", "_rowid_", "ROWID"].flatMap { name in
    [
      Attempt.gives("\(name) of a table of which some columns are hidden", [[.null], [.null], [.null]]) {
        Ask.select(.column(name), from: "notes")
      },
      .gives("a row of others by \(name)", []) {
        Ask.notes { $0.where = .in(.column(name), [.literal(Int64(1)), .literal(Int64(2))]) }
      },
    ]
  }

  private static let own: [Value] = [.integer(1), .text("n1"), .text("b")]

  private static let stars: [Attempt] = [
    .gives("a star", [own]) {
      Ask.notes {
        $0.columns = [.all()]; $0.limit = .literal(Int64(1))
      }
    },
    .gives("a table's star", [own]) {
      Ask.notes {
        $0.columns = [.all(of: "notes")]; $0.limit = .literal(Int64(1))
      }
    },
    .gives("the star of a union", [own]) {
      .compound(Ask.all("notes"), [(.intersect, Ask.all("notes"))]) { $0.limit = .literal(Int64(1)) }
    },
    .unknown("the star of a table that has another name here", .tenant, "notes") { hidden in
      .select {
        $0.columns = [.all(of: hidden)]
        $0.from = .table("notes", as: "n")
      }
    },
    .gives("all rows for one who may see two columns", [[.integer(1), .text("n1")]], .reader) {
      Ask.notes {
        $0.columns = [.all()]; $0.limit = .literal(Int64(1))
      }
    },
  ]

  private static let joins: [Attempt] = [
    .unknown("USING a hidden column") { hidden in
      Ask.notes {
        $0.columns = [.expression(.column("notes", "id"))]
        $0.orderBy = []
        $0.joins = [.join(.inner, .table("notes", as: "n"), using: [hidden])]
      }
    },
    .gives("a natural join goes by what is there", [[.integer(1)], [.integer(3)], [.integer(5)]]) {
      Ask.notes {
        var join = ASTJoin.join(.inner, .table("notes", as: "n"))
        join.natural = true
        $0.joins = [join]
      }
    },
    .unknown("a hidden column in the condition of a join") { hidden in
      Ask.plain {
        $0.columns = [.expression(.column("plain", "id"))]
        $0.joins = [
          .join(.left, .table("notes"), on: Ask.equal(.column("notes", hidden), .column("plain", "x")))
        ]
      }
    },
    .gives("a join with itself", [[.integer(3)]]) {
      .select {
        $0.columns = [.expression(.countAll)]
        $0.from = .table("notes")
        $0.joins = [.join(.left, .table("notes", as: "n"), on: Ask.equal(.column("n", "id"), .column("notes", "id")))]
      }
    },
  ]
}
