import MartletAST
import MartletValues

private let ruledTables = try? TableRules([
  "notes": TableRule(
    readColumns: ["id", "title"], writeColumns: ["title"], rows: RowRule("tenant = claim('tenant')"),
    newRows: RowRule("tenant = claim('tenant')")),
  "open": TableRule(),
  "seen": TableRule(permissions: .select),
  "log": TableRule(permissions: .insert),
  "shared": TableRule(
    rows: RowRule("EXISTS (SELECT 1 FROM Members WHERE name = claim('name') AND team = shared.team)")),
])

/// What suites of trees under rules have in common: the rules, and statements to change in one place.
protocol RuledTrees {}

extension RuledTrees {
  static var rules: TableRules? { ruledTables }

  static func select(_ table: String, _ column: ASTExpression = .column("id")) -> ASTStatement {
    .select {
      $0.columns = [.expression(column)]
      $0.from = .table(table)
    }
  }

  static func update(_ change: (inout ASTUpdate) -> Void) -> ASTStatement {
    .update("notes") {
      $0.assignments = [.set("title", .literal("x"))]
      change(&$0)
    }
  }

  static func insert(_ change: (inout ASTInsert) -> Void) -> ASTStatement {
    .insert(into: "notes", ["title"]) {
      $0.values = .rows([[.literal("x")]])
      change(&$0)
    }
  }

  static func upsert(_ assignment: ASTAssignment) -> ASTUpsert { .on(["id"], set: [assignment]) }
}
