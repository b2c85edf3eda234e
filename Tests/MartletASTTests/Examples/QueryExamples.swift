/// Queries and the SQL that they become.
///
/// Always true: each parses against the examples' schema.
import MartletAST

extension Example {
  static let items = ASTStatement.select {
    $0.columns = [.expression(.column("id"))]
    $0.from = .table("items")
  }
  static let lists = ASTStatement.select {
    $0.columns = [.expression(.column("id"))]
    $0.from = .table("lists")
  }

  static let queries: [Example] = [
    Example(
      """
      SELECT DISTINCT "items"."title" AS "name", "items".*, *
      FROM "items"
      WHERE (("items"."id") = (?1))
      GROUP BY "items"."title", "items"."note"
      HAVING ((count(*)) > (1))
      ORDER BY "items"."title" COLLATE "NOCASE" ASC NULLS FIRST, "items"."id" DESC NULLS LAST
      LIMIT 10 OFFSET ?2
      """,
      .select {
        $0.distinct = true
        $0.columns = [.expression(.column("items", "title"), as: "name"), .all(of: "items"), .all()]
        $0.from = .table("items")
        $0.where = .call(.equal, .column("items", "id"), .parameter(1))
        $0.groupBy = [.column("items", "title"), .column("items", "note")]
        $0.having = .call(.greater, .countAll, one)
        $0.orderBy = [
          .by(.collate(.column("items", "title"), "NOCASE"), .ascending, nulls: .first),
          .by(.column("items", "id"), .descending, nulls: .last),
        ]
        $0.limit = .literal(Int64(10))
        $0.offset = .parameter(2)
      }),
    Example(
      "SELECT \"id\"\nFROM \"items\"\nLIMIT -1 OFFSET 2",
      .select {
        $0.columns = [.expression(.column("id"))]
        $0.from = .table("items")
        $0.offset = two
      }),
    Example("VALUES\n(1, 'a'), (2, ?1)", .values([[one, .literal("a")], [two, .parameter(1)]])),
    Example(
      """
      SELECT "id"
      FROM "items"
        UNION ALL
      SELECT * FROM (
        SELECT "id"
        FROM "lists"
        LIMIT 1
      )
        EXCEPT
      SELECT * FROM (
        VALUES
        (1)
      )
      ORDER BY 1
      LIMIT 2 OFFSET 1
      """,
      .compound(
        items,
        [
          (
            .unionAll,
            .select {
              $0.columns = [.expression(.column("id"))]
              $0.from = .table("lists")
              $0.limit = one
            }
          ), (.except, .values([[one]])),
        ]
      ) {
        $0.orderBy = [.by(one)]
        $0.limit = two
        $0.offset = one
      }),
    Example(
      """
      SELECT * FROM (
        SELECT "id"
        FROM "items"
          UNION
        SELECT "id"
        FROM "lists"
      )
        INTERSECT
      VALUES
      (1)
      """,
      .compound(.compound(items, [(.union, lists)]), [(.intersect, .values([[one]]))])),
    Example(
      """
      WITH RECURSIVE "tree"("id") AS (
        VALUES
        (?1)
          UNION ALL
        SELECT "lists"."id"
        FROM "lists"
        JOIN "tree" ON ("lists"."parent") = ("tree"."id")
      ), "all" AS MATERIALIZED (
        SELECT "id"
        FROM "items"
      ), "none" AS NOT MATERIALIZED (
        SELECT "id"
        FROM "lists"
      )
      SELECT *
      FROM "tree"
      """, recursive),
    Example(#"PRAGMA table_info("items")"#, .raw("PRAGMA table_info(", .identifier("items"), ")")),
  ]

  private static var recursive: ASTStatement {
    var all = ASTCommonTable.named("all", as: items)
    all.materialization = .materialized
    var none = ASTCommonTable.named("none", as: lists)
    none.materialization = .notMaterialized
    let step = ASTStatement.select {
      $0.columns = [.expression(.column("lists", "id"))]
      $0.from = .table("lists")
      $0.joins = [.join(.inner, .table("tree"), on: .call(.equal, .column("lists", "parent"), .column("tree", "id")))]
    }
    let tree = ASTStatement.compound(.values([[.parameter(1)]]), [(.unionAll, step)])
    return .with(
      [.named("tree", columns: ["id"], as: tree), all, none], recursive: true, .select { $0.from = .table("tree") })
  }

  static let sources: [Example] = [
    from(#""main"."items" AS "i" INDEXED BY "items_by_qty""#, hinted { $0.table.indexedBy = "items_by_qty" }) {
      $0.where = .call(.equal, .column("qty"), one)
    },
    from(#""main"."items" AS "i" NOT INDEXED"#, hinted { $0.table.notIndexed = true }),
    from("(\n  SELECT \"id\"\n  FROM \"lists\"\n) AS \"l\"", .subquery(lists, as: "l")),
    from(#"json_each('[1]', '$') AS "j""#, .function("json_each", [.literal("[1]"), .literal("$")], as: "j")),
    from(#""main"."json_each"('[1]')"#, schemaFunction),
    from(#""martlet_rows"(?1) AS "r""#, .rows(1, columns: 2, as: "r")),
    from("(\n  \"items\"\n  CROSS JOIN \"lists\"\n)", .joined(.table("items"), [.join(.cross, .table("lists"))])),
    from("(SELECT 1) AS \"x\"", raw),
    joined("JOIN \"lists\" ON (\"items\".\"list_id\") = (\"lists\".\"id\")", .inner),
    joined("LEFT JOIN \"lists\" ON (\"items\".\"list_id\") = (\"lists\".\"id\")", .left),
    joined("RIGHT JOIN \"lists\" ON (\"items\".\"list_id\") = (\"lists\".\"id\")", .right),
    joined("FULL JOIN \"lists\" ON (\"items\".\"list_id\") = (\"lists\".\"id\")", .full),
    Example(
      "SELECT *\nFROM \"items\"\nNATURAL JOIN \"lists\"\nCROSS JOIN \"lists\" AS \"l\" USING (\"id\", \"name\")",
      .select {
        var natural = ASTJoin.join(.inner, .table("lists"))
        natural.natural = true
        $0.from = .table("items")
        $0.joins = [natural, .join(.cross, .table("lists", as: "l"), using: ["id", "name"])]
      }),
  ]

  private static let raw: ASTTableSource = {
    var source = ASTTableSource()
    source.raw.parts = ["(SELECT 1)"]
    source.alias = "x"
    return source
  }()

  private static let schemaFunction: ASTTableSource = {
    var source = ASTTableSource.function("json_each", [.literal("[1]")])
    source.function.schema = "main"
    return source
  }()

  private static func hinted(_ change: (inout ASTTableSource) -> Void) -> ASTTableSource {
    var source = ASTTableSource.table("items", as: "i", schema: "main")
    change(&source)
    return source
  }

  private static func from(
    _ sql: String, _ source: ASTTableSource, _ change: (inout ASTSelect) -> Void = { _ in }
  ) -> Example {
    let tree = ASTStatement.select {
      $0.from = source
      change(&$0)
    }
    return Example("SELECT *\nFROM \(sql)" + (tree.select.hasWhere ? "\nWHERE ((\"qty\") = (1))" : ""), tree)
  }

  private static func joined(_ sql: String, _ kind: ASTJoin.Kind) -> Example {
    Example(
      "SELECT *\nFROM \"items\"\n\(sql)",
      .select {
        $0.from = .table("items")
        $0.joins = [
          .join(kind, .table("lists"), on: .call(.equal, .column("items", "list_id"), .column("lists", "id")))
        ]
      })
  }
}
