/// Random queries of cards, each with the SQL that a person would write for it.
///
/// Always true: the SQL is written from the page about queries, and not from what the builder makes.
import Martlet

/// A condition and its SQL, with `#` for the table's name.
struct CardCondition: Sendable {
  let build: @Sendable (CardColumns) -> SQLQueryExpression<Bool>
  private let text: @Sendable () -> String

  init(
    build: @escaping @Sendable (CardColumns) -> SQLQueryExpression<Bool>,
    sql: @escaping @autoclosure @Sendable () -> String
  ) {
    self.build = build
    text = sql
  }

  var sql: String { text() }

  static let all: [CardCondition] = [
    CardCondition(build: { $0.id > 2 }, sql: "#.id > 2"),
    CardCondition(
      build: { $0.title.eq("tea") || $0.title.contains("mil") },
      sql: "(#.title = 'tea' OR #.title LIKE '%mil%')"),
    CardCondition(build: { $0.count.isNot(nil) && ($0.count ?? 9) < 5 }, sql: "(#.count IS NOT NULL AND #.count < 5)"),
    CardCondition(build: { $0.count > 0 }, sql: "#.count > 0"),
    CardCondition(build: { $0.size.eq(Cards.Size(width: 1, height: 2)) }, sql: "(#.width = 1 AND #.height = 2)"),
    CardCondition(build: { $0.size > Cards.Size(width: 1, height: 1) }, sql: "(#.width, #.height) > (1, 1)"),
    CardCondition(build: { $0.width.in([0, 2]) }, sql: "#.width IN (0, 2)"),
    CardCondition(build: { $0.number.isNot(nil) }, sql: "#.number IS NOT NULL"),
    CardCondition(build: { $0.text.eq("x") }, sql: "#.text = 'x'"),
    CardCondition(
      build: { $0.tags.jsonEach().where { $0.value.eq("a") }.exists() },
      sql: "EXISTS (SELECT 1 FROM json_each(#.tags) WHERE value = 'a')"),
    CardCondition(build: { ($0.tags.jsonArrayLength() ?? 0) > 1 }, sql: "coalesce(json_array_length(#.tags), 0) > 1"),
    CardCondition(build: { $0.tags.jsonExtract(\.[0]).is("b") }, sql: "json_extract(#.tags, '$[0]') IS 'b'"),
    CardCondition(
      build: { $0.id.in(Cards.CardText.where { $0.match("milk OR salt") }.select(\.rowid)) },
      sql: "#.id IN (SELECT rowid FROM cardTexts WHERE cardTexts MATCH 'milk OR salt')"),
    CardCondition(
      build: { $0.id.in(Cards.CardText.where { $0.title.match("tea") }.select(\.rowid)) },
      sql: "#.id IN (SELECT rowid FROM cardTexts WHERE title MATCH 'tea')"),
    CardCondition(
      // Within a query of the same table the inner one needs a name of its own, as in SQL.
      build: { card in Cards.Card.as(Cards.Inner.self).where { $0.ownerID.is(card.id) }.exists() },
      sql: CardScope.now.exists(as: "c", where: "c.ownerID IS #.id")),
    CardCondition(
      build: { $0.ownerID.in(Cards.Card.unscoped.select(\.id)) }, sql: "#.ownerID IN (SELECT c.id FROM cards AS c)"),
    CardCondition(build: { $0.id.in([Int]()) }, sql: "0"),
    CardCondition(build: { !$0.count.in([3]) }, sql: "NOT (#.count IN (3))"),
  ]
}

/// The rows of a query as a person says them: conditions, and what the builder adds.
struct CardRows {
  var conditions: [String] = []
  var isScoped = true
  var isNone = false

  /// Nil: every row.
  var condition: String? {
    let scope = CardScope.now
    let all = Self.all(of: conditions + (isScoped ? scope.conditions : []) + (isNone ? ["0"] : []))
    guard isScoped, let limit = scope.limit else { return all }
    let rows = "SELECT #.id FROM cards AS # \(all.map { "WHERE " + $0 } ?? "") ORDER BY \(order)1 \(limit)"
    return "#.id IN (\(rows.replacing("#", with: "s")))"
  }

  private var own: String? { Self.all(of: conditions) }

  private static func all(of conditions: [String]) -> String? {
    conditions.isEmpty ? nil : conditions.map { "(\($0))" }.joined(separator: " AND ")
  }

  /// What the scope puts before the query's own order.
  var order: String { isScoped ? CardScope.now.order.map { $0 + ", " }.joined() : "" }

  func order(_ name: String) -> String { order.replacing("#", with: name) }

  /// `SELECT`, each row once if the scope says so.
  var select: String { isScoped && CardScope.now.isDistinct ? "SELECT DISTINCT" : "SELECT" }

  /// Its rows are not those of its conditions alone; of no rows a limit chooses none.
  var isBounded: Bool { isScoped && CardScope.now.limit != nil && CardScope.now.conditions != ["0"] }

  func and(_ other: CardRows) -> CardRows {
    CardRows(
      conditions: conditions + other.conditions, isScoped: isScoped || other.isScoped, isNone: isNone || other.isNone)
  }

  func and(_ condition: String) -> CardRows {
    CardRows(conditions: conditions + [condition], isScoped: isScoped, isNone: isNone)
  }

  func or(_ other: CardRows) -> CardRows {
    if isNone { return other }
    if other.isNone { return self }
    let isMixed = isScoped != other.isScoped
    let sides = isMixed ? [condition, other.condition] : [own, other.own]
    let both = sides.compactMap { $0 }
    let joined = both.count < 2 ? [] : ["(\(both[0])) OR (\(both[1]))"]
    return CardRows(conditions: joined, isScoped: isScoped && other.isScoped)
  }

  func not() -> CardRows {
    isNone ? CardRows(isScoped: isScoped) : CardRows(conditions: ["NOT (\(own ?? "1"))"], isScoped: isScoped)
  }

  /// The table as a join sees it: the rows of its scope, whatever the join does with them.
  func source(_ name: String) -> String {
    let scope = CardScope.now
    let rows = isBounded ? condition : isScoped ? Self.all(of: scope.conditions) : nil
    guard let rows else { return "cards AS \(name)" }
    return "(SELECT * FROM cards AS # WHERE \(rows)) AS #".replacing("#", with: name)
  }

  /// What a join's WHERE says of it.
  func filter(_ name: String) -> String {
    let all = Self.all(of: (isBounded ? [] : conditions) + (isNone ? ["0"] : []))
    return all.map { "WHERE " + $0.replacing("#", with: name) } ?? ""
  }

  /// As `sql`, without the limit of the scope, which is the whole's.
  func sqlWithoutLimit(_ name: String) -> String {
    let all = Self.all(of: conditions + (isScoped ? CardScope.now.conditions : []) + (isNone ? ["0"] : []))
    return all.map { "WHERE " + $0.replacing("#", with: name) } ?? ""
  }

  func sql(_ name: String) -> String { condition.map { "WHERE " + $0.replacing("#", with: name) } ?? "" }
}

/// A query and its SQL.
struct CardQuery {
  typealias Card = Cards.Card

  var query: Where<Card>
  var rows: CardRows

  init(_ query: Where<Card>, _ rows: CardRows) {
    self.query = query
    self.rows = rows
  }

  /// Queries of two or three steps.
  init(_ random: inout SplitMix, depth: Int = 2) {
    switch random.below(5) {
    case 0: self.init(Card.unscoped, CardRows(isScoped: false))
    case 1 where random.below(3) == 0: self.init(Card.none, CardRows(isNone: true))
    case 2: self.init(Card.titled, CardRows(conditions: ["#.title <> ''"]))
    default: self.init(Card.where { _ in }, CardRows())
    }
    for _ in 0..<1 + random.below(2) { step(&random, depth) }
  }

  private mutating func step(_ random: inout SplitMix, _ depth: Int) {
    let condition = CardCondition.all[random.below(CardCondition.all.count)]
    switch depth == 0 ? 0 : random.below(8) {
    case 0, 1, 2:
      query = query.where { condition.build(CardColumns($0)) }
      rows.conditions.append(condition.sql)
    case 3:
      let other = CardQuery(&random, depth: depth - 1)
      self = CardQuery(query.and(other.query), rows.and(other.rows))
    case 4:
      let other = CardQuery(&random, depth: depth - 1)
      self = CardQuery(query.or(other.query), rows.or(other.rows))
    case 5: self = CardQuery(query.not(), rows.not())
    case 6:
      query = query.or(.where { condition.build(CardColumns($0)) })
      rows = rows.or(CardRows(conditions: [condition.sql], isScoped: rows.isScoped))
    default:
      query = query.find([1, 2, 3, 6])
      rows.conditions.append("#.id IN (1, 2, 3, 6)")
    }
  }
}

/// A generator of random numbers with a seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
