/// Writes and the SQL that they become.
///
/// Always true: each parses against the examples' schema.
import MartletAST

extension Example {
  private static let excluded = ASTAssignment.set("title", .column("excluded", "title"))

  static let writes: [Example] = [
    Example(
      "INSERT INTO \"items\"\n(\"title\", \"qty\")\nVALUES\n('a', ?1), ('b', 2)\nRETURNING \"id\", *",
      .insert(into: "items", ["title", "qty"]) {
        $0.values = .rows([[.literal("a"), .parameter(1)], [.literal("b"), two]])
        $0.returning = [.expression(.column("id")), .all()]
      }),
    Example(
      "INSERT INTO \"items\"\n(\"title\", \"qty\")\nSELECT \"c0\", \"c1\" FROM \"martlet_rows\"(?1) WHERE 1",
      .insert(into: "items", ["title", "qty"], rows: 1)),
    Example(
      """
      INSERT INTO "main"."items" AS "i"
      ("title")
      SELECT "name"
      FROM "lists"
      WHERE 1
      ON CONFLICT ("id")
      DO NOTHING
      ON CONFLICT ("title" COLLATE "BINARY" ASC)
      WHERE 1
      DO UPDATE SET "title" = "excluded"."title", ("qty", "note") = (1, 2)
      WHERE (("i"."qty") > (1))
      """,
      .insert(into: "items", ["title"]) {
        $0.into.schema = "main"
        $0.alias = "i"
        $0.query = .select {
          $0.columns = [.expression(.column("name"))]
          $0.from = .table("lists")
        }
        var second = ASTUpsert.on(
          set: [excluded, .set(["qty", "note"], .tuple(one, two))], where: .call(.greater, .column("i", "qty"), one))
        second.target = [.column("title", collation: "BINARY", .ascending)]
        second.targetWhere = one
        $0.upserts = [.on(["id"]), second]
      }),
    Example(
      "INSERT INTO \"items\"\n(\"title\")\nSELECT *\nFROM (\n  SELECT 'x'\n)\nWHERE 1\nON CONFLICT DO NOTHING",
      .insert(into: "items", ["title"]) {
        $0.query = .raw("SELECT 'x'")
        $0.upserts = [.on()]
      }),
    insertOr("ABORT", .abort), insertOr("FAIL", .fail), insertOr("IGNORE", .ignore), insertOr("REPLACE", .replace),
    insertOr("ROLLBACK", .rollback),
    Example(
      """
      WITH "x" AS (
        SELECT "id"
        FROM "lists"
      )
      UPDATE OR IGNORE "items" AS "i"
      SET "title" = 'a', ("qty", "note") = (
        SELECT 1, 2
      )
      FROM "lists"
      JOIN "x" ON ("x"."id") = ("lists"."id")
      WHERE (("lists"."id") = ("i"."list_id"))
      RETURNING "id"
      """,
      .with(
        [.named("x", as: lists)],
        .update("items") {
          $0.or = .ignore
          $0.alias = "i"
          $0.assignments = [
            .set("title", .literal("a")),
            .set(["qty", "note"], .subquery(.select { $0.columns = [.expression(one), .expression(two)] })),
          ]
          $0.from = .table("lists")
          $0.joins = [.join(.inner, .table("x"), on: .call(.equal, .column("x", "id"), .column("lists", "id")))]
          $0.where = .call(.equal, .column("lists", "id"), .column("i", "list_id"))
          $0.returning = [.expression(.column("id"))]
        })),
    Example(
      "UPDATE \"items\"\nSET \"qty\" = (\"qty\") + (1)\nORDER BY \"id\" DESC\nLIMIT 1 OFFSET 2",
      .update("items") {
        $0.assignments = [.set("qty", .call(.add, .column("qty"), one))]
        $0.orderBy = [.by(.column("id"), .descending)]
        $0.limit = one
        $0.offset = two
      }),
    Example(
      "DELETE FROM \"items\" AS \"i\"\nWHERE ((\"id\") = (?1))\nRETURNING \"title\"\nORDER BY \"id\"\nLIMIT 1 OFFSET 2",
      .delete(from: "items") {
        $0.alias = "i"
        $0.where = .call(.equal, .column("id"), .parameter(1))
        $0.returning = [.expression(.column("title"))]
        $0.orderBy = [.by(.column("id"))]
        $0.limit = one
        $0.offset = two
      }),
  ]

  private static func insertOr(_ sql: String, _ resolution: ASTConflictResolution) -> Example {
    Example(
      "INSERT OR \(sql) INTO \"items\"\nDEFAULT VALUES",
      .insert(into: "items") {
        $0.or = resolution
        $0.defaultValues = true
      })
  }
}
