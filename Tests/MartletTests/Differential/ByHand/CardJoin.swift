/// Random joins of cards and cards that are named, each with the SQL that a person would write for it.
///
/// Always true: by hand, each side is a query of the rows of its default scope; filters of the queries are the whole's.
import Martlet

enum CardJoin {
  private enum Kind: String, CaseIterable {
    case inner = "JOIN"
    case left = "LEFT JOIN"
    case right = "RIGHT JOIN"
    case full = "FULL JOIN"
  }

  private static let sum = "coalesce(cards.id, 7) * 100 + coalesce(nameds.width, 50)"
  private static let sumOfThree = sum + " + coalesce(thirds.id, 9) * 1000"

  private static func or(_ value: some QueryExpression<Int>, _ other: Int) -> SQLQueryExpression<Int> {
    SQLQueryExpression(value)
  }

  private static func or(_ value: some QueryExpression<Int?>, _ other: Int) -> SQLQueryExpression<Int> {
    let value: SQLQueryExpression<Int?> = SQLQueryExpression(value)
    return value ?? other
  }

  private static func sum(
    _ card: SQLQueryExpression<Int>, _ named: SQLQueryExpression<Int>, _ third: SQLQueryExpression<Int>? = nil
  ) -> SQLQueryExpression<Int> {
    let two = card * 100 + named
    guard let third else { return two }
    return two + third * 1000
  }

  static func reads(_ random: inout SplitMix, _ card: CardQuery) -> ByHandTests.Trial {
    let kind = Kind.allCases[random.below(4)]
    let other = CardQuery(&random)
    switch random.below(3) {
    case 0: return two(kind, card, other)
    case 1: return three(kind, card, other, CardQuery(&random))
    default: return pairs(kind, card, other, CardQuery(&random))
    }
  }

  private static func trial(_ statement: some Statement<Int>, _ from: String, _ rows: [CardRows]) -> ByHandTests.Trial {
    let names = ["cards", "nameds", "thirds"].prefix(rows.count)
    let select = rows.contains { $0.select != "SELECT" } ? "SELECT DISTINCT" : "SELECT"
    let order = zip(rows, names).map { $0.order($1) }.joined() + names.map { $0 + ".id" }.joined(separator: ", ")
    let conditions = ByHandTests.whole(zip(rows, names).map { $0.filter($1) })
    let sql = "\(select) \(rows.count == 2 ? sum : sumOfThree) FROM \(from) \(conditions) ORDER BY \(order)"
    return ByHandTests.Trial(isWrite: false, run: { try statement.fetchAll($0) }, sql: sql)
  }

  private static func two(_ kind: Kind, _ card: CardQuery, _ other: CardQuery) -> ByHandTests.Trial {
    let (query, named) = (card.query, other.query.as(Cards.Named.self))
    let from =
      "\(card.rows.source("cards")) \(kind.rawValue) \(other.rows.source("nameds")) ON cards.ownerID = nameds.id"
    func made(_ statement: some Statement<Int>) -> ByHandTests.Trial {
      trial(statement, from, [card.rows, other.rows])
    }
    switch kind {
    case .inner:
      return made(
        query.join(named) { $0.ownerID.eq($1.id) }.order { ($0.id, $1.id) }.select {
          sum(or($0.id, 7), or($1.size.width, 50))
        })
    case .left:
      return made(
        query.leftJoin(named) { $0.ownerID.eq($1.id) }.order { ($0.id, $1.id) }
          .select { sum(or($0.id, 7), or($1.size.width, 50)) })
    case .right:
      return made(
        query.rightJoin(named) { $0.ownerID.eq($1.id) }.order { ($0.id, $1.id) }
          .select { sum(or($0.id, 7), or($1.size.width, 50)) })
    case .full:
      return made(
        query.fullJoin(named) { $0.ownerID.eq($1.id) }.order { ($0.id, $1.id) }
          .select { sum(or($0.id, 7), or($1.size.width, 50)) })
    }
  }

  /// A third table behind a join of two.
  private static func three(
    _ kind: Kind, _ card: CardQuery, _ other: CardQuery, _ third: CardQuery
  ) -> ByHandTests.Trial {
    let two = card.query.join(other.query.as(Cards.Named.self)) { $0.ownerID.eq($1.id) }
    let last = third.query.as(Cards.Third.self)
    let from =
      "\(card.rows.source("cards")) JOIN \(other.rows.source("nameds")) ON cards.ownerID = nameds.id "
      + "\(kind.rawValue) \(third.rows.source("thirds")) ON thirds.ownerID = cards.id"
    func made(_ statement: some Statement<Int>) -> ByHandTests.Trial {
      trial(statement, from, [card.rows, other.rows, third.rows])
    }
    switch kind {
    case .inner:
      return made(
        two.join(last) { $2.ownerID.eq($0.id) }.order { ($0.id, $1.id, $2.id) }
          .select { sum(or($0.id, 7), or($1.size.width, 50), or($2.id, 9)) })
    case .left:
      return made(
        two.leftJoin(last) { $2.ownerID.eq($0.id) }.order { ($0.id, $1.id, $2.id) }
          .select { sum(or($0.id, 7), or($1.size.width, 50), or($2.id, 9)) })
    case .right:
      return made(
        two.rightJoin(last) { $2.ownerID.eq($0.id) }.order { ($0.id, $1.id, $2.id) }
          .select { sum(or($0.id, 7), or($1.size.width, 50), or($2.id, 9)) })
    case .full:
      return made(
        two.fullJoin(last) { $2.ownerID.eq($0.id) }.order { ($0.id, $1.id, $2.id) }
          .select { sum(or($0.id, 7), or($1.size.width, 50), or($2.id, 9)) })
    }
  }

  /// A join of two in parentheses.
  private static func pairs(
    _ kind: Kind, _ card: CardQuery, _ other: CardQuery, _ third: CardQuery
  ) -> ByHandTests.Trial {
    let pairs = other.query.as(Cards.Named.self).join(third.query.as(Cards.Third.self)) { $1.ownerID.eq($0.id) }
    let query = card.query
    let from =
      "\(card.rows.source("cards")) \(kind.rawValue) (\(other.rows.source("nameds")) "
      + "JOIN \(third.rows.source("thirds")) ON thirds.ownerID = nameds.id) ON cards.ownerID = nameds.id"
    func made(_ statement: some Statement<Int>) -> ByHandTests.Trial {
      trial(statement, from, [card.rows, other.rows, third.rows])
    }
    switch kind {
    case .inner:
      return made(
        query.joinPairs(pairs) { card, named, _ in card.ownerID.eq(named.id) }.order { ($0.id, $1.id, $2.id) }
          .select { sum(or($0.id, 7), or($1.size.width, 50), or($2.id, 9)) })
    case .left:
      return made(
        query.leftJoinPairs(pairs) { card, named, _ in card.ownerID.eq(named.id) }.order { ($0.id, $1.id, $2.id) }
          .select { sum(or($0.id, 7), or($1.size.width, 50), or($2.id, 9)) })
    case .right:
      return made(
        query.rightJoinPairs(pairs) { card, named, _ in card.ownerID.eq(named.id) }.order { ($0.id, $1.id, $2.id) }
          .select { sum(or($0.id, 7), or($1.size.width, 50), or($2.id, 9)) })
    case .full:
      return made(
        query.fullJoinPairs(pairs) { card, named, _ in card.ownerID.eq(named.id) }.order { ($0.id, $1.id, $2.id) }
          .select { sum(or($0.id, 7), or($1.size.width, 50), or($2.id, 9)) })
    }
  }
}
