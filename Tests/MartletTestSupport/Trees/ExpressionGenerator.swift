/// Random expressions: every operator, functions, aggregates, windows, and the places of row values and lists.
///
/// Always true: an aggregate takes columns of its own query only, so SQLite counts it as that query's.
import MartletAST

extension TreeGenerator {
  mutating func column(_ scope: Scope) -> ASTExpression {
    guard !scope.columns.isEmpty else { return .function("abs", literal()) }
    let column = pick(scope.columns)
    return column.source.isEmpty ? .column(column.name) : .column(column.source, column.name)
  }

  mutating func expression(_ scope: Scope, depth: Int) -> ASTExpression {
    guard depth > 0 else { return leaf(scope) }
    switch number(0...13) {
    case 0...2: return leaf(scope)
    case 3...5: return operation(scope, depth: depth)
    case 6: return comparisonOfRows(scope, depth: depth)
    case 7: return membership(scope, depth: depth)
    case 8: return branches(scope, depth: depth)
    case 9:
      return chance(1, in: 2)
        ? .cast(
          expression(scope, depth: depth - 1),
          as: pick(["TEXT", "DECIMAL(10, 5)", "UNSIGNED BIG INT", "select", "a\"b"]))
        : .collate(expression(scope, depth: depth - 1), pick(["NOCASE", "BINARY", "RTRIM"]))
    case 10 where scope.allowsSubqueries && depth > 1:
      let query = self.query(width: 1, scope.plain, depth: depth - 2)
      return chance(1, in: 2) ? .subquery(query) : .exists(query)
    case 11 where scope.allowsAggregates && !scope.own.isEmpty: return aggregate(scope)
    case 12 where scope.allowsWindows && !scope.own.isEmpty: return windowed(scope)
    case 13: return raw(scope, depth: depth)
    default: return function(scope, depth: depth)
    }
  }

  private mutating func leaf(_ scope: Scope) -> ASTExpression {
    switch number(0...5) {
    case 0 where scope.allowsParameters: .parameter(UInt32(number(1...9)))
    case 1...3 where !scope.columns.isEmpty: column(scope)
    default: literal()
    }
  }

  mutating func literal() -> ASTExpression {
    switch number(0...8) {
    case 0: .null
    case 1: .keyword(pick([.true, .false, .currentDate, .currentTime, .currentTimestamp]))
    case 2: .literal(pick([Double.infinity, -.infinity, .nan, 0.1, -1e-300, .greatestFiniteMagnitude, -0.0]))
    case 3: .literal(several(0...4) { UInt8($0.number(0...255)) })
    case 4, 5: .literal(pick(NastySchema.names))
    case 6: .literal(pick([Int64.min, .max, 0, -1]))
    default: .literal(Int64(number(-100...100)))
    }
  }

  private mutating func operation(_ scope: Scope, depth: Int) -> ASTExpression {
    let symbol = pick(ASTOperator.allCases.filter { $0 != .unspecified && $0 != .in && $0 != .notIn })
    let count: ClosedRange<Int> =
      switch symbol {
      case .and, .or, .concatenate, .add, .multiply: 2...5
      case .like, .notLike: 2...3
      case .between, .notBetween: 3...3
      case .not, .negate, .plus, .bitNot: 1...1
      default: 2...2
      }
    return .call(symbol, several(count) { $0.expression(scope, depth: depth - 1) })
  }

  private mutating func comparisonOfRows(_ scope: Scope, depth: Int) -> ASTExpression {
    let width = number(2...3)
    func row(_ generator: inout TreeGenerator) -> ASTExpression {
      var node = ASTExpression()
      node.tuple.elements = generator.several(width...width) { $0.expression(scope, depth: depth - 1) }
      return node
    }
    let symbol = pick([
      ASTOperator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .is, .isNot, .between,
    ])
    return .call(symbol, several(symbol == .between ? 3...3 : 2...2, row))
  }

  private mutating func membership(_ scope: Scope, depth: Int) -> ASTExpression {
    let symbol = pick([ASTOperator.in, .notIn])
    let value = expression(scope, depth: depth - 1)
    let pair = ASTExpression.tuple(value, expression(scope, depth: depth - 1))
    switch number(0...5) {
    case 0 where scope.allowsParameters: return .call(symbol, value, .listParameter(UInt32(number(30...32))))
    case 1 where scope.allowsParameters: return .call(symbol, pair, .listParameter(UInt32(number(40...42)), columns: 2))
    case 2 where scope.allowsSubqueries && depth > 1:
      return .call(symbol, pair, .subquery(query(width: 2, scope.plain, depth: depth - 2)))
    case 3 where scope.allowsSubqueries:
      return .call(symbol, pair, .list(several(1...3) { .tuple($0.leaf(scope), $0.leaf(scope)) }))
    default: return .call(symbol, value, .list(several(0...3) { $0.expression(scope, depth: depth - 1) }))
    }
  }

  private mutating func branches(_ scope: Scope, depth: Int) -> ASTExpression {
    let pairs = several(1...2) { generator in
      (when: generator.expression(scope, depth: depth - 1), then: generator.expression(scope, depth: depth - 1))
    }
    return .case(
      on: chance(1, in: 2) ? expression(scope, depth: depth - 1) : nil, pairs,
      else: chance(1, in: 2) ? expression(scope, depth: depth - 1) : nil)
  }

  private mutating func function(_ scope: Scope, depth: Int) -> ASTExpression {
    let (name, count) = pick([
      ("abs", 1), ("lower", 1), ("Upper", 1), ("coalesce", 3), ("ifnull", 2), ("nullif", 2), ("substr", 3),
      ("round", 1),
      ("instr", 2), ("hex", 1), ("typeof", 1), ("replace", 3), ("glob", 2), ("like", 2), ("iif", 3), ("json_array", 2),
      ("uuid", 0), ("max", 2), ("char", 1), ("quote", 1), ("strftime", 2), ("pow", 2),
    ])
    let arguments = several(count...count) { $0.expression(scope, depth: depth - 1) }
    return .function(name) { $0.arguments = arguments }
  }

  private mutating func aggregate(_ scope: Scope) -> ASTExpression {
    var own = scope.plain
    own.columns = scope.own
    own.allowsSubqueries = false
    if chance(1, in: 4) { return .countAll }
    let column = self.column(own)
    let filter = chance(1, in: 3) ? ASTExpression.call(.equal, column, literal()) : nil
    let isDistinct = chance(1, in: 3)
    return .function(pick(["count", "sum", "avg", "min", "max", "total", "group_concat", "json_group_array"]), column) {
      $0.distinct = isDistinct
      if let filter { $0.filter = filter }
    }
  }

  private mutating func windowed(_ scope: Scope) -> ASTExpression {
    var own = scope.plain
    own.columns = scope.own
    let column = self.column(own)
    let window = self.window(own)
    let (name, takesColumn) = pick([
      ("row_number", false), ("rank", false), ("cume_dist", false), ("lag", true), ("first_value", true), ("sum", true),
      ("count", true),
    ])
    return .function(name) {
      if takesColumn { $0.arguments = [column] }
      if name == "sum" { $0.filter = .call(.is, column, .null) }
      $0.over.window = window
    }
  }

  private mutating func window(_ scope: Scope) -> ASTWindow {
    let kinds: [ASTFrameBound.Kind] = [.unboundedPreceding, .preceding, .currentRow, .following, .unboundedFollowing]
    let start = number(0...3)
    let end = number(max(1, start)...4)
    let offset = chance(1, in: 6) ? wrongBound(scope) : .literal(Int64(2))
    func bound(_ kind: ASTFrameBound.Kind) -> ASTFrameBound {
      .at(kind, kind == .preceding || kind == .following ? offset : nil)
    }
    let frame = ASTFrame.between(
      pick([.rows, .range, .groups]), bound(kinds[start]), bound(kinds[end]),
      pick([.unspecified, .noOthers, .currentRow, .group, .ties]))
    return .over(
      partitionBy: several(0...2) { $0.column(scope) }, orderBy: [.by(column(scope), pick([.ascending, .descending]))],
      frame: chance(1, in: 2) ? frame : nil)
  }

  private mutating func raw(_ scope: Scope, depth: Int) -> ASTExpression {
    .raw("coalesce(", .expression(expression(scope, depth: depth - 1)), ", ", .expression(leaf(scope)), " /* ' */ )")
  }
}
