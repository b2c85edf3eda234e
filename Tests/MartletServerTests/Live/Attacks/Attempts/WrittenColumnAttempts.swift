import MartletAST
import MartletValues

/// Columns that are hidden, in each clause of a write, where the table has all of its columns.
enum WrittenColumnAttempts {
  static let all = updates + sources + deletes + inserts

  private static let updates: [Attempt] = [
    .refused("setting a hidden column", .tenant, "secret") { hidden in
      Ask.update { $0.assignments = [.set(hidden, .literal("x"))] }
    },
    .refused("setting a hidden column in capital letters", .tenant, "SECRET") { hidden in
      Ask.update { $0.assignments = [.set(hidden, .literal("x"))] }
    },
    .refused("setting a hidden column beside one of its own", .tenant, "secret") { hidden in
      Ask.update { $0.assignments = [.set(["title", hidden], .tuple(.null, .null))] }
    },
    .refused("setting the key", .tenant, "id") { hidden in
      Ask.update { $0.assignments = [.set(hidden, .literal(Int64(2)))] }
    },
    .refused("setting the rowid", .tenant, "rowid") { hidden in
      Ask.update { $0.assignments = [.set(hidden, .literal(Int64(2)))] }
    },
    .refused("setting a generated column", .tenant, "shout") { hidden in
      Ask.update { $0.assignments = [.set(hidden, .literal("x"))] }
    },
    .refused("a hidden column as a value", .tenant, "secret") { hidden in
      Ask.update { $0.assignments = [.set("body", .column(hidden))] }
    },
    .refused("a hidden column inside of a value's subquery", .tenant, "secret") { hidden in
      Ask.update { $0.assignments = [.set("body", .subquery(Ask.value(.column("notes", hidden))))] }
    },
    .refused("a hidden column in an update's WHERE", .tenant, "secret") { hidden in
      Ask.update { $0.where = .call(.like, .column(hidden), .literal("F%")) }
    },
    .refused("a hidden column in an update's WHERE by another name of the table", .tenant, "secret") { hidden in
      Ask.update {
        $0.alias = "n"
        $0.where = .column("n", hidden)
      }
    },
    .refused("a hidden column by the table's name behind an alias", .tenant, "secret") { hidden in
      Ask.update {
        $0.alias = "plain"
        $0.returning = [.expression(.column("notes", hidden))]
      }
    },
    .refused("a hidden column in an update's RETURNING", .tenant, "secret") { hidden in
      Ask.update { $0.returning = [.expression(.column(hidden))] }
    },
    .refused("a hidden column in a subquery of RETURNING", .tenant, "secret") { hidden in
      Ask.update { $0.returning = [.expression(.subquery(Ask.value(.column("notes", hidden))))] }
    },
    .refused("a hidden column as the old row's", .tenant, "secret") { hidden in
      Ask.update { $0.returning = [.expression(.column("old", hidden))] }
    },
    .gives("the star of an update's RETURNING", [[.integer(1), .text("n1"), .text("taken")]]) {
      Ask.update {
        $0.where = Ask.equal(.column("id"), .literal(Int64(1)))
        $0.returning = [.all()]
      }
    },
    .refused("an alias that is called as the row of an upsert", .tenant) { _ in
      Ask.update {
        $0.alias = "excluded"
        $0.where = .column("excluded", "secret")
      }
    },
  ]

  private static let sources: [Attempt] = [
    .unknown("a hidden column from the same table beside an update") { hidden in
      Ask.update {
        $0.assignments = [.set("body", .column("n", hidden))]
        $0.from = .table("notes", as: "n")
      }
    },
    .unknown("a hidden column from a subquery beside an update") { hidden in
      Ask.update {
        $0.assignments = [.set("body", .column("s", "x"))]
        $0.from = .subquery(
          .select {
            $0.columns = [.expression(.column(hidden), as: "x")]
            $0.from = .table("notes")
          }, as: "s")
      }
    },
    .unknown("a hidden column into an open table") { hidden in
      .insert(into: "plain", ["x"]) { $0.query = Ask.select(.column(hidden), from: "notes") }
    },
    .unknown("a hidden column into an open table by an update") { hidden in
      .update("plain") {
        $0.assignments = [.set("x", .column("n", hidden))]
        $0.from = .table("notes", as: "n")
      }
    },
    .unknown("a hidden column into an open table by a subquery") { hidden in
      .update("plain") { $0.assignments = [.set("x", Ask.one(hidden, from: "notes"))] }
    },
  ]

  private static let deletes: [Attempt] = [
    .refused("a hidden column in a delete's WHERE", .tenant, "secret") { hidden in
      Ask.delete { $0.where = .column(hidden) }
    },
    .refused("a hidden column in a delete's RETURNING", .tenant, "secret") { hidden in
      Ask.delete { $0.returning = [.expression(.column(hidden))] }
    },
    .refused("the rowid in a delete's RETURNING", .tenant, "rowid") { hidden in
      Ask.delete { $0.returning = [.expression(.column(hidden))] }
    },
    .refused("a hidden column of a table without rowid in a delete", .tenant, "secret") { hidden in
      .delete(from: "keyed") { $0.where = .column("keyed", hidden) }
    },
    .refused("a hidden column in a delete's subquery", .tenant, "secret") { hidden in
      Ask.delete { $0.where = .exists(Ask.plain { $0.where = Ask.equal(.column("x"), .column("notes", hidden)) }) }
    },
    .gives("the star of a delete's RETURNING", [[.integer(5), .text("n5"), .text("b")]]) {
      Ask.delete {
        $0.where = Ask.equal(.column("id"), .literal(Int64(5)))
        $0.returning = [.all()]
      }
    },
  ]

  private static func upsert(_ value: ASTExpression) -> ASTUpsert { .on(["title"], set: [.set("body", value)]) }

  private static let inserts: [Attempt] = [
    .refused("inserting a hidden column", .tenant, "secret") { hidden in
      .insert(into: "notes", ["title", "tenant", hidden]) {
        $0.values = .rows([[.literal("x"), .literal("a"), .literal("x")]])
      }
    },
    .refused("inserting the key", .tenant, "id") { hidden in
      .insert(into: "notes", [hidden, "title", "tenant"]) {
        $0.values = .rows([[.literal(Int64(2)), .literal("x"), .literal("a")]])
      }
    },
    .refused("a conflict at a hidden column", .tenant, "secret") { hidden in
      Ask.insert { $0.upserts = [.on([hidden])] }
    },
    .refused("a hidden column in the condition of a conflict's target", .tenant, "secret") { hidden in
      Ask.insert {
        $0.upserts = [.on(["title"])]
        $0.upserts[0].targetWhere = .column(hidden)
      }
    },
    .refused("an upsert that sets a hidden column", .tenant, "secret") { hidden in
      Ask.insert { $0.upserts = [.on(["title"], set: [.set(hidden, .literal("x"))])] }
    },
    .refused("an upsert with a hidden column as its value", .tenant, "secret") { hidden in
      Ask.insert { $0.upserts = [upsert(.column("notes", hidden))] }
    },
    .refused("an upsert with the default of a hidden column", .tenant, "secret") { hidden in
      Ask.insert { $0.upserts = [upsert(.column("excluded", hidden))] }
    },
    .refused("an upsert with a generated column of the new row", .tenant, "shout") { hidden in
      Ask.insert { $0.upserts = [upsert(.column("excluded", hidden))] }
    },
    .refused("an upsert whose condition asks a hidden column", .tenant, "secret") { hidden in
      Ask.insert { $0.upserts = [.on(["title"], set: [.set("body", .null)], where: .column("notes", hidden))] }
    },
    .refused("a hidden column in an insert's RETURNING", .tenant, "secret") { hidden in
      Ask.insert { $0.returning = [.expression(.column(hidden))] }
    },
    .refused("a hidden column in an insert's RETURNING by the table's name", .tenant, "shout") { hidden in
      Ask.insert {
        $0.alias = "n"
        $0.returning = [.expression(.column("notes", hidden))]
      }
    },
    .fails("default values, which are no row of its own", .constraint) { _ in
      .insert(into: "notes") {
        $0.defaultValues = true
        $0.returning = [.all()]
      }
    },
  ]
}
