/// Random chains of the clauses of a SELECT, in any order, behind a query of conditions; each with the SQL that a
/// person would write for what they say together.
///
/// Always true: clauses of one kind add up, and the last limit and the last offset count.
import Martlet

struct CardChain {
  typealias Card = Cards.Card
  typealias Trial = ByHandTests.Trial

  private var query: SelectOf<Card>
  private var rows: CardRows
  private var order: [String] = []
  private var group: [String] = []
  private var having: [String] = []
  private var limit: Int?
  private var offset: Int?
  private var isDistinct = false

  static func trial(_ random: inout SplitMix, _ card: CardQuery) -> Trial {
    var chain = CardChain(card)
    for _ in 0..<2 + random.below(5) { chain.step(&random) }
    // A total order, so that a limit chooses the same rows.
    chain.query = chain.query.order(by: \.id)
    chain.order.append("id")
    return chain.trial(&random)
  }

  private init(_ card: CardQuery) {
    query = card.query.asSelect()
    rows = card.rows
  }

  private mutating func step(_ random: inout SplitMix) {
    switch random.below(12) {
    case 0, 1:
      let condition = CardCondition.all[random.below(CardCondition.all.count)]
      query = query.where { condition.build(CardColumns($0)) }
      rows = rows.and(condition.sql)
    case 2:
      query = query.where(\.isGone)
      rows = rows.and("#.isGone")
    case 3:
      query = query.titled
      rows = rows.and("#.title <> ''")
    case 4:
      query = query.find([1, 2, 3, 4])
      rows = rows.and("#.id IN (1, 2, 3, 4)")
    case 5, 6: addOrder(&random)
    case 7, 8: addLimit(&random)
    case 9:
      isDistinct = random.below(4) > 0
      query = query.distinct(isDistinct)
    case 10:
      query = random.below(2) == 0 ? query.group(by: \.id) : query.group { ($0.title, $0.id) }
      group.append(contentsOf: ["title", "id"])
    default:
      guard !group.isEmpty else { return }
      query = query.having { $0.size.width.max() < 2 }
      having.append("max(width) < 2")
    }
  }

  private mutating func addOrder(_ random: inout SplitMix) {
    switch random.below(4) {
    case 0:
      query = query.order(by: \.title)
      order.append("title")
    case 1:
      query = query.order { ($0.size.desc(), $0.count.asc(nulls: .last)) }
      order += ["width DESC", "height DESC", "count ASC NULLS LAST"]
    case 2:
      query = query.order { $0.kind.text }
      order.append("text")
    default:
      query = query.order { $0.id.desc() }
      order.append("id DESC")
    }
  }

  private mutating func addLimit(_ random: inout SplitMix) {
    let (count, first) = (random.below(4), random.below(3))
    switch random.below(5) {
    case 0:
      query = query.limit(nil)
    case 1:
      query = query.limit(count, offset: first)
      (limit, offset) = (count, first)
    case 2:
      query = query.offset(first)
      offset = first
    case 3:
      query = query.limit { _ in count + 1 }
      limit = count + 1
    default:
      query = query.limit(count)
      limit = count
    }
  }

  // MARK: By hand

  /// Whether its rows, or what is made of them, are made of several: the rows that a scope chooses are chosen before.
  private func gathers(_ isAggregate: Bool) -> Bool { isAggregate || isDistinct || !group.isEmpty }

  /// `SELECT column FROM cards …` with its clauses.
  private func sql(_ column: String, isAggregate: Bool = false) -> String {
    let scope = rows.isScoped && !rows.isNone ? CardScope.now : CardScope(query: { Card.unscoped })
    let isMerged = scope.limit != nil && !gathers(isAggregate)
    var parts = [isDistinct ? "SELECT DISTINCT" : rows.select, column, "FROM cards"]
    parts.append(isMerged ? rows.sqlWithoutLimit("cards") : rows.sql("cards"))
    if !group.isEmpty { parts.append("GROUP BY " + group.joined(separator: ", ")) }
    if !having.isEmpty { parts.append("HAVING " + having.joined(separator: " AND ")) }
    parts.append("ORDER BY \(rows.isNone ? "" : rows.order("cards"))\(order.joined(separator: ", "))")
    let chosen = isMerged ? scope.bounds : (limit: nil, offset: nil)
    let (last, first) = (limit ?? chosen.limit, offset ?? chosen.offset)
    if last != nil || first != nil { parts.append("LIMIT \(last ?? -1) OFFSET \(first ?? 0)") }
    return parts.joined(separator: " ")
  }

  private var isCut: Bool {
    let hasScopeLimit = rows.isScoped && !rows.isNone && CardScope.now.limit != nil && !gathers(false)
    return limit != nil || offset != nil || hasScopeLimit
  }

  private func reads(_ statement: some Statement<Int>, _ sql: String) -> Trial {
    Trial(isWrite: false, run: { try statement.fetchAll($0) }, sql: sql)
  }

  private func trial(_ random: inout SplitMix) -> Trial {
    let query = query
    let ids = sql("id")
    switch random.below(12) {
    case 0: return Trial(isWrite: false, run: { try query.fetchAll($0).map(\.id) }, sql: ids)
    case 1:
      let isOfGroups = !group.isEmpty && !isCut && !isDistinct && rows.select == "SELECT"
      return reads(query.count(), isOfGroups ? sql("count(*)", isAggregate: true) : "SELECT count(*) FROM (\(ids))")
    case 2: return reads(query.exists().cast(as: Int.self), "SELECT EXISTS (\(ids))")
    case 3:
      return reads(
        Card.unscoped.where { $0.id.in(query.select(\.id)) }.order(by: \.id).select(\.id),
        "SELECT id FROM cards WHERE id IN (\(ids)) ORDER BY id")
    case 4:
      return Trial(
        isWrite: false, run: { [try query.fetchOne($0)?.id ?? -1] },
        sql: "SELECT coalesce((SELECT id FROM (\(ids)) LIMIT 1), -1)")
    case 5:
      return Trial(
        isWrite: false,
        run: { try query.select(\.id).select { $0.size.width }.fetchAll($0).map { $0 * 10 + $1 } },
        sql: sql("id * 10 + width"))
    case 6:
      let other = CardQuery(&random)
      return reads(
        query.select(\.id).union(all: true, other.query.select(\.id)).order(byColumn: 1),
        "SELECT * FROM (\(ids)) UNION ALL SELECT id FROM cards \(other.rows.sql("cards")) ORDER BY 1")
    case 7:
      let common = With {
        query.select { Cards.Found.Columns(id: $0.id) }
      } query: {
        Cards.Found.order(by: \.id).select(\.id)
      }
      return reads(common, "WITH f AS (\(ids)) SELECT id FROM f ORDER BY id")
    case 8 where group.isEmpty:
      return reads(
        query.select { ($0.id.max() ?? -1) * 10 + $0.count() },
        sql("coalesce(max(id), -1) * 10 + count(*)", isAggregate: true))
    case 9:
      return Trial(
        isWrite: true,
        run: {
          try Card.unscoped.where { $0.id.in(query.select(\.id)) }.delete().returning(\.id).fetchAll($0).sorted()
        },
        sql: "DELETE FROM cards WHERE id IN (\(ids)) RETURNING id")
    case 10:
      return Trial(
        isWrite: true,
        run: {
          try Cards.CardLog.insert {
            ($0.cardID, $0.new)
          } select: {
            query.select { ($0.id, $0.title) }
          }.execute($0)
          return []
        }, sql: "INSERT INTO cardLogs (cardID, new) \(sql("id, title"))")
    default: return reads(query.select(\.id), ids)
    }
  }
}

extension CardScope {
  /// The numbers of its limit.
  var bounds: (limit: Int?, offset: Int?) {
    let numbers = (limit ?? "").split(separator: " ").compactMap { Int($0) }
    return (numbers.first, numbers.count > 1 ? numbers[1] : nil)
  }
}
