/// Expressions and the SQL that they become.
///
/// Always true: each is selected from `items`.
import MartletAST

extension Example {
  static let a = ASTExpression.column("title")
  static let b = ASTExpression.column("note")
  static let one = ASTExpression.literal(Int64(1))
  static let two = ASTExpression.literal(Int64(2))

  static let expressions: [Example] = [
    expression(#""title""#, a),
    expression(#""items"."title""#, .column("items", "title")),
    expression(#""main"."items"."title""#, .column("items", "title", schema: "main")),
    expression("?7", .parameter(7)),
    expression("NULL", .null),
    expression("TRUE", .keyword(.true)),
    expression("FALSE", .keyword(.false)),
    expression("CURRENT_DATE", .keyword(.currentDate)),
    expression("CURRENT_TIME", .keyword(.currentTime)),
    expression("CURRENT_TIMESTAMP", .keyword(.currentTimestamp)),
    expression("-42", .literal(Int64(-42))),
    expression("0.1", .literal(0.1)),
    expression("'it''s'", .literal("it's")),
    expression("x'00ff'", .literal([0, 255] as [UInt8])),
    expression(
      #"CASE "title" WHEN 1 THEN 'one' ELSE 'many' END"#, .case(on: a, [(one, .literal("one"))], else: .literal("many"))
    ),
    expression(#"CASE WHEN "title" THEN 1 WHEN "note" THEN 2 END"#, .case([(a, one), (b, two)])),
    expression(#"CAST("title" AS NUMERIC(10,2))"#, .cast(a, as: "NUMERIC(10, 2)")),
    expression(#""title" COLLATE "NOCASE""#, .collate(a, "NOCASE")),
    expression(#"(("title") || ("note")) COLLATE "NOCASE""#, .collate(.call(.concatenate, a, b), "NOCASE")),
    expression("(\n  SELECT max(\"id\")\n  FROM \"lists\"\n)", .subquery(maxID)),
    expression("EXISTS (\n  SELECT max(\"id\")\n  FROM \"lists\"\n)", .exists(maxID)),
    // SQLite forgets DISTINCT within EXISTS, and an OFFSET would count what is there twice.
    expression(
      "EXISTS (SELECT 1 FROM (\n  SELECT DISTINCT \"name\"\n  FROM \"lists\"\n  LIMIT -1 OFFSET 1\n))",
      .exists(distinctNames)),
    expression(
      "EXISTS (SELECT 1 FROM (\n  VALUES\n  (1)\n    UNION ALL\n  SELECT 2\n  LIMIT -1 OFFSET 1\n))",
      .exists(.compound(.values([[one]]), [(.unionAll, .raw("SELECT 2"))]) { $0.offset = one })),
    expression(#"count(*)"#, .countAll),
    expression(
      #"count(DISTINCT "title") FILTER (WHERE ("qty") > (1))"#,
      .function("count", a) {
        $0.distinct = true
        $0.filter = .call(.greater, .column("qty"), one)
      }),
    expression(#"replace("title", 'a', 'b')"#, .function("replace", a, .literal("a"), .literal("b"))),
    expression(
      "upper(\"title\") /* \"note\" (1) + (2) SELECT 1 \"we\"\"ird\" */ ",
      .raw(
        "upper(", .expression(a), ") /* ", .expression(b), " ", .statement(.raw("(1) + (2)")), " ",
        .statement(.select { $0.columns = [.expression(one)] }), " ", .identifier("we\"ird"), " */ ")),
    Example(
      #"SELECT "if"("title", 1)"# + "\nFROM \"items\"",
      .select {
        $0.columns = [.expression(.function("if", a, one))]
        $0.from = .table("items")
      }, sqliteVersion: 3_048_000),
    Example(
      #"SELECT group_concat("title", ', ' ORDER BY "qty" DESC)"# + "\nFROM \"items\"",
      .select {
        $0.columns = [
          .expression(.function("group_concat", a, .literal(", ")) { $0.orderBy = [.by(.column("qty"), .descending)] })
        ]
        $0.from = .table("items")
      }, sqliteVersion: 3_044_000),
  ]

  static let distinctNames = ASTStatement.select {
    $0.distinct = true
    $0.columns = [.expression(.column("name"))]
    $0.from = .table("lists")
    $0.offset = one
  }

  static let maxID = ASTStatement.select {
    $0.columns = [.expression(.function("max", .column("id")))]
    $0.from = .table("lists")
  }

  static let windows: [Example] = [
    expression(
      #"row_number() OVER (PARTITION BY "note" ORDER BY "title" DESC)"#,
      .function("row_number") { $0.over.window = .over(partitionBy: [b], orderBy: [.by(a, .descending)]) }),
    expression("sum(\"qty\") OVER ()", .function("sum", .column("qty")) { $0.over.window = ASTWindow() }),
    Example(
      """
      SELECT rank() OVER "w", sum("qty") OVER ("w" ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW)
      FROM "items"
      WINDOW "w" AS (ORDER BY "qty")
      """,
      .select {
        var extended = ASTWindow()
        extended.base = "w"
        extended.frame.unit = .rows
        extended.frame.start = .at(.unboundedPreceding)
        extended.frame.exclusion = .currentRow
        var named = ASTNamedWindow()
        named.name = "w"
        named.window = .over(orderBy: [.by(.column("qty"))])
        $0.columns = [
          .expression(.function("rank") { $0.over.name = "w" }),
          .expression(.function("sum", .column("qty")) { $0.over.window = extended }),
        ]
        $0.from = .table("items")
        $0.windows = [named]
      }),
    frame(
      "RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES", .range, .at(.preceding, one), .at(.following, one),
      .ties),
    frame(
      "GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE GROUP", .groups, .at(.currentRow),
      .at(.unboundedFollowing), .group),
    frame(
      "ROWS BETWEEN ((1) + (2)) PRECEDING AND CURRENT ROW EXCLUDE NO OTHERS",
      .rows, .at(.preceding, .call(.add, one, two)), .at(.currentRow), .noOthers),
  ]

  private static func frame(
    _ sql: String, _ unit: ASTFrame.Unit, _ start: ASTFrameBound, _ end: ASTFrameBound, _ exclusion: ASTFrame.Exclusion
  ) -> Example {
    expression(
      "sum(\"qty\") OVER (ORDER BY \"id\" \(sql))",
      .function("sum", .column("qty")) {
        $0.over.window = .over(
          orderBy: [.by(.column("id"))], frame: .between(unit, start, end, exclusion))
      })
  }
}
