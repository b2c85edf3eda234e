/// Random expressions of each type, made with the builder's own operators and methods.
///
/// Always true: the same seed makes the same expressions. An expression is valid where its scope says it stands; what
/// it computes may still fail (an overflow), which every database must do alike.
import Martlet

/// SplitMix64: small, and the same on every machine.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

struct Generator {
  var random: SeededRandom
  /// The tables that queries read; common tables are added where they are in sight.
  var tables: [any ReadableTable.Type] = [
    Odd.self, Keyed.self, PlainTable.self, Odd.self, Keyed.self, PlainTable.self, Empty.self,
  ]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  mutating func one<T>(of choices: [T]) -> T { choices[below(choices.count)] }

  static let integers: [Int] = [
    0, 1, -1, 2, 3, 5, 7, 10, 63, 64, 65, 100, -100, 1 << 31, 1 << 53, .max, .min, .max - 1, .min + 1,
  ]
  static let texts = [
    "", "a", "abc", "ABC", "Ä", "a%", "%", "_", "\\", "'", "\"", "null\u{0}byte", "12", " 7 ", "1e3", "🦅", "*a*",
    "[a-c]",
    "x'00'", "; --", "ß", "one", "Two",
  ]
  static let reals: [Double] = [0, -0.0, 1, 0.5, -1.5, 2.5, 0.1, 1e300, -1e300, 1e-300, 9.2e18, .infinity, 100, 3]
  static let blobs: [[UInt8]] = [[], [0], [0, 255, 0], [97, 98, 0], [97, 98, 99], [255], [49]]

  // MARK: - Integers

  mutating func integer(_ depth: Int, _ scope: Scope) -> IntegerExpression {
    guard depth > 0, !chance(15) else { return integerLeaf(scope) }
    if scope.mayAggregate, chance(60) { return integerAggregate(depth, scope) }
    if scope.mayUseWindows, chance(60) { return integerWindow(depth, scope) }
    switch below(6) {
    case 0, 1: return arithmetic(depth, scope)
    case 2: return bits(depth, scope)
    case 3: return integerCall(depth, scope)
    case 4: return integerChoice(depth, scope)
    default: return scope.mayAggregate ? arithmetic(depth, scope) : integerSubquery(depth, scope)
    }
  }

  mutating func integerLeaf(_ scope: Scope) -> IntegerExpression {
    if !scope.integers.isEmpty, chance(70) { return one(of: scope.integers) }
    if !scope.texts.isEmpty, chance(5) { return SQLQueryExpression(one(of: scope.texts).queryFragment) }
    return chance(8) ? SQLQueryExpression(Int?.none) : SQLQueryExpression(Int?.some(one(of: Self.integers)))
  }

  private mutating func arithmetic(_ depth: Int, _ scope: Scope) -> IntegerExpression {
    let left = integer(depth - 1, scope)
    if chance(30) {
      let value = one(of: Self.integers)
      switch below(5) {
      case 0: return left + value
      case 1: return left - value
      case 2: return left * value
      // A division by a literal 0 is refused before it is sent.
      case 3: return left / (value == 0 ? 1 : value)
      default: return left % (value == 0 ? 1 : value)
      }
    }
    let right = integer(depth - 1, scope)
    switch below(7) {
    case 0: return left + right
    case 1: return left - right
    case 2: return left * right
    case 3: return left / right
    case 4: return left % right
    case 5: return -left
    default: return +left
    }
  }

  private mutating func bits(_ depth: Int, _ scope: Scope) -> IntegerExpression {
    let left = integer(depth - 1, scope)
    let right = integer(depth - 1, scope)
    switch below(6) {
    case 0: return left & right
    case 1: return left | right
    case 2: return left << right
    case 3: return left >> right
    case 4: return left ^ one(of: Self.integers)
    default: return ~left
    }
  }

  private mutating func integerCall(_ depth: Int, _ scope: Scope) -> IntegerExpression {
    switch below(8) {
    case 0: return text(depth - 1, scope).length()
    case 1: return text(depth - 1, scope).instr(present(text(depth - 1, scope)))
    case 2: return text(depth - 1, scope).unicode()
    case 3: return bytes(depth - 1, scope).length()
    case 4: return integer(depth - 1, scope).abs()
    case 5: return integer(depth - 1, scope).sign()
    case 6: return text(depth - 1, scope).cast(as: Int?.self)
    default: return real(depth - 1, scope).cast(as: Int?.self)
    }
  }

  private mutating func integerChoice(_ depth: Int, _ scope: Scope) -> IntegerExpression {
    let value = integer(depth - 1, scope)
    let other = integer(depth - 1, scope)
    switch below(7) {
    case 0: return Case().when(condition(depth - 1, scope), then: value).else(other)
    case 1: return Case(value).when(other, then: integer(depth - 1, scope)).when(value, then: other).else(value)
    case 2: return value ?? other
    case 3: return orNull(value ?? one(of: Self.integers))
    case 4: return value.ifnull(other)
    case 5: return value.nullif(other)
    default: return value.flatMap { $0 + other }
    }
  }

  private mutating func integerAggregate(_ depth: Int, _ scope: Scope) -> IntegerExpression {
    let value = integer(depth - 1, scope.plain)
    let filter = condition(min(depth - 1, 1), scope.plain)
    let isFiltered = chance(30)
    let distinct = chance(30)
    switch below(6) {
    case 0:
      return orNull(isFiltered ? value.count(distinct: distinct, filter: filter) : value.count(distinct: distinct))
    case 1: return plain(isFiltered ? value.sum(distinct: distinct, filter: filter) : value.sum(distinct: distinct))
    case 2: return plain(isFiltered ? value.min(filter: filter) : value.min())
    case 3: return plain(isFiltered ? value.max(filter: filter) : value.max())
    case 4: return orNull(text(depth - 1, scope.plain).count(distinct: distinct))
    default: return SQLQueryExpression(AggregateFunctionExpression("sum", distinct: distinct, value, as: Int?.self))
    }
  }

  private mutating func integerWindow(_ depth: Int, _ scope: Scope) -> IntegerExpression {
    let value = integer(depth - 1, scope.plain)
    let call: IntegerExpression
    switch below(13) {
    case 0: call = orNull(rowNumber())
    case 1: call = orNull(rank())
    case 2: call = orNull(denseRank())
    case 3: call = orNull(ntile(below(4) + 1))
    case 4: call = value.lag(below(3))
    case 5: call = value.lead(below(3), default: one(of: Self.integers))
    case 6: call = value.firstValue()
    case 7: call = value.lastValue()
    case 8: call = value.nthValue(below(3) + 1)
    case 9: return value.sum().over(window(scope))
    case 10: return value.max().over(window(scope))
    case 11: return scope.windows.isEmpty ? value.min().over() : value.sum().over(one(of: scope.windows))
    default: return orNull(value.count(filter: condition(0, scope.plain)).over(window(scope)))
    }
    return over(call, scope)
  }

  private mutating func integerSubquery(_ depth: Int, _ scope: Scope) -> IntegerExpression {
    guard scope.level < 3 else { return integerLeaf(scope) }
    return subquery(scope, depth) { generator, inner, outer in
      generator.integer(depth - 1, inner.mayAggregate ? inner : outer)
    }
  }

  // MARK: - Reals

  mutating func real(_ depth: Int, _ scope: Scope) -> RealExpression {
    guard depth > 0, !chance(20) else { return realLeaf(scope) }
    if scope.mayAggregate, chance(50) {
      let value = integer(depth - 1, scope.plain)
      switch below(4) {
      case 0: return plain(value.avg(distinct: chance(20)))
      case 1: return orNull(value.total())
      case 2: return plain(real(depth - 1, scope.plain).min())
      default: return plain(real(depth - 1, scope.plain).max(filter: condition(0, scope.plain)))
      }
    }
    if scope.mayUseWindows, chance(40) {
      let value = real(depth - 1, scope.plain)
      return over(one(of: [orNull(percentRank()), orNull(cumeDist()), value.lag(), value.firstValue()]), scope)
    }
    let value = real(depth - 1, scope)
    switch below(11) {
    case 0: return value + real(depth - 1, scope)
    case 1: return value - real(depth - 1, scope)
    case 2: return value * one(of: Self.reals)
    case 3: return value / real(depth - 1, scope)
    case 4: return -value
    case 5: return value.round(below(4))
    case 6: return value.abs()
    case 7: return integer(depth - 1, scope).cast(as: Double?.self)
    case 8: return value ?? real(depth - 1, scope)
    case 9: return Case().when(condition(depth - 1, scope), then: value).else(real(depth - 1, scope))
    default: return value.round()
    }
  }

  private mutating func realLeaf(_ scope: Scope) -> RealExpression {
    if !scope.reals.isEmpty, chance(70) { return one(of: scope.reals) }
    return chance(8) ? SQLQueryExpression(Double?.none) : SQLQueryExpression(Double?.some(one(of: Self.reals)))
  }

  // MARK: - Bytes

  mutating func bytes(_ depth: Int, _ scope: Scope) -> BytesExpression {
    guard depth > 0, !chance(30) else {
      if !scope.bytes.isEmpty, chance(70) { return one(of: scope.bytes) }
      return SQLQueryExpression([UInt8]?.some(one(of: Self.blobs)))
    }
    let value = bytes(depth - 1, scope)
    switch below(5) {
    case 0: return text(depth - 1, scope).cast(as: [UInt8]?.self)
    case 1: return value ?? bytes(depth - 1, scope)
    case 2: return value.nullif(bytes(depth - 1, scope))
    case 3: return Case().when(condition(depth - 1, scope), then: value).else(bytes(depth - 1, scope))
    default: return scope.mayAggregate ? plain(bytes(depth - 1, scope.plain).max()) : value
    }
  }

  /// An aggregate as any other expression.
  func plain<Value>(_ aggregate: AggregateExpression<Value>) -> SQLQueryExpression<Value> {
    SQLQueryExpression(aggregate)
  }

  /// The same with a value in place of NULL.
  func present(_ text: TextExpression) -> SQLQueryExpression<String> { text ?? "a" }
  func present(_ integer: IntegerExpression) -> SQLQueryExpression<Int> { integer ?? 1 }
}
