import MartletAST
import MartletValues

/// Tables that are not named for whoever asks, wherever a statement has a place for one, under any spelling.
enum TableAttempts {
  static let all = spellings + places + conditions + commonTables + shadowing + views

  private static func name(_ text: String) -> ASTExpression { .literal(text) }

  private static let spellings: [Attempt] = [
    .refused("a table that is hidden", .tenant, "vault") { Ask.all($0) },
    .refused("a table that is hidden from one who only reads", .reader, "vault") { Ask.all($0) },
    .refused("a table that another role may read", .reader, "docs") { Ask.all($0) },
    .refused("a hidden table in capital letters", .tenant, "VAULT") { Ask.all($0) },
    .refused("a hidden table of the main schema", .tenant, "vault") { hidden in
      .select { $0.from = .table(hidden, schema: "main") }
    },
    .refused("an open table of the temporary schema", .tenant, "plain") { hidden in
      .select { $0.from = .table(hidden, schema: "temp") }
    },
    .refused("an open table of a schema that is not there") { _ in
      .select { $0.from = .table("plain", schema: "other") }
    },
    .refused("an open table's name with a space behind it") { _ in Ask.all("plain ") },
    .refused("an open table's name in letters of full width") { _ in Ask.all("ｐｌａｉｎ") },
    .refused("an open table's name with a long s") { _ in Ask.all("note\u{017F}") },
    .refused("an open table's name with a joiner of no width") { _ in Ask.all("pla\u{200D}in") },
    .fails("an open table's name with a NUL and more behind it", .invalidStatement) { _ in Ask.all("plain\0vault") },
    .refused("a hidden table's name in quotation marks", .tenant, "\"vault\"", not: "\"nothing\"") { Ask.all($0) },
    .refused("a name that ends the quotation and goes on with SQL") { _ in
      Ask.all("plain\"; SELECT * FROM vault; --")
    },
    .refused("a name with its schema inside of it", .tenant, "main.vault") { Ask.all($0) },
    .refused("a name with a union inside of it") { _ in Ask.all("plain\" UNION SELECT v FROM \"vault") },
    .gives("an alias that is called as a hidden table", [[.integer(1)], [.integer(2)]]) {
      .select {
        $0.columns = [.expression(.column("vault", "id"))]
        $0.from = .table("plain", as: "vault")
      }
    },
    .refused("an alias that makes a hidden table an open one", .tenant, "vault") { hidden in
      .select { $0.from = .table(hidden, as: "plain") }
    },
  ]

  private static let places: [Attempt] = [
    .refused("a join", .tenant, "vault") { hidden in
      Ask.plain { $0.joins = [.join(.inner, .table(hidden))] }
    },
    .refused("an outer join inside of parentheses", .reader, "vault") { hidden in
      Ask.plain { $0.from = .joined(.table("plain"), [.join(.left, .table(hidden), on: .literal(Int64(1)))]) }
    },
    .refused("a natural join", .tenant, "vault") { hidden in
      Ask.plain {
        var join = ASTJoin.join(.inner, .table(hidden))
        join.natural = true
        $0.joins = [join]
      }
    },
    .refused("a subquery in FROM", .tenant, "vault") { hidden in
      Ask.plain { $0.from = .subquery(Ask.all(hidden), as: "plain") }
    },
    .refused("a subquery of the third level", .tenant, "vault") { hidden in
      Ask.plain { $0.where = .exists(Ask.plain { $0.where = .exists(Ask.all(hidden)) }) }
    },
    .refused("a result column", .tenant, "vault") { Ask.select(Ask.one("v", from: $0), from: "plain") },
    .refused("a query without FROM", .tenant, "vault") { Ask.value(Ask.one("v", from: $0)) },
    .refused("VALUES", .tenant, "vault") { .values([[Ask.one("v", from: $0)]]) },
    .refused("the right side of IN", .tenant, "vault") { hidden in
      Ask.plain { $0.where = .call(.in, .literal("k1"), Ask.one("k", from: hidden)) }
    },
    .refused("ORDER BY", .tenant, "vault") { hidden in
      Ask.plain { $0.orderBy = [.by(Ask.one("v", from: hidden))] }
    },
    .refused("GROUP BY", .tenant, "vault") { hidden in Ask.plain { $0.groupBy = [Ask.one("v", from: hidden)] } },
    .refused("HAVING", .tenant, "vault") { hidden in
      Ask.plain {
        $0.groupBy = [.column("id")]
        $0.having = Ask.one("v", from: hidden)
      }
    },
    .refused("LIMIT", .tenant, "vault") { hidden in Ask.plain { $0.limit = Ask.one("rowid", from: hidden) } },
    .refused("OFFSET", .tenant, "vault") { hidden in
      Ask.plain {
        $0.limit = .literal(Int64(1))
        $0.offset = Ask.one("rowid", from: hidden)
      }
    },
    .refused("the condition of a join", .tenant, "vault") { hidden in
      Ask.plain { $0.joins = [.join(.inner, .table("plain", as: "p"), on: .exists(Ask.all(hidden)))] }
    },
    .refused("a union", .tenant, "vault") { .compound(Ask.plain { _ in }, [(.union, Ask.all($0))]) },
    .refused("an intersection's second query", .tenant, "vault") {
      .compound(Ask.plain { _ in }, [(.unionAll, Ask.plain { _ in }), (.intersect, Ask.all($0))])
    },
    .refused("the order of a union", .tenant, "vault") { hidden in
      .compound(Ask.plain { _ in }, [(.union, Ask.plain { _ in })]) {
        $0.orderBy = [.by(Ask.one("v", from: hidden))]
      }
    },
    .refused("an argument of a table-valued function", .tenant, "vault") { hidden in
      .select { $0.from = .function("json_each", [Ask.one("v", from: hidden)]) }
    },
  ]

  private static let conditions: [Attempt] = [
    .refused("a condition of an aggregate", .tenant, "vault") { hidden in
      Ask.select(.function("count", .column("id")) { $0.filter = .exists(Ask.all(hidden)) }, from: "plain")
    },
    .refused("the order inside of an aggregate", .tenant, "vault") { hidden in
      Ask.select(
        .function("group_concat", .column("x")) { $0.orderBy = [.by(Ask.one("v", from: hidden))] }, from: "plain")
    },
    .refused("the parts of a window", .tenant, "vault") { hidden in
      Ask.select(
        .function("row_number") { $0.over.window = .over(partitionBy: [Ask.one("v", from: hidden)]) }, from: "plain")
    },
    .refused("the bound of a window's frame", .tenant, "vault") { hidden in
      Ask.select(
        .function("count", .column("id")) {
          $0.over.window = .over(
            orderBy: [.by(.column("id"))],
            frame: .between(.rows, .at(.preceding, Ask.one("rowid", from: hidden)), .at(.currentRow)))
        }, from: "plain")
    },
    .refused("a branch of a CASE that is never taken", .tenant, "vault") { hidden in
      Ask.value(.case([(.literal(Int64(0)), Ask.one("v", from: hidden))], else: .null))
    },
    .refused("the operand of a CAST", .tenant, "vault") { Ask.value(.cast(Ask.one("v", from: $0), as: "INTEGER")) },
    .refused("a row value", .tenant, "vault") { hidden in
      Ask.plain {
        $0.where = Ask.equal(.tuple(.column("id"), .column("x")), .subquery(Ask.all(hidden)))
      }
    },
    .refused("a coalesce behind a value that is there", .tenant, "vault") {
      Ask.value(.function("coalesce", .literal("x"), Ask.one("v", from: $0)))
    },
  ]

  private static let commonTables: [Attempt] = [
    .refused("the body of a common table", .tenant, "vault") {
      .with([.named("c", as: Ask.all($0))], Ask.all("c"))
    },
    .refused("a common table that nobody reads", .tenant, "vault") {
      .with([.named("c", as: Ask.all($0))], Ask.plain { _ in })
    },
    .refused("a term of a recursive common table", .tenant, "vault") { hidden in
      .with(
        [
          .named(
            "c", columns: ["x"],
            as: .compound(.values([[.literal(Int64(1))]]), [(.unionAll, Ask.select(.column("k"), from: hidden))]))
        ], recursive: true, Ask.all("c"))
    },
    .refused("a common table's name outside of its query", .tenant, "vault") { hidden in
      Ask.plain {
        $0.from = .subquery(.with([.named(hidden, as: Ask.plain { _ in })], Ask.all(hidden)), as: "inner")
        $0.joins = [.join(.cross, .table(hidden))]
      }
    },
    .refused("a common table's name in a sibling's query", .tenant, "vault") { hidden in
      .compound(
        Ask.select(.literal("x"), from: "plain") {
          $0.where = .exists(.with([.named(hidden, as: Ask.plain { _ in })], Ask.all(hidden)))
        }, [(.union, Ask.select(.column("v"), from: hidden))])
    },
    .refused("a hidden table of the main schema behind a common table of its name", .tenant, "vault") { hidden in
      .with(
        [.named(hidden, as: Ask.plain { _ in })],
        .select { $0.from = .table(hidden, schema: "main") })
    },
    .refused("a common table that is called as an open table") { _ in
      .with([.named("Plain", as: .values([[.literal("x")]]))], Ask.all("plain"))
    },
    .refused("a common table that is called as a table of the rules' conditions") { _ in
      .with([.named("members", as: .values([[.literal("a"), .literal("blue")]]))], Ask.all("docs"))
    },
    .refused("a common table of a condition's table before a write") { _ in
      .with(
        [.named("MEMBERS", columns: ["member", "team"], as: .values([[.literal("a"), .literal("blue")]]))],
        .delete(from: "docs"))
    },
  ]

  private static func mine(_ name: String) -> ASTCommonTable {
    .named(name, columns: ["v"], as: .values([[.literal("mine")]]))
  }

  private static let shadowing: [Attempt] = [
    .gives("a common table that is called as a hidden table", [[.text("mine")]]) {
      .with([mine("vault")], Ask.all("vault"))
    },
    .gives("a common table that reads one of a hidden table's name behind it", [[.text("mine")]]) {
      .with([.named("c", as: Ask.all("vault")), mine("vault")], Ask.all("c"))
    },
    .gives("a common table around one that has its name", [[.text("inner")]]) {
      .with(
        [mine("vault")],
        .select {
          $0.from = .subquery(
            .with([.named("vault", columns: ["v"], as: .values([[.literal("inner")]]))], Ask.all("vault")), as: "s")
        })
    },
    .unknown("a common table that reads a hidden table of its own name", .tenant, "vault") { hidden in
      .with([.named(hidden, as: Ask.all(hidden))], Ask.all(hidden))
    },
    .unknown("a recursive common table that begins with a hidden table of its own name", .tenant, "vault") { hidden in
      .with(
        [
          .named(
            hidden, columns: ["k"],
            as: .compound(
              Ask.select(.column("k"), from: hidden), [(.union, Ask.select(.column("k"), from: hidden))]))
        ], recursive: true, Ask.all(hidden))
    },
    .gives("a common table of a hidden name in the FROM of an update", []) {
      .with(
        [mine("vault")],
        Ask.update {
          $0.from = .table("vault")
          $0.where = Ask.equal(.column("id"), .literal(Int64(1)))
        })
    },
  ]

  private static let views: [Attempt] = [
    .refused("a view of a hidden table", .tenant, "vault_view") { Ask.all($0) },
    .refused("a view of a view", .tenant, "vault_over") { Ask.all($0) },
    .refused("a view of a table that is open in part", .tenant, "titles") { Ask.all($0) },
    .gives("a view that is open shows what its owner shows", [[.integer(3)]]) { Ask.all("summary") },
    .gives("a view reads its own tables, whatever common table has their name", [[.integer(3)]]) {
      .with([mine("vault")], Ask.all("summary"))
    },
    .refused("a write into a view that may be read") { _ in
      .insert(into: "summary", ["n"]) { $0.values = .rows([[.literal(Int64(1))]]) }
    },
    .refused("the name of an index as a table", .tenant, "notes_hidden") { Ask.all($0) },
    .refused("the name of a trigger as a table", .tenant, "notes_log") { Ask.all($0) },
  ]
}
