/// A default scope of the cards, of every form that one may have, with the SQL that a person would write for it.
///
/// Always true: one scope holds at a time, for every query that is built meanwhile. A scope that chooses among its
/// rows, by a limit, gives the rows that a subquery of it would.
import Martlet
import Synchronization

struct CardScope: Sendable {
  typealias Card = Cards.Card

  let query: @Sendable () -> any JoinableStatement<Card>
  /// With `#` for the table's name.
  var conditions: [String] = []
  var order: [String] = []
  var limit: String?
  var isDistinct = false

  private static let current = Mutex(shown)

  /// What `Card.all` is.
  static var now: CardScope {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  static let shown = CardScope(query: { Card.unscoped.where { !$0.isGone } }, conditions: ["NOT #.isGone"])

  static let all: [CardScope] = [
    CardScope(query: { Card.unscoped }),
    CardScope(query: { Card.where { !$0.isGone } }, conditions: ["NOT #.isGone"]),
    CardScope(
      query: { Card.unscoped.where { !$0.isGone }.order { $0.id.desc() } }, conditions: ["NOT #.isGone"],
      order: ["#.id DESC"]),
    CardScope(query: { Card.unscoped.order { ($0.title, $0.id.desc()) } }, order: ["#.title", "#.id DESC"]),
    CardScope(query: { Card.unscoped.order(by: \.id).limit(4) }, order: ["#.id"], limit: "LIMIT 4"),
    CardScope(
      query: { Card.unscoped.where { $0.title.neq("") }.order { $0.id.desc() }.limit(3, offset: 1) },
      conditions: ["#.title <> ''"], order: ["#.id DESC"], limit: "LIMIT 3 OFFSET 1"),
    CardScope(query: { Card.unscoped.where { $0.id > 1 }.distinct() }, conditions: ["#.id > 1"], isDistinct: true),
    CardScope(query: { Card.unscoped.find([1, 2, 3, 5]) }, conditions: ["#.id IN (1, 2, 3, 5)"]),
    CardScope(
      query: { Card.unscoped.where { $0.id < 3 }.or(.where { !$0.isGone }) }, conditions: ["#.id < 3 OR NOT #.isGone"]),
    CardScope(query: { !Card.unscoped.where { $0.id.eq(4) } }, conditions: ["NOT (#.id = 4)"]),
    CardScope(
      query: {
        Card.unscoped.where { card in
          Card.as(Cards.Inner.self).unscoped.where { $0.id.eq(card.id) && $0.size.width > 0 }.exists()
        }
      }, conditions: ["EXISTS (SELECT 1 FROM cards AS i WHERE i.id = #.id AND i.width > 0)"]),
  ]

  /// Scopes of no row, each in another way.
  static let nothing: [CardScope] = [
    CardScope(query: { Card.none }, conditions: ["0"]),
    CardScope(query: { Card.unscoped.none }, conditions: ["0"]),
    CardScope(query: { Card.unscoped.where { $0.id > 1 }.none }, conditions: ["0"]),
    CardScope(query: { Card.none.order(by: \.id) }, conditions: ["0"], order: ["#.id"]),
    CardScope(query: { Card.none.order(by: \.id).limit(3) }, conditions: ["0"], order: ["#.id"], limit: "LIMIT 3"),
    CardScope(query: { Card.unscoped.order(by: \.id).limit(0) }, order: ["#.id"], limit: "LIMIT 0"),
    CardScope(query: { Card.unscoped.where { $0.id.in([Int]()) } }, conditions: ["0"]),
    CardScope(query: { Card.unscoped.find([Int]()) }, conditions: ["0"]),
    CardScope(query: { Card.unscoped.where { _ in nil } }, conditions: ["NULL"]),
    CardScope(query: { Card.unscoped.where { $0.id.in(Card.none.select(\.id)) } }, conditions: ["0"]),
  ]

  /// Mostly one with rows.
  init(_ random: inout SplitMix) {
    switch random.below(10) {
    case 0: self = Self.nothing[random.below(Self.nothing.count)]
    case 1...3: self = Self.shown
    default: self = Self.all[random.below(Self.all.count)]
    }
  }

  init(
    query: @escaping @Sendable () -> any JoinableStatement<Card>, conditions: [String] = [], order: [String] = [],
    limit: String? = nil, isDistinct: Bool = false
  ) {
    self.query = query
    self.conditions = conditions
    self.order = order
    self.limit = limit
    self.isDistinct = isDistinct
  }

  /// `EXISTS (SELECT 1 FROM cards AS name WHERE condition …)` of this scope.
  func exists(as name: String, where condition: String) -> String {
    let all = ([condition] + conditions.map { $0.replacing("#", with: name) }).map { "(\($0))" }
    let limit = limit.map { " ORDER BY \(order.joined(separator: ", ").replacing("#", with: name)) \($0)" } ?? ""
    return "EXISTS (SELECT 1 FROM cards AS \(name) WHERE \(all.joined(separator: " AND "))\(limit))"
  }
}
