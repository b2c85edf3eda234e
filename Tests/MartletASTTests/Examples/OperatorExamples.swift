/// Operators and the SQL that they become.
///
/// Always true: each is selected from `items`, except where a clause shows it better.
import MartletAST

extension Example {
  static let operators: [Example] =
    binary.map { symbol, sql in expression("(\"title\") \(sql) (\"note\")", .call(symbol, a, b)) } + [
      expression(#"("title") AND ("note") AND (1)"#, .call(.and, a, b, one)),
      expression(#"(("title") OR ("note")) AND (1)"#, .call(.and, .call(.or, a, b), one)),
      expression(#"("title") IN ((1), (2))"#, .in(a, [one, two])),
      expression(#"("title") NOT IN ()"#, .call(.notIn, a, .list([]))),
      expression(#"("title", "note") IN (VALUES (1, 2))"#, .in(.tuple(a, b), [.tuple(one, two)])),
      expression("(\"title\") IN (\n  SELECT max(\"id\")\n  FROM \"lists\"\n)", .call(.in, a, .subquery(maxID))),
      expression(#"("title") IN (SELECT +"value" FROM "martlet_list"(?3))"#, .call(.in, a, .listParameter(3))),
      expression(
        #"("title", "note") IN (SELECT "c0", +"c1" FROM "martlet_rows"(?3))"#,
        .call(.in, .tuple(a, b), .listParameter(3, columns: 2))),
      expression(#"("title") IN ('a', 'b')"#, .call(.in, a, .raw("'a', 'b'"))),
      expression(#"("title") LIKE ('10\%%') ESCAPE '\'"#, .call(.like, a, .literal(#"10\%%"#), .literal(#"\"#))),
      expression(#"("title") NOT LIKE ('x%')"#, .call(.notLike, a, .literal("x%"))),
      expression(#""title" BETWEEN 1 AND 2"#, .call(.between, a, one, two)),
      expression(
        #"((1) + (2)) NOT BETWEEN 1 AND (-(2))"#, .call(.notBetween, .call(.add, one, two), one, .call(.negate, two))),
      expression(#"NOT ("title")"#, .call(.not, a)),
      expression(#"-(-1)"#, .call(.negate, .literal(Int64(-1)))),
      expression(#"+("title")"#, .call(.plus, a)),
      expression(#"~("title")"#, .call(.bitNot, a)),
      expression(#"("title", 1) = (2, "note")"#, .call(.equal, .tuple(a, one), .tuple(two, b))),
      expression("(\"title\") < (\n  SELECT max(\"id\")\n  FROM \"lists\"\n)", .call(.less, a, .subquery(maxID))),
      Example(
        "SELECT *\nFROM \"items\"\nWHERE ((\"title\") = (1)) AND (NOT (\"note\"))",
        .select {
          $0.from = .table("items")
          $0.where = .call(.and, .call(.equal, a, one), .call(.not, b))
        }),
    ]

  private static let binary: [(ASTOperator, String)] = [
    (.and, "AND"), (.or, "OR"), (.concatenate, "||"), (.add, "+"), (.multiply, "*"), (.subtract, "-"), (.divide, "/"),
    (.modulo, "%"), (.bitAnd, "&"), (.bitOr, "|"), (.shiftLeft, "<<"), (.shiftRight, ">>"), (.equal, "="),
    (.notEqual, "<>"), (.less, "<"), (.lessOrEqual, "<="), (.greater, ">"), (.greaterOrEqual, ">="), (.is, "IS"),
    (.isNot, "IS NOT"), (.glob, "GLOB"), (.notGlob, "NOT GLOB"), (.match, "MATCH"), (.notMatch, "NOT MATCH"),
    (.regexp, "REGEXP"), (.notRegexp, "NOT REGEXP"), (.jsonExtract, "->"), (.jsonExtractValue, "->>"),
  ]
}
