import MartletQuery
import MartletTestSupport
import SQLite

/// One expression in both spellings.
struct Twins<Typed, Built: QueryRepresentable> {
  var typed: SQLite.Expression<Typed>
  var built: SQLQueryExpression<Built>
}

typealias IntegerTwins = Twins<Int64?, Int?>
typealias RealTwins = Twins<Double?, Double?>
typealias TextTwins = Twins<String?, String?>
typealias ConditionTwins = Twins<Bool?, Bool>

/// Random expressions of each type, made with the operators and functions of both spellings at once.
///
/// Always true: the same seed makes the same expressions. What one computes may fail (an overflow), which every
/// database must do alike.
struct TwinGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  mutating func one<T>(of choices: [T]) -> T { choices[below(choices.count)] }

  private static let integers = [0, 1, -1, 2, 3, 7, 10, 63, 64, 100, -100, 1 << 31, 1 << 53, .max, .min]
  private static let reals = [0, 1, 0.5, -1.5, 2.5, 0.1, 1e300, -1e300, 1e-300, 9.2e18, 100]
  private static let texts = [
    "", "a", "abc", "ABC", "Ä", "a%", "%", "_", "\\", "'", "\"", "12", " 7 ", "1e3", "🦅", "; --",
  ]

  // MARK: - Numbers

  mutating func integer(_ depth: Int) -> IntegerTwins {
    guard depth > 0, below(100) > 15 else { return integerLeaf() }
    let (x, y) = (integer(depth - 1), integer(depth - 1))
    switch below(16) {
    case 0: return IntegerTwins(typed: x.typed + y.typed, built: x.built + y.built)
    case 1: return IntegerTwins(typed: x.typed - y.typed, built: x.built - y.built)
    case 2: return IntegerTwins(typed: x.typed * y.typed, built: x.built * y.built)
    case 3: return IntegerTwins(typed: x.typed / y.typed, built: x.built / y.built)
    case 4: return IntegerTwins(typed: x.typed % y.typed, built: x.built % y.built)
    case 5: return IntegerTwins(typed: x.typed & y.typed, built: x.built & y.built)
    case 6: return IntegerTwins(typed: x.typed | y.typed, built: x.built | y.built)
    case 7: return IntegerTwins(typed: x.typed << y.typed, built: x.built << y.built)
    case 8: return IntegerTwins(typed: x.typed >> y.typed, built: x.built >> y.built)
    case 9: return IntegerTwins(typed: ~x.typed, built: ~x.built)
    case 10: return IntegerTwins(typed: -x.typed, built: -x.built)
    case 11: return IntegerTwins(typed: x.typed.absoluteValue, built: x.built.abs())
    case 12: return IntegerTwins(typed: x.typed ?? y.typed, built: x.built ?? y.built)
    case 13:
      let number = one(of: Self.integers)
      return IntegerTwins(typed: x.typed + Int64(number), built: x.built + number)
    case 14:
      let text = text(depth - 1)
      return IntegerTwins(typed: cast(text.typed), built: text.built.cast(as: Int?.self))
    default:
      let text = text(depth - 1)
      return IntegerTwins(
        typed: SQLite.Expression<Int64?>(text.typed.length), built: SQLQueryExpression(text.built.length()))
    }
  }

  private mutating func integerLeaf() -> IntegerTwins {
    let columns = Twin.columns
    switch below(4) {
    case 0: return IntegerTwins(typed: Expression("a"), built: SQLQueryExpression(columns.a))
    case 1: return IntegerTwins(typed: Expression("b"), built: SQLQueryExpression(columns.b))
    case 2:
      let number = one(of: Self.integers)
      return IntegerTwins(typed: Expression(value: Int64(number)), built: SQLQueryExpression(Int?.some(number)))
    default: return IntegerTwins(typed: Expression("a"), built: SQLQueryExpression(columns.a))
    }
  }

  mutating func real(_ depth: Int) -> RealTwins {
    guard depth > 0, below(100) > 20 else { return realLeaf() }
    let (x, y) = (real(depth - 1), real(depth - 1))
    switch below(8) {
    case 0: return RealTwins(typed: x.typed + y.typed, built: x.built + y.built)
    case 1: return RealTwins(typed: x.typed - y.typed, built: x.built - y.built)
    case 2: return RealTwins(typed: x.typed * y.typed, built: x.built * y.built)
    case 3: return RealTwins(typed: x.typed / y.typed, built: x.built / y.built)
    case 4: return RealTwins(typed: x.typed.round(2), built: x.built.round(2))
    case 5: return RealTwins(typed: x.typed ?? y.typed, built: x.built ?? y.built)
    case 6: return RealTwins(typed: x.typed.absoluteValue, built: x.built.abs())
    default:
      let number = integer(depth - 1)
      return RealTwins(typed: cast(number.typed), built: number.built.cast(as: Double?.self))
    }
  }

  private mutating func realLeaf() -> RealTwins {
    if below(3) > 0 { return RealTwins(typed: Expression("r"), built: SQLQueryExpression(Twin.columns.r)) }
    let number = one(of: Self.reals)
    return RealTwins(typed: Expression(value: number), built: SQLQueryExpression(Double?.some(number)))
  }

  // MARK: - Texts

  mutating func text(_ depth: Int) -> TextTwins {
    guard depth > 0, below(100) > 20 else { return textLeaf() }
    let x = text(depth - 1)
    let word = one(of: Self.texts)
    switch below(10) {
    case 0:
      let y = text(depth - 1)
      return TextTwins(typed: x.typed + y.typed, built: x.built + y.built)
    case 1: return TextTwins(typed: x.typed + word, built: x.built + word)
    case 2: return TextTwins(typed: x.typed.lowercaseString, built: x.built.lower())
    case 3: return TextTwins(typed: x.typed.uppercaseString, built: x.built.upper())
    case 4: return TextTwins(typed: x.typed.trim(), built: x.built.trim())
    case 5: return TextTwins(typed: x.typed.ltrim(Array(word)), built: x.built.ltrim(word))
    case 6: return TextTwins(typed: x.typed.replace("a", with: word), built: x.built.replace("a", word))
    case 7:
      let (start, length) = (below(7) - 3, below(6) - 2)
      return TextTwins(typed: x.typed.substring(start, length: length), built: x.built.substr(start, length))
    case 8:
      let y = text(depth - 1)
      return TextTwins(typed: x.typed ?? y.typed, built: x.built ?? y.built)
    default:
      let number = integer(depth - 1)
      return TextTwins(typed: cast(number.typed), built: number.built.cast(as: String?.self))
    }
  }

  private mutating func textLeaf() -> TextTwins {
    if below(3) > 0 { return TextTwins(typed: Expression("t"), built: SQLQueryExpression(Twin.columns.t)) }
    let word = one(of: Self.texts)
    return TextTwins(typed: Expression(value: word), built: SQLQueryExpression(String?.some(word)))
  }

  // MARK: - Conditions

  mutating func condition(_ depth: Int) -> ConditionTwins {
    let (x, y) = (integer(depth - 1), integer(depth - 1))
    let word = one(of: Self.texts)
    switch below(depth > 1 ? 14 : 11) {
    case 0: return ConditionTwins(typed: x.typed == y.typed, built: x.built.eq(y.built))
    case 1: return ConditionTwins(typed: x.typed != y.typed, built: x.built.neq(y.built))
    case 2: return ConditionTwins(typed: x.typed < y.typed, built: x.built < y.built)
    case 3: return ConditionTwins(typed: x.typed >= y.typed, built: x.built >= y.built)
    case 4: return ConditionTwins(typed: Expression(x.typed === y.typed), built: x.built.is(y.built))
    case 5: return ConditionTwins(typed: Expression(x.typed == nil), built: x.built.is(nil))
    case 6:
      let text = text(depth - 1)
      return ConditionTwins(typed: text.typed.like(word), built: text.built.like(word))
    case 7:
      let text = text(depth - 1)
      return ConditionTwins(typed: text.typed.glob(word), built: text.built.glob(word))
    case 8:
      // `x IN ()`, written as a text, is false without a look at what x is, which may be an overflow.
      let numbers = (0...below(8)).map { _ in one(of: Self.integers) }
      return ConditionTwins(typed: numbers.map { Int64($0) }.contains(x.typed), built: x.built.in(numbers))
    case 9:
      let (left, right) = (text(depth - 1), text(depth - 1))
      return ConditionTwins(typed: left.typed > right.typed, built: left.built > right.built)
    case 10:
      let (left, right) = (real(depth - 1), real(depth - 1))
      return ConditionTwins(typed: left.typed <= right.typed, built: left.built <= right.built)
    case 11:
      let (left, right) = (condition(depth - 1), condition(depth - 1))
      return ConditionTwins(typed: left.typed && right.typed, built: left.built && right.built)
    case 12:
      let (left, right) = (condition(depth - 1), condition(depth - 1))
      return ConditionTwins(typed: left.typed || right.typed, built: left.built || right.built)
    default:
      let other = condition(depth - 1)
      return ConditionTwins(typed: !other.typed, built: !other.built)
    }
  }
}
