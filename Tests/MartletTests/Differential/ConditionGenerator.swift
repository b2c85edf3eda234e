/// Random texts and conditions, windows, and subqueries inside expressions.
///
/// Always true: as in ExpressionGenerator.swift. The table of a subquery has an alias of its own, so that it can be
/// told from the queries around it.
import Martlet

enum Inner1: AliasName { static var aliasName: String { "inner \"1\"" } }
enum Inner2: AliasName { static var aliasName: String { "IN" } }
enum Inner3: AliasName { static var aliasName: String { "ünner.3" } }

extension Generator {
  // MARK: - Texts

  mutating func text(_ depth: Int, _ scope: Scope) -> TextExpression {
    guard depth > 0, !chance(20) else { return textLeaf(scope) }
    if scope.mayAggregate, chance(50) { return textAggregate(depth, scope) }
    if scope.mayUseWindows, chance(40) {
      let value = text(depth - 1, scope.plain)
      return over(
        one(of: [value.lag(2), value.lastValue(), value.lead(1, default: "none"), value.firstValue()]), scope)
    }
    let value = text(depth - 1, scope)
    switch below(15) {
    case 0: return value + text(depth - 1, scope)
    case 1: return value + one(of: Self.texts)
    case 2: return value.upper()
    case 3: return value.lower()
    case 4: return chance(50) ? value.trim() : value.ltrim(one(of: Self.texts))
    case 5: return chance(50) ? value.rtrim() : value.trim(one(of: Self.texts))
    case 6: return value.substr(below(7) - 3)
    case 7: return value.substr(present(integer(depth - 1, scope)), below(6) - 2)
    case 8: return value.replace(present(text(depth - 1, scope)), one(of: Self.texts))
    case 9: return textOfAny(depth, scope)
    case 10: return value.collate(one(of: [.binary, .nocase, .rtrim]))
    case 11: return value ?? text(depth - 1, scope)
    case 12: return value.nullif(text(depth - 1, scope))
    case 13: return Case(integer(depth - 1, scope)).when(1, then: value).else(text(depth - 1, scope))
    default: return scope.mayAggregate || scope.level >= 3 ? value : textSubquery(depth, scope)
    }
  }

  private mutating func textLeaf(_ scope: Scope) -> TextExpression {
    if !scope.texts.isEmpty, chance(70) { return one(of: scope.texts) }
    return chance(8) ? SQLQueryExpression(String?.none) : SQLQueryExpression(String?.some(one(of: Self.texts)))
  }

  private mutating func textOfAny(_ depth: Int, _ scope: Scope) -> TextExpression {
    switch below(6) {
    case 0: return orNull(bytes(depth - 1, scope).quote())
    case 1: return orNull(bytes(depth - 1, scope).hex())
    case 2: return orNull(real(depth - 1, scope).quote())
    case 3: return orNull(integer(depth - 1, scope).typeof())
    case 4: return orNull(text(depth - 1, scope).typeof())
    default: return integer(depth - 1, scope).cast(as: String?.self)
    }
  }

  private mutating func textAggregate(_ depth: Int, _ scope: Scope) -> TextExpression {
    let value = text(depth - 1, scope.plain)
    switch below(5) {
    case 0: return plain(value.groupConcat())
    case 1: return plain(value.groupConcat(one(of: Self.texts), filter: condition(0, scope.plain)))
    case 2: return plain(value.groupConcat(distinct: true))
    case 3: return plain(value.min())
    default: return plain(value.max())
    }
  }

  private mutating func textSubquery(_ depth: Int, _ scope: Scope) -> TextExpression {
    subquery(scope, depth) { generator, inner, outer in generator.text(depth - 1, inner.mayAggregate ? inner : outer) }
  }

  // MARK: - Conditions

  mutating func condition(_ depth: Int, _ scope: Scope) -> Condition {
    guard depth > 0 else {
      return !scope.flags.isEmpty && chance(30)
        ? one(of: scope.flags) : comparison(integerLeaf(scope), integerLeaf(scope))
    }
    switch below(13) {
    case 0: return condition(depth - 1, scope) && condition(depth - 1, scope)
    case 1: return condition(depth - 1, scope) || condition(depth - 1, scope)
    case 2: return !condition(depth - 1, scope)
    case 3, 4: return comparison(integer(depth - 1, scope), integer(depth - 1, scope))
    case 5: return comparison(text(depth - 1, scope), text(depth - 1, scope))
    case 6: return comparison(real(depth - 1, scope), real(depth - 1, scope))
    case 7: return comparison(bytes(depth - 1, scope), bytes(depth - 1, scope))
    case 8: return pattern(depth, scope)
    case 9: return membership(depth, scope)
    case 10: return range(depth, scope)
    case 11: return rowComparison(depth, scope)
    default: return existence(depth, scope)
    }
  }

  private mutating func comparison<Value>(
    _ left: SQLQueryExpression<Value?>, _ right: SQLQueryExpression<Value?>
  ) -> Condition where Value: QueryRepresentable {
    switch below(10) {
    case 0, 1: return left.eq(right)
    case 2: return left.neq(right)
    case 3: return left < right
    case 4: return left <= right
    case 5: return left > right
    case 6: return left.gte(right)
    case 7: return left.is(right)
    case 8: return left.isNot(right)
    default: return chance(50) ? left.is(nil) : left.isNot(nil)
    }
  }

  private mutating func pattern(_ depth: Int, _ scope: Scope) -> Condition {
    let value = text(depth - 1, scope)
    switch below(7) {
    case 0: return value.like(one(of: Self.texts))
    case 1: return value.like(present(text(depth - 1, scope)), escape: "!")
    case 2: return value.like(one(of: ["a\\%", "%\\_%", "\\\\%"]), escape: "\\")
    case 3: return value.glob(one(of: Self.texts))
    case 4: return value.contains(one(of: Self.texts))
    case 5: return value.hasPrefix(one(of: Self.texts))
    default: return value.hasSuffix(one(of: Self.texts))
    }
  }

  private mutating func membership(_ depth: Int, _ scope: Scope) -> Condition {
    let value = integer(depth - 1, scope)
    let numbers = (0..<below(12)).map { _ in one(of: Self.integers) }
    switch below(7) {
    case 0: return value.in(numbers)
    case 1: return value.notIn(numbers)
    case 2: return text(depth - 1, scope).in(Array(Self.texts.prefix(below(20))))
    case 3: return real(depth - 1, scope).notIn(Array(Self.reals.prefix(below(5))))
    case 4:
      let row = RowValue(present(value), present(text(depth - 1, scope)))
      return row.in((0..<below(4)).map { _ in (one(of: Self.integers), one(of: Self.texts)) })
    default:
      guard scope.level < 3 else { return value.in(numbers) }
      let isNegated = chance(40)
      return withInner(scope, Membership(value: value, isNegated: isNegated, depth: depth))
    }
  }

  private mutating func range(_ depth: Int, _ scope: Scope) -> Condition {
    let value = integer(depth - 1, scope)
    switch below(6) {
    case 0: return value.between(integer(depth - 1, scope), and: integer(depth - 1, scope))
    case 1: return text(depth - 1, scope).between("a", and: "x")
    case 2: return value.in(-1...one(of: [0, 5, Int.max]))
    case 3: return value.in(0..<10)
    case 4: return (1...100).contains(value)
    default: return value.in(one(of: Self.integers)...)
    }
  }

  private mutating func rowComparison(_ depth: Int, _ scope: Scope) -> Condition {
    let left = RowValue(integer(depth - 1, scope), text(depth - 1, scope))
    let right = RowValue(integer(depth - 1, scope), text(depth - 1, scope))
    switch below(5) {
    case 0: return left.eq(right)
    case 1: return left < right
    case 2: return left >= right
    case 3: return left.is(right)
    default: return left.neq(right)
    }
  }

  private mutating func existence(_ depth: Int, _ scope: Scope) -> Condition {
    guard scope.level < 3 else { return condition(0, scope) }
    return withInner(scope, Existence(depth: depth))
  }

  // MARK: - Windows

  /// Adds OVER: a named window of the query, or one of its own.
  mutating func over<Value>(_ call: SQLQueryExpression<Value>, _ scope: Scope) -> SQLQueryExpression<Value> {
    if !scope.windows.isEmpty, chance(40) { return call.over(one(of: scope.windows)) }
    return call.over(window(scope))
  }

  mutating func window(_ scope: Scope) -> Window {
    let scope = scope.plain
    var window = Window()
    if chance(60) { window = window.partition(by: integer(1, scope)) }
    if chance(15) { window = window.partition(by: text(1, scope)) }
    let orders = below(3)
    if orders > 0 { window = window.order(by: integer(1, scope).desc(nulls: one(of: [nil, .first, .last]))) }
    if orders > 1 { window = window.order(by: text(1, scope)) }
    let exclusion: FrameExclusion? = one(of: [nil, nil, .currentRow, .group, .ties, .noOthers])
    switch below(7) {
    case 0: return window.rows(.unboundedPreceding, .currentRow, exclude: exclusion)
    case 1: return window.rows(.preceding(2), .following(1), exclude: exclusion)
    case 2: return window.range(.unboundedPreceding, .unboundedFollowing, exclude: exclusion)
    case 3: return orders > 0 ? window.groups(.preceding(1), .currentRow, exclude: exclusion) : window
    case 4: return orders == 1 ? window.range(.preceding(3), .following(3), exclude: exclusion) : window
    case 5: return window.rows(.currentRow)
    default: return window
    }
  }

  // MARK: - Subqueries

  /// A scalar subquery over one table: of one row with LIMIT, or of one aggregate.
  mutating func subquery<Value>(
    _ scope: Scope, _ depth: Int,
    _ value: (inout Generator, _ inner: Scope, _ both: Scope) -> SQLQueryExpression<Value>
  ) -> SQLQueryExpression<Value> {
    withoutActuallyEscaping(value) { withInner(scope, Scalar(depth: depth, value: $0)) }
  }

  mutating func withInner<Made>(_ scope: Scope, _ maker: some InnerQuery<Made>) -> Made {
    let table = one(of: tables)
    switch scope.level {
    case 0: return maker.make(&self, aliased(table, Inner1.self), scope)
    case 1: return maker.make(&self, aliased(table, Inner2.self), scope)
    default: return maker.make(&self, aliased(table, Inner3.self), scope)
    }
  }

  func aliased<Name: AliasName>(_ table: any ReadableTable.Type, _ name: Name.Type) -> any ReadableTable.Type {
    func alias<T: ReadableTable>(_ table: T.Type) -> any ReadableTable.Type { AliasedTable<T, Name>.self }
    return alias(table)
  }
}

/// What an expression makes of a table that it reads in a subquery.
protocol InnerQuery<Made> {
  associatedtype Made
  func query<T: ReadableTable>(_ generator: inout Generator, _ table: T.Type, inner: Scope, both: Scope) -> Made
}

extension InnerQuery {
  func make(_ generator: inout Generator, _ table: any ReadableTable.Type, _ scope: Scope) -> Made {
    func open<T: ReadableTable>(_ table: T.Type, _ generator: inout Generator) -> Made {
      var inner = Scope()
      inner.add(T.self)
      inner.level = scope.level + 1
      return query(&generator, table, inner: inner, both: scope.plain + inner)
    }
    return open(table, &generator)
  }
}

struct Scalar<Value>: InnerQuery {
  var depth: Int
  var value: (inout Generator, Scope, Scope) -> SQLQueryExpression<Value>

  func query<T: ReadableTable>(
    _ generator: inout Generator, _ table: T.Type, inner: Scope, both: Scope
  ) -> SQLQueryExpression<Value> {
    let condition = generator.condition(min(depth - 1, 2), both)
    var inner = inner
    if generator.chance(50) {
      // An aggregate whose arguments are of the inner query alone belongs to it, whatever stands around it.
      inner.mayAggregate = true
      let value = value(&generator, inner, both)
      return SQLQueryExpression(T.unscoped.where { _ in condition }.select { _ in value }.limit(1))
    }
    let value = value(&generator, inner, both)
    // SQLite knows no column of the outer query in an ORDER BY.
    let order = generator.integer(1, inner)
    let second = generator.text(1, inner)
    return SQLQueryExpression(
      T.unscoped.where { _ in condition }.order { _ in
        order.desc()
        second
      }.select { _ in value }.limit(1))
  }
}

struct Membership: InnerQuery {
  var value: IntegerExpression
  var isNegated: Bool
  var depth: Int

  func query<T: ReadableTable>(
    _ generator: inout Generator, _ table: T.Type, inner: Scope, both: Scope
  ) -> Condition {
    let member = generator.integer(1, generator.chance(70) ? inner : both)
    let condition = generator.condition(min(depth - 1, 2), both)
    let query = T.unscoped.where { _ in condition }.select { _ in member }
    return isNegated ? value.notIn(query) : value.in(query)
  }
}

struct Existence: InnerQuery {
  var depth: Int

  func query<T: ReadableTable>(
    _ generator: inout Generator, _ table: T.Type, inner: Scope, both: Scope
  ) -> Condition {
    let condition = generator.condition(min(depth - 1, 2), both)
    return T.unscoped.where { _ in condition }.exists()
  }
}
