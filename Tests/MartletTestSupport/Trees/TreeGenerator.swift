/// Random valid trees of every kind over the nasty schema, from a seed.
///
/// Always true: what it makes resolves against the schema too, so SQLite must take all of it.
package import MartletAST

package struct TreeGenerator {
  /// A column that can be named at this place.
  struct Visible {
    var source: String
    var name: String
  }

  /// What an expression may hold at its place.
  struct Scope {
    var columns: [Visible] = []
    /// Columns of the innermost FROM: what an aggregate takes, so that it belongs to that query.
    var own: [Visible] = []
    var allowsAggregates = false
    var allowsWindows = false
    var allowsParameters = true
    var allowsSubqueries = true

    /// Without aggregates and windows: inside their arguments, and in clauses that take none.
    var plain: Scope {
      var scope = self
      scope.allowsAggregates = false
      scope.allowsWindows = false
      return scope
    }
  }

  var random: SeededGenerator
  private var names = 0
  /// The common tables around, with their columns.
  var commonTables: [(name: String, columns: [String])] = []
  /// An update has a source that is called as its target, which no client under rules may have.
  package internal(set) var collides = false

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  // MARK: Choices

  mutating func chance(_ one: Int, in many: Int) -> Bool { Int.random(in: 0..<many, using: &random) < one }
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: 0..<list.count, using: &random)]
  }

  /// A name that is nowhere else.
  mutating func fresh() -> String {
    names += 1
    return "\(pick(NastySchema.names)) \(names)"
  }

  mutating func several<Element>(_ range: ClosedRange<Int>, _ make: (inout TreeGenerator) -> Element) -> [Element] {
    var list: [Element] = []
    for _ in 0..<number(range) { list.append(make(&self)) }
    return list
  }

  // MARK: Statements

  package mutating func statement() -> ASTStatement {
    switch number(0...19) {
    case 0...5: return query(width: number(1...3), Scope(), depth: 3)
    case 6: return with { $0.query(width: 2, Scope(), depth: 2) }
    case 7: return with { $0.write() }
    case 8...13: return write()
    default: return schema()
    }
  }

  mutating func write() -> ASTStatement {
    switch number(0...2) {
    case 0: insert()
    case 1: update()
    default: delete()
    }
  }

  mutating func with(_ body: (inout TreeGenerator) -> ASTStatement) -> ASTStatement {
    let tables = several(1...2) { generator -> ASTCommonTable in
      let width = generator.number(1...3)
      let names = generator.chance(2, in: 3) ? generator.columnNames(width) : []
      var table = ASTCommonTable.named(
        generator.fresh(), columns: names, as: generator.query(width: width, Scope(), depth: 1))
      table.materialization = generator.pick([.unspecified, .materialized, .notMaterialized])
      return table
    }
    let outer = commonTables
    commonTables = tables.filter { !$0.columns.isEmpty }.map { ($0.name, $0.columns) }
    defer { commonTables = outer }
    return .with(tables, recursive: chance(1, in: 3), body(&self))
  }

  /// Names of columns, now and then those by which SQLite knows a row's number.
  mutating func columnNames(_ width: Int) -> [String] {
    let numbers = ["rowid", "oid", "_rowid_"]
    return chance(1, in: 3) ? Array(numbers.prefix(width)) : several(width...width) { $0.fresh() }
  }

  // MARK: Queries

  mutating func query(width: Int, _ scope: Scope, depth: Int) -> ASTStatement {
    switch number(0...9) {
    case 0:
      return .values(several(1...3) { $0.several(width...width) { $0.expression(scope.plain, depth: 1) } })
    case 1 where depth > 1: return compound(width: width, scope, depth: depth)
    default: return select(width: width, scope, depth: depth)
    }
  }

  private mutating func compound(width: Int, _ scope: Scope, depth: Int) -> ASTStatement {
    let first = query(width: width, scope, depth: depth - 1)
    let terms = several(1...3) { generator in
      (
        generator.pick([ASTCompound.Operator.union, .unionAll, .intersect, .except]),
        generator.query(width: width, scope, depth: depth - 1)
      )
    }
    let ordinal = ASTExpression.literal(Int64(number(1...width)))
    let isOrdered = chance(1, in: 2)
    let isLimited = chance(1, in: 3)
    return .compound(first, terms) {
      if isOrdered { $0.orderBy = [.by(ordinal, .descending)] }
      if isLimited { $0.offset = .parameter(1) }
      if isLimited && !scope.allowsParameters { $0.offset = ordinal }
    }
  }

  private mutating func select(width: Int, _ outer: Scope, depth: Int) -> ASTStatement {
    var (from, visible) = source(outer, depth: depth)
    var node = ASTSelect()
    for _ in 0..<number(0...2) where chance(1, in: 2) {
      let (source, more) = self.source(outer, depth: depth - 1)
      visible += more
      var scope = outer.plain
      scope.columns = visible
      let condition = expression(scope, depth: 1)
      node.joins.append(.join(pick([.inner, .left, .right, .full, .cross]), source, on: condition))
    }
    if chance(1, in: 8), node.joins.isEmpty {
      from = .joined(from, [])
    }
    var scope = outer
    scope.columns = visible
    scope.own = visible
    scope.allowsAggregates = chance(1, in: 3)
    scope.allowsWindows = chance(1, in: 4)
    node.distinct = chance(1, in: 5)
    node.from = from
    let names = several(width...width) { $0.chance(1, in: 2) ? $0.fresh() : "" }
    node.columns = names.map { .expression(expression(scope, depth: depth), as: $0) }
    if chance(1, in: 2) { node.where = condition(scope.plain, depth: depth) }
    if scope.allowsAggregates && chance(1, in: 2) {
      node.groupBy = several(1...2) { $0.column(scope) }
      var having = scope
      having.allowsWindows = false
      if chance(1, in: 2) { node.having = expression(having, depth: 2) }
    }
    if chance(1, in: 2) { node.orderBy = several(1...2) { $0.orderingTerm(scope) } }
    if chance(1, in: 4) { node.limit = bound(scope) }
    if chance(1, in: 6) { node.offset = bound(scope) }
    return .select { $0 = node }
  }

  mutating func bound(_ scope: Scope) -> ASTExpression {
    if chance(1, in: 12) { return wrongBound(scope) }
    return scope.allowsParameters && chance(1, in: 2)
      ? .parameter(UInt32(number(1...9))) : .literal(Int64(number(-1...9)))
  }

  /// A plain number would be taken for the position of a result column.
  mutating func orderingTerm(_ scope: Scope) -> ASTOrderingTerm {
    let column = self.column(scope)
    let term = chance(1, in: 3) ? .collate(column, pick(["NOCASE", "BINARY", "RTRIM"])) : column
    return .by(term, pick([.unspecified, .ascending, .descending]), nulls: pick([.unspecified, .first, .last]))
  }

  // MARK: Sources

  mutating func source(_ outer: Scope, depth: Int) -> (ASTTableSource, [Visible]) {
    let alias = fresh()
    switch number(0...9) {
    case 0 where depth > 1 && outer.allowsSubqueries:
      let names = [fresh(), fresh()]
      let query = ASTStatement.select {
        let table = NastySchema.tables[0]
        $0.columns = names.map { .expression(.column(table.columns[1]), as: $0) }
        $0.from = .table(table.name)
      }
      return (.subquery(query, as: alias), names.map { Visible(source: alias, name: $0) })
    case 1:
      return (
        .function("json_each", [.literal("[1,2]")], as: alias),
        ["key", "value"].map { Visible(source: alias, name: $0) }
      )
    case 3 where !commonTables.isEmpty:
      let table = pick(commonTables)
      return (.table(table.name, as: alias), table.columns.map { Visible(source: alias, name: $0) })
    case 2 where outer.allowsParameters:
      return (.rows(20, columns: 2, as: alias), ["c0", "c1"].map { Visible(source: alias, name: $0) })
    default:
      let table = pick(NastySchema.tables)
      var source = ASTTableSource.table(table.name, as: alias, schema: chance(1, in: 4) ? "main" : "")
      if chance(1, in: 8) { source.table.notIndexed = true }
      return (source, table.columns.map { Visible(source: alias, name: $0) })
    }
  }
}
