/// Conditions that fail wherever they are asked, and names that mean something else where they stand.
///
/// Always true: SQLite compiles all of it; a trap stands beside a key that a row of somebody else has.
import MartletAST

extension TreeGenerator {
  /// A parameter that is bound to a text where a number belongs.
  static let textParameter: UInt32 = 10
  /// A parameter that is bound to a text that is too long for a pattern.
  static let longParameter: UInt32 = 11
  /// What those are bound to.
  package static let boundTexts: [Int: String] = [10: "x", 11: long]
  private static let long = String(repeating: "x", count: 300)

  /// What stands behind WHERE.
  mutating func condition(_ scope: Scope, depth: Int) -> ASTExpression {
    let condition = expression(scope, depth: depth)
    guard chance(1, in: 6), let column = scope.columns.filter({ $0.name != "id" }).randomElement(using: &random) else {
      return condition
    }
    let name = ASTExpression.column(column.source, column.name)
    let key = ASTExpression.call(.equal, name, .literal("FORBIDDEN \(number(1...6))"))
    return .call(.and, chance(1, in: 2) ? [key, failing(name, scope)] : [failing(name, scope), key, condition])
  }

  /// Fails if it is asked of any row.
  private mutating func failing(_ column: ASTExpression, _ scope: Scope) -> ASTExpression {
    let pattern: ASTExpression =
      scope.allowsParameters && chance(1, in: 2) ? .parameter(Self.longParameter) : .literal(Self.long)
    guard scope.allowsSubqueries, chance(2, in: 3) else {
      return .call(pick([.like, .notLike, .glob, .notGlob]), column, pattern)
    }
    let bound = wrongBound(scope)
    let isOffset = chance(1, in: 3)
    let window = ASTWindow.over(
      orderBy: [.by(.column("id"))], frame: .between(.rows, .at(.preceding, bound), .at(.currentRow)))
    let query: ASTStatement =
      chance(1, in: 4)
      ? .select {
        $0.columns = [.expression(.function("count", .column("id")) { $0.over.window = window })]
        $0.from = .table(NastySchema.tables[0].name)
      }
      : .select {
        $0.columns = [.expression(.literal(Int64(1)))]
        if isOffset { $0.offset = bound } else { $0.limit = bound }
      }
    return chance(1, in: 2) ? .call(.notEqual, column, .subquery(query)) : .call(.notIn, column, .subquery(query))
  }

  /// What is no number of rows.
  mutating func wrongBound(_ scope: Scope) -> ASTExpression {
    scope.allowsParameters && chance(1, in: 2)
      ? .parameter(Self.textParameter) : pick([.literal("x"), .literal(0.5), .null, .literal([1])])
  }

  // MARK: Names

  /// Another name for what is written to, now and then one that something else has.
  mutating func targetAlias() -> String {
    guard chance(1, in: 3) else { return chance(1, in: 2) ? fresh() : "" }
    let common = commonTables.map(\.name)
    // Names that SQLite gives to queries and joins without one.
    return pick(common + ["(subquery-\(number(1...4)))", "(join-\(number(1...4)))", "rowid", "martlet_row", "main"])
  }

  /// A source with columns that are called as a row's number, and in most cases with the target's name.
  mutating func double(of table: String, _ alias: String) -> (ASTTableSource, [Visible]) {
    let target = alias.isEmpty ? table : alias
    let names = columnNames(3).map { $0.contains("row") || $0 == "oid" ? $0 : "rowid \($0)" }
    let query = ASTStatement.select {
      $0.columns = names.map { .expression(.literal(Int64(number(1...6))), as: $0) }
    }
    let name = pick([target, table, "", fresh()])
    collides = collides || [target, table].contains(name)
    let source = ASTTableSource.subquery(query, as: name)
    let visible = name.isEmpty ? [] : names.map { Visible(source: name, name: $0) }
    guard chance(1, in: 3) else { return (source, visible) }
    return (.joined(.table(pick(NastySchema.tables).name, as: fresh()), [.join(.cross, source)]), visible)
  }

  /// A common table in the FROM of an update, under its own name.
  mutating func commonSource(of table: String, _ alias: String) -> (ASTTableSource, [Visible])? {
    guard let common = commonTables.randomElement(using: &random) else { return nil }
    let target = alias.isEmpty ? table : alias
    let name = pick([common.name, target])
    collides = collides || name == target
    return (
      .table(common.name, as: name == common.name ? "" : name),
      common.columns.map { Visible(source: name, name: $0) }
    )
  }
}
