/// Trees that ask for what the rules for tables do not name: each is refused, with the path of the place.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@Suite struct RefusedTreeTests: RuledTrees {
  private static let secret = ASTExpression.column("notes", "secret")
  private static let none = select("secrets")

  /// Each with the path of what is refused.
  private static let refused: [(String, ASTStatement, path: String)] = [
    ("a table", none, "select.from.table"),
    ("a table in other letters", select("SECRETS"), "select.from.table"),
    ("the schema's table", select("sqlite_schema"), "select.from.table"),
    ("a pragma as a table", select("pragma_table_list"), "select.from.table"),
    ("a full-text table's shadow", select("open_content"), "select.from.table"),
    ("a table that may only be written", select("log"), "select.from.table"),
    (
      "a join",
      .select {
        $0.from = .table("open"); $0.joins = [.join(.inner, .table("secrets"))]
      },
      "select.joins[0].source.table"
    ),
    ("a subquery in FROM", .select { $0.from = .subquery(none, as: "open") }, "select.from.subquery.select.from.table"),
    (
      "a subquery as a value", select("open", .subquery(none)),
      "select.columns[0].expression.subquery.select.from.table"
    ),
    (
      "EXISTS",
      .select {
        $0.from = .table("open"); $0.where = .exists(none)
      }, "select.where.exists.select.from.table"
    ),
    (
      "ORDER BY",
      .select {
        $0.from = .table("open"); $0.orderBy = [.by(.subquery(none))]
      },
      "select.order_by[0].expression.subquery.select.from.table"
    ),
    (
      "LIMIT",
      .select {
        $0.from = .table("open"); $0.limit = .subquery(none)
      },
      "select.limit.subquery.select.from.table"
    ),
    ("a compound", .compound(select("open"), [(.union, none)]), "compound.terms[0].query.select.from.table"),
    ("a common table's body", .with([.named("c", as: none)], select("c")), "with.tables[0].query.select.from.table"),
    (
      "a common table of another place",
      .select {
        $0.from = .subquery(.with([.named("secrets", as: select("open"))], select("secrets")), as: "a")
        $0.joins = [.join(.cross, .table("secrets"))]
      }, "select.joins[0].source.table"
    ),
    (
      "a common table called as an allowed one", .with([.named("Notes", as: select("open"))], select("notes")),
      "with.tables"
    ),
    (
      "a common table called as one of a condition", .with([.named("members", as: select("open"))], select("shared")),
      "with.tables"
    ),
    (
      "the same around a write", .with([.named("MEMBERS", as: select("open"))], .delete(from: "shared")), "with.tables"
    ),
    (
      "the same in a subquery",
      select("open", .subquery(.with([.named("Members", as: select("open"))], select("shared")))),
      "select.columns[0].expression.subquery.with.tables"
    ),
    (
      "a command to a full-text index", .insert(into: "log", ["LOG"]) { $0.values = .rows([[.null]]) }, "insert.columns"
    ),
    (
      "a command beside rows of others", .insert(into: "shared", ["shared"]) { $0.values = .rows([[.null]]) },
      "insert.columns"
    ),
    (
      "a command by an update", .update("shared") { $0.assignments = [.set("Shared", .null)] }, "update.assignments"
    ),
    (
      "an alias for the row of an upsert",
      insert {
        $0.alias = "Excluded"; $0.upserts = [upsert(.set("title", .column("excluded", "title")))]
      }, "insert.alias"
    ),
    (
      "a common table in a schema",
      .with(
        [.named("c", as: select("open"))],
        .select { $0.from = .table("c", schema: "main") }), "with.body.select.from.table"
    ),
    ("the temporary schema", .select { $0.from = .table("open", schema: "temp") }, "select.from.table"),
    (
      "a pragma", .select { $0.from = .function("pragma_table_info", [.literal("notes")]) }, "select.from.function.name"
    ),
    ("a table as a function", .select { $0.from = .function("open", [.literal("x")]) }, "select.from.function.name"),
    ("a delete", .delete(from: "secrets"), "delete.from"),
    ("a delete of what may be read", .delete(from: "seen"), "delete.from"),
    ("an update of what may be read", .update("seen") { $0.assignments = [.set("a", .null)] }, "update.table"),
    (
      "a common table as a target", .with([.named("secrets", as: select("open"))], .delete(from: "secrets")),
      "with.body.delete.from"
    ),
    (
      "RETURNING of what may not be read",
      .insert(into: "log") {
        $0.defaultValues = true; $0.returning = [.all()]
      },
      "insert.into"
    ),
    (
      "an upsert of what may not be changed",
      .insert(into: "log", ["a"]) {
        $0.values = .rows([[.null]]); $0.upserts = [upsert(.set("a", .null))]
      }, "insert.into"
    ),
    ("INSERT from it", .insert(into: "open", ["a"]) { $0.query = none }, "insert.query.select.from.table"),
    (
      "UPDATE from it",
      .update("open") {
        $0.assignments = [.set("a", .null)]; $0.from = .table("secrets")
      },
      "update.from.table"
    ),
    ("a column in INSERT", .insert(into: "notes", ["tenant"]) { $0.values = .rows([[.null]]) }, "insert.columns"),
    ("a column in SET", update { $0.assignments = [.set("Tenant", .null)] }, "update.assignments"),
    (
      "a column in a row's SET", update { $0.assignments = [.set(["title", "id"], .tuple(.null, .null))] },
      "update.assignments"
    ),
    ("a column in an upsert", insert { $0.upserts = [upsert(.set("id", .null))] }, "insert.upserts[0].assignments"),
    ("a column in WHERE", update { $0.where = secret }, "update.where.column.name"),
    ("a column without its table", update { $0.where = .column("secret") }, "update.where.column.name"),
    ("the rowid", update { $0.where = .column("rowid") }, "update.where.column.name"),
    (
      "a column by alias",
      update {
        $0.alias = "n"; $0.where = .column("n", "secret")
      }, "update.where.column.name"
    ),
    (
      "a column as a value", update { $0.assignments = [.set("title", secret)] },
      "update.assignments[0].value.column.name"
    ),
    (
      "a column in RETURNING", update { $0.returning = [.expression(.column("secret"))] },
      "update.returning[0].expression.column.name"
    ),
    (
      "a column in RETURNING by the table's name",
      update {
        $0.alias = "n"; $0.returning = [.expression(secret)]
      },
      "update.returning[0].expression.column.name"
    ),
    (
      "a column of a subquery's target",
      update {
        $0.where = .exists(
          .select {
            $0.from = .table("open"); $0.where = secret
          })
      },
      "update.where.exists.select.where.column.name"
    ),
    ("a column in DELETE", .delete(from: "notes") { $0.where = secret }, "delete.where.column.name"),
    (
      "a column in an upsert's value", insert { $0.upserts = [upsert(.set("title", secret))] },
      "insert.upserts[0].assignments[0].value.column.name"
    ),
    (
      "a default of a column", insert { $0.upserts = [upsert(.set("title", .column("excluded", "secret")))] },
      "insert.upserts[0].assignments[0].value.column.name"
    ),
    ("REPLACE", insert { $0.or = .replace }, "insert.or"),
    ("UPDATE OR REPLACE", update { $0.or = .replace }, "update.or"),
    (
      "a function that looks for a table", select("open", .function("RTreeCheck", .literal("secrets"))),
      "select.columns[0].expression.call.function"
    ),
    (
      "a function that counts what others do", .delete(from: "open") { $0.where = .function("total_changes") },
      "delete.where.call.function"
    ),
    (
      "an index of a table of which something is hidden",
      .select {
        $0.from = .table("notes"); $0.from.table.hint = .indexedBy("bySecret")
      }, "select.from.table.indexed_by"
    ),
    ("an index in a write", update { $0.table.hint = .indexedBy("bySecret") }, "update.table.indexed_by"),
    (
      "a query that is called as what is updated",
      update { $0.from = .subquery(select("open"), as: "Notes") }, "update.from"
    ),
    (
      "a join that holds one that is called as what is updated",
      update {
        $0.alias = "n"; $0.from = .table("open")
        $0.joins = [.join(.inner, .joined(.table("open", as: "p"), [.join(.cross, .table("open", as: "n"))]))]
      }, "update.joins[0].source.joined.joins[0].source"
    ),
    (
      "a join by a column that may not be read",
      update {
        var join = ASTJoin.join(.inner, .table("open", as: "p"))
        join.using = ["secret"]
        ($0.from, $0.joins) = (.table("open"), [join])
      }, "update.joins[0].using"
    ),
    ("text", .raw("SELECT 1"), "raw"), ("a view", .createView("v", select("open")), ""),
    ("a trigger", .createTrigger("x", .after, .insert, on: "open", [none]), ""), ("a drop", .drop(.table, "open"), ""),
  ]

  @Test func `what the rules do not name is refused with its path, wherever it stands`() throws {
    for (place, tree, path) in Self.refused {
      // Without rules each is a statement.
      _ = try StatementRenderer().render(tree)
      let error = #expect(throws: RequestError.self, "\(place)") {
        try StatementRenderer(rules: Self.rules).render(tree)
      }
      #expect(error?.reason == .permission && error?.path == path, "\(place): \(String(describing: error))")
    }
  }

  @Test func `the right that a write lacks is named, and not the one to read`() {
    let trees: [(ASTStatement, String)] = [
      (.delete(from: "secrets"), "delete"), (.delete(from: "seen"), "delete"),
      (.update("secrets") { $0.assignments = [.set("a", .null)] }, "update"), (Self.none, "select"),
    ]
    for (tree, word) in trees {
      let error = #expect(throws: RequestError.self) { try StatementRenderer(rules: Self.rules).render(tree) }
      #expect(error?.message.contains("no permission '\(word)'") == true, "\(String(describing: error))")
    }
  }

  // `é` and `e` with an accent are equal to Swift and two names to SQLite.
  @Test func `no name stands for another one that Swift takes for its equal`() throws {
    let (composed, other) = ("caf\u{E9}", "cafe\u{301}")
    let rules = TableRules([composed: TableRule(readColumns: [composed], writeColumns: [composed])])
    func refusal(_ tree: ASTStatement) -> RequestError? {
      do { _ = try StatementRenderer(rules: rules).render(tree) } catch { return error }
      return nil
    }
    #expect(refusal(Self.select(composed, .column(composed))) == nil)
    let secret = "geheimnis\u{E9}"
    let trees: [ASTStatement] = [
      Self.select(other, .column(composed)), Self.select(composed, .column(other)),
      Self.select(composed, .column(other, composed)),
      .select {
        $0.columns = [.expression(.column(composed), as: other)]
        $0.from = .table(composed)
      },
      .with([.named("geheimnise\u{301}", as: Self.select(composed, .column(composed)))], Self.select(secret)),
      .insert(into: composed, [other]) { $0.values = .rows([[.literal("x")]]) },
      .update(composed) { $0.assignments = [.set(other, .literal("x"))] },
    ]
    for tree in trees {
      _ = try StatementRenderer().render(tree)
      #expect(refusal(tree)?.message.contains("composed form") == true, "\(tree)")
    }
    // What is no name may have any form.
    #expect(refusal(Self.select(composed, .call(.equal, .column(composed), .literal(other)))) == nil)
  }

  @Test func `a refusal is the same for what exists and for what does not`() throws {
    func refusal(_ tree: ASTStatement) -> RequestError? {
      do { _ = try StatementRenderer(rules: Self.rules).render(tree) } catch { return error }
      return nil
    }
    #expect(refusal(Self.select("secrets")) == refusal(Self.select("there is none")))
    #expect(refusal(Self.select("log")) == refusal(Self.select("there is none")))
  }
}
