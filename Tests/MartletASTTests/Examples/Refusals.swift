/// Trees that are no statements, with the path of the node at fault.
///
/// Always true: each breaks one rule.
import MartletAST
import MartletValues

extension ValidationTests.Refusal {
  private static let a = ASTExpression.column("a")
  private static let one = ASTExpression.literal(Int64(1))

  static let all = expressions + calls + queries + writes + schema

  private static func value(
    _ path: String, _ expression: ASTExpression, _ reason: RequestError.Reason = .invalidStatement
  ) -> Self {
    Self(
      path: "select.columns[0].expression" + (path.isEmpty ? "" : "." + path),
      tree: .select {
        $0.columns = [.expression(expression)]
        $0.from = .table("t")
      }, reason: reason)
  }

  private static func select(_ path: String, _ change: (inout ASTSelect) -> Void) -> Self {
    Self(
      path: path.isEmpty ? "select" : "select." + path,
      tree: .select {
        $0.from = .table("t")
        change(&$0)
      })
  }

  private static let expressions: [Self] = [
    value("", ASTExpression()),
    value("column.name", .column("")),
    value("column.name", .column("t", "a\0b")),
    value("column.table", .column("", "a", schema: "main")),
    value("literal", made { $0.literal = ASTLiteral() }),
    value("literal.text", .literal("a\0b")),
    value("literal.keyword", .keyword(.unspecified)),
    value("literal.keyword", .keyword(.UNRECOGNIZED(77)), .unsupported),
    value("parameter.index", .parameter(0)),
    value("parameter.index", .parameter(.max), .limit),
    value("parameter", .listParameter(1)),
    value(
      "parameter.columns",
      made {
        $0.parameter.index = 1; $0.parameter.columns = 2
      }),
    value("list", .list([one])),
    value("tuple", .tuple(a, one)),
    value("tuple.elements", .tuple()),
    value("case.branches", .case([])),
    value(
      "case.branches[0].then",
      made {
        $0.case.branches = [
          {
            var b = ASTCase.Branch(); b.when = one; return b
          }()
        ]
      }),
    value("cast.operand", made { $0.cast.type = "TEXT" }),
    value("cast.type", .cast(a, as: "")),
    value("cast.type", .cast(a, as: "TEXT) --")),
    value("cast.type", .cast(a, as: "INT(1,2,3)")),
    value("cast.type", .cast(a, as: "INT(x)")),
    value("collate.collation", .collate(a, "")),
    value("raise", .raise(.ignore)),
    value("raw.parts", .raw()),
    value("raw.parts[0].sql", .raw("a\0")),
    value("raw.parts[0].identifier", .raw(.identifier(""))),
    value("raw", .raw("a = ?")), value("raw", .raw("a = :b", .expression(one))),
    value("subquery", .subquery(.delete(from: "t"))),
    value("exists", .exists(.drop(.table, "t"))),
  ]

  private static let calls: [Self] = [
    value("call.callee", made { $0.call = ASTCall() }),
    value("call.operator", .call(.unspecified, a)),
    value("call.operator", .call(.UNRECOGNIZED(999), a), .unsupported),
    value("call.arguments", .call(.and, a)),
    value("call.arguments", .call(.equal, a, a, a)),
    value("call.arguments", .call(.not, a, a)),
    value("call.arguments", .call(.between, a, a)),
    value("call.arguments", .call(.like, a, a, a, a)),
    value("call.arguments[1]", .call(.add, a, ASTExpression())),
    value("call.arguments[1]", .call(.in, a, one)),
    value("call.arguments[1].list.elements", .in(a, [.tuple(one, one)])),
    value("call.arguments[1].list.elements", .in(.tuple(a, a), [one])),
    value("call.arguments[1].parameter.columns", .call(.in, a, .listParameter(1, columns: 2))),
    value("call.arguments", .call(.less, .tuple(a, a), .tuple(a, a, a))),
    value("call.arguments[0].tuple", .call(.add, .tuple(a, a), one)),
    value(
      "call.distinct",
      made {
        $0 = .call(.not, a); $0.call.distinct = true
      }),
    value(
      "call.over",
      made {
        $0 = .call(.not, a); $0.call.over.name = "w"
      }),
    value("call.function", .function("")),
    value("call.star", .function("count", a) { $0.star = true }),
    value("call.distinct", .function("count", a, a) { $0.distinct = true }),
    value(
      "call.distinct",
      .function("count", a) {
        $0.distinct = true; $0.over.name = "w"
      }),
    value("call.over", .function("sum", a) { $0.over = ASTOver() }),
    value("call.over.name", .function("sum", a) { $0.over.name = "" }),
    frame("start", .between(.rows, .at(.unboundedFollowing), .at(.unboundedFollowing))),
    frame("end", .between(.rows, .at(.currentRow), .at(.unboundedPreceding))),
    frame("end", .between(.rows, .at(.following, one), .at(.currentRow))),
    frame("start.offset", .between(.rows, .at(.preceding), .at(.currentRow))),
    frame("end.offset", .between(.rows, .at(.preceding, one), .at(.currentRow, one))),
    frame("unit", .between(.unspecified, .at(.currentRow), .at(.currentRow))),
    frame(
      "start",
      {
        var f = ASTFrame(); f.unit = .rows; f.start = .at(.following, one); return f
      }()),
    value(
      "call.over.window.partition_by",
      .function("sum", a) {
        $0.over.window.base = "w"; $0.over.window.partitionBy = [a]
      }),
  ]

  private static func frame(_ path: String, _ frame: ASTFrame) -> Self {
    value("call.over.window.frame." + path, .function("sum", a) { $0.over.window = .over(frame: frame) })
  }

  private static func made(_ change: (inout ASTExpression) -> Void) -> ASTExpression {
    var node = ASTExpression()
    change(&node)
    return node
  }

  private static let queries: [Self] = [
    Self(path: "", tree: ASTStatement()),
    Self(path: "select.columns", tree: .select { _ in }),
    Self(
      path: "select.joins",
      tree: .select {
        $0.columns = [.expression(one)]; $0.joins = [.join(.inner, .table("t"))]
      }),
    select("columns[0]") { $0.columns = [ASTResultColumn()] },
    select("columns[0].alias") {
      $0.columns = [
        {
          var c = ASTResultColumn.all(); c.alias = "x"; return c
        }()
      ]
    },
    select("from") { $0.from = ASTTableSource() },
    select("from.table.name") { $0.from = .table("") },
    select("from.alias") { $0.from.alias = "\0" },
    select("from.table.indexed_by") { $0.from.table.indexedBy = "" },
    select("from.subquery") { $0.from = .subquery(.delete(from: "t")) },
    select("from.rows.list") { $0.from.rows.index = 1 },
    select("from.joined.from") { $0.from.joined = ASTJoinedTables() },
    select("joins[0].kind") { $0.joins = [.join(.unspecified, .table("u"))] },
    select("joins[0].source") {
      $0.joins = [
        {
          var j = ASTJoin(); j.kind = .left; return j
        }()
      ]
    },
    select("joins[0].using") { $0.joins = [.join(.left, .table("u"), on: one, using: ["a"])] },
    select("joins[0].natural") {
      $0.joins = [
        {
          var j = ASTJoin.join(.left, .table("u"), on: one); j.natural = true; return j
        }()
      ]
    },
    select("joins[0].using[1]") { $0.joins = [.join(.left, .table("u"), using: ["a", ""])] },
    select("where") { $0.where = ASTExpression() },
    select("group_by[0].tuple") { $0.groupBy = [.tuple(a, a)] },
    select("windows[0].name") { $0.windows = [ASTNamedWindow()] },
    select("order_by[0].expression") { $0.orderBy = [ASTOrderingTerm()] },
    select("limit.list") { $0.limit = .list([]) },
    select("offset.parameter") {
      $0.limit = .parameter(1); $0.offset = .listParameter(1)
    },
    select("where.parameter") {
      $0.columns = [.expression(.call(.in, a, .listParameter(1)))]; $0.where = .parameter(1)
    },
    Self(path: "values.rows", tree: .values([])),
    Self(path: "values.rows[0].elements", tree: .values([[]])),
    Self(path: "values.rows[1]", tree: .values([[one], [one, one]])),
    Self(path: "compound.terms", tree: .compound(.values([[one]]), [])),
    Self(path: "compound.terms[0].operator", tree: .compound(.values([[one]]), [(.unspecified, .values([[one]]))])),
    Self(path: "compound.first", tree: .compound(.delete(from: "t"), [(.union, .values([[one]]))])),
    Self(path: "with.tables", tree: .with([], .values([[one]]))),
    Self(path: "with.tables[0].name", tree: .with([.named("", as: .values([[one]]))], .values([[one]]))),
    Self(path: "with.tables[0].query", tree: .with([.named("x", as: .delete(from: "t"))], .values([[one]]))),
    Self(path: "with.body", tree: .with([.named("x", as: .values([[one]]))], .drop(.table, "t"))),
  ]

  private static let writes: [Self] = [
    Self(path: "insert.into.name", tree: .insert(into: "") { $0.defaultValues = true }),
    Self(path: "insert.source", tree: .insert(into: "t") { _ in }),
    Self(
      path: "insert.into",
      tree: .insert(into: "t") {
        $0.into.notIndexed = true; $0.defaultValues = true
      }),
    Self(path: "insert.columns[0]", tree: .insert(into: "t", ["\0"]) { $0.values = .rows([[one]]) }),
    Self(path: "insert.values", tree: .insert(into: "t", ["a", "b"]) { $0.values = .rows([[one]]) }),
    Self(path: "insert.columns", tree: .insert(into: "t", [], rows: 1)),
    Self(path: "insert.rows.columns", tree: .insert(into: "t", ["a"]) { $0.rows = .list(1, columns: 2) }),
    Self(path: "insert.columns", tree: .insert(into: "t", ["a"]) { $0.defaultValues = true }),
    Self(
      path: "insert.upserts",
      tree: .insert(into: "t") {
        $0.values = .rows([[one]]); $0.upserts = [.on(), .on(["a"])]
      }),
    Self(
      path: "insert.upserts[0].where",
      tree: .insert(into: "t") {
        $0.values = .rows([[one]]); $0.upserts = [.on(where: one)]
      }),
    Self(
      path: "insert.returning[0].all",
      tree: .insert(into: "t") {
        $0.defaultValues = true; $0.returning = [.all(of: "t")]
      }),
    Self(path: "update.assignments", tree: .update("t") { _ in }),
    Self(path: "update.assignments[0].columns", tree: .update("t") { $0.assignments = [.set([], one)] }),
    Self(path: "update.assignments[0].value", tree: .update("t") { $0.assignments = [.set(["a", "b"], one)] }),
    Self(
      path: "update.order_by",
      tree: .update("t") {
        $0.assignments = [.set("a", one)]; $0.orderBy = [.by(a)]
      }),
    Self(
      path: "delete.from",
      tree: {
        var s = ASTStatement(); s.delete = ASTDelete(); return s
      }()),
    Self(path: "delete.order_by", tree: .delete(from: "t") { $0.orderBy = [.by(a)] }),
  ]

  private static let schema: [Self] = [
    Self(path: "create_table.columns", tree: .createTable("t", [])),
    Self(
      path: "create_table.schema",
      tree: .createTable("t", [.column("a")]) {
        $0.temporary = true; $0.schema = "main"
      }),
    Self(path: "create_table.columns", tree: .createTable("t", [.column("a")]) { $0.as = .values([[one]]) }),
    Self(path: "create_table.columns[0].type", tree: .createTable("t", [.column("a", "INT, b")])),
    Self(path: "create_table.columns[0].constraints[0].check.parameter", tree: column(.check(.parameter(1)))),
    Self(
      path: "create_table.columns[0].constraints[0].default.subquery",
      tree: column(.default(.subquery(.values([[one]]))))),
    Self(path: "create_table.columns[0].constraints[0]", tree: column(ASTColumnConstraint())),
    Self(
      path: "create_table.columns[0].constraints[0].generated.expression",
      tree: column(
        {
          var constraint = ASTColumnConstraint()
          constraint.generated.stored = true
          return constraint
        }())),
    Self(path: "alter_table.change", tree: .alterTable("t") { _ in }),
    Self(path: "alter_table.rename_column.to", tree: .alterTable("t") { $0.renameColumn.from = "a" }),
    Self(path: "create_index.columns", tree: .createIndex("i", on: "t", [])),
    Self(
      path: "create_index.where.parameter",
      tree: .createIndex("i", on: "t", [.column("a")]) { $0.where = .parameter(1) }),
    Self(
      path: "create_view.query.select.where.parameter",
      tree: .createView(
        "v",
        .select {
          $0.from = .table("t"); $0.where = .parameter(1)
        })),
    Self(path: "create_view.query", tree: .createView("v", .delete(from: "t"))),
    trigger("body", []),
    trigger("body[0].insert", [.insert(into: "t") { $0.defaultValues = true }]),
    trigger(
      "body[0].update",
      [
        .update("t") {
          $0.assignments = [.set("a", one)]; $0.limit = one
        }
      ]),
    trigger("body[0].delete", [.delete(from: "t") { $0.from.schema = "main" }]),
    trigger("body[0]", [.drop(.table, "t")]),
    trigger("body[0].delete.where.parameter", [.delete(from: "t") { $0.where = .parameter(1) }]),
    Self(path: "create_trigger.timing", tree: .createTrigger("x", .unspecified, .insert, on: "t", [.values([[one]])])),
    Self(
      path: "create_trigger.update_columns",
      tree: .createTrigger("x", .after, .insert, on: "t", [.values([[one]])]) {
        $0.updateColumns = ["a"]
      }),
    Self(path: "create_virtual_table.module", tree: .createVirtualTable("v", using: "", [])),
    Self(
      path: "create_virtual_table.arguments[0].option.name",
      tree: .createVirtualTable("v", using: "fts5", [.option("a b", "")])),
    Self(
      path: "create_virtual_table.arguments[0].column.attributes[0]",
      tree: .createVirtualTable("v", using: "fts5", [.column("a", "x)")])),
    Self(path: "drop.kind", tree: .drop(.unspecified, "t")),
    Self(path: "drop.name", tree: .drop(.table, "")),
  ]

  private static func column(_ constraint: ASTColumnConstraint) -> ASTStatement {
    .createTable("t", [.column("a", "", constraint)])
  }

  private static func trigger(_ path: String, _ body: [ASTStatement]) -> Self {
    Self(path: "create_trigger." + path, tree: .createTrigger("x", .after, .insert, on: "t", body))
  }
}
