/// Random chains of scopes, drafts, aliases, `none`, groups, enums, JSON, full-text search and triggers give the rows,
/// and write the rows, that SQL written by hand does.
///
/// `MARTLET_DIFFERENTIAL_TREES` is how many are tried, `MARTLET_DIFFERENTIAL_SEED` the first one's seed.
import Foundation
import Martlet
import MartletTestSupport
import MartletValues
import Testing

@Suite struct ByHandTests {
  typealias Card = Cards.Card
  typealias Found = Cards.Found

  /// What is done with a query, and by hand.
  struct Trial {
    let isWrite: Bool
    let run: (Database) throws -> [Int?]
    let sql: String
    /// What is made before, by hand.
    var setup: [String] = []

    static func reads(_ statement: some Statement<Int>, _ sql: String) -> Trial {
      Trial(isWrite: false, run: { try statement.fetchAll($0) }, sql: sql)
    }

    static func writes(_ statement: some Statement<Int>, _ sql: String) -> Trial {
      Trial(isWrite: true, run: { try statement.fetchAll($0).sorted() }, sql: sql)
    }
  }

  private static func trial(_ random: inout SplitMix) -> Trial {
    let scope = CardScope(&random)
    CardScope.now = scope
    let card = CardQuery(&random)
    let limit = random.below(4)
    switch random.below(7) {
    case 4: return CardChain.trial(&random, card)
    case 0: return joinTrial(&random, card)
    case 1: return CardWords.trial(&random, card)
    case 2: return CardKinds.trial(&random, card)
    case 3: return CardTriggers.trial(&random, card)
    default: break
    }
    // One statement has one limit: the query's own takes the place of the scope's.
    let forms = Array(0..<16).filter { $0 != 3 || scope.limit == nil }
    let form = forms[random.below(forms.count)]
    return writeTrial(form, card) ?? readTrial(form, &random, card, limit: limit)
  }

  /// The forms that only read.
  private static func readTrial(
    _ form: Int, _ random: inout SplitMix, _ card: CardQuery, limit: Int
  ) -> Trial {
    let (query, rows) = (card.query, card.rows)
    let (condition, order) = (rows.sql("cards"), rows.order("cards"))
    switch form {
    case 0:
      return .reads(query.order(by: \.id).select(\.id), "\(rows.select) id FROM cards \(condition) ORDER BY \(order)id")
    case 1: return .reads(query.count(), "SELECT count(*) FROM cards \(condition)")
    case 2: return .reads(query.exists().asCount, "SELECT EXISTS (SELECT 1 FROM cards \(condition))")
    case 3:
      return .reads(
        query.order { ($0.title.desc(), $0.id) }.limit(limit, offset: 1).select(\.id),
        "\(rows.select) id FROM cards \(condition) ORDER BY \(order)title DESC, id LIMIT \(limit) OFFSET 1")
    case 4:
      return .reads(
        query.group { $0.size.width }.order { $0.size.width }.select { $0.id.count() },
        "\(rows.select) count(id) FROM cards \(condition) GROUP BY width ORDER BY \(order)width")
    case 5:
      return .reads(
        query.as(Cards.Named.self).order(by: \.id).select(\.id),
        "\(rows.select) id FROM cards AS nameds \(rows.sql("nameds")) ORDER BY \(rows.order("nameds"))id")
    case 6: return CardJoin.reads(&random, card)
    case 7:
      return .reads(
        Card.unscoped.where { $0.id.in(query.select(\.id)) }.order(by: \.id).select(\.id),
        "SELECT id FROM cards WHERE id IN (SELECT cards.id FROM cards \(condition)) ORDER BY id")
    case 8:
      let common = With {
        query.select { Found.Columns(id: $0.id + 1) }
      } query: {
        Found.order(by: \.id).select(\.id)
      }
      return .reads(common, "WITH f AS (SELECT id + 1 AS id FROM cards \(condition)) SELECT id FROM f ORDER BY id")
    case 9:
      let other = CardQuery(&random)
      return .reads(
        query.select(\.id).union(other.query.select(\.id)).order(byColumn: 1),
        "SELECT id FROM cards \(condition) UNION SELECT id FROM cards \(other.rows.sql("cards")) ORDER BY 1")
    case 14:
      return .reads(
        query.select { $0.count.map { $0 + 1 } ?? -1 }.order { $0.id },
        "\(rows.select) coalesce(count + 1, -1) FROM cards \(condition) ORDER BY \(order)id")
    default: return ofDrafts
    }
  }

  /// The forms from 10 to 13, which write; nil for another one.
  private static func writeTrial(_ form: Int, _ card: CardQuery) -> Trial? {
    let (query, condition) = (card.query, card.rows.sql("cards"))
    switch form {
    case 10:
      return .writes(
        query.update { $0.title += "!" }.returning(\.id),
        "UPDATE cards SET title = title || '!' \(condition) RETURNING id")
    case 11: return .writes(query.delete().returning(\.id), "DELETE FROM cards \(condition) RETURNING id")
    case 12:
      return .writes(
        query.update {
          $0.size.width = $0.size.height + 1
          $0.kind = .text("new")
          $0.tags = $0.tags.jsonAppend("z")
        }.returning(\.id),
        "UPDATE cards SET width = height + 1, number = NULL, text = 'new', tags = json_insert(tags, '$[#]', 'z') "
          + "\(condition) RETURNING id")
    case 13:
      return .writes(
        Cards.CardLog.insert {
          ($0.cardID, $0.new)
        } select: {
          query.select { ($0.id, $0.title) }
        }.returning(\.cardID),
        "INSERT INTO cardLogs (cardID, new) SELECT id, title FROM cards \(condition) RETURNING cardID")
    default: return nil
    }
  }

  private static var ofDrafts: Trial {
    let rows = CardRows(conditions: ["#.title <> ''", "#.width > 0"])
    return Trial(
      isWrite: false,
      run: { db in
        let drafts = Card.Draft.all[dynamicMember: \.titled].where { $0.size.width > 0 }.order(by: \.id)
        return try drafts.fetchAll(db).map(\.id)
      },
      sql: "SELECT id FROM cards \(rows.sql("cards")) ORDER BY \(rows.order("cards"))id")
  }

  /// Joins, common tables of rows within rows, groups and upserts.
  private static func joinTrial(_ random: inout SplitMix, _ card: CardQuery) -> Trial {
    let (query, condition) = (card.query, card.rows.sql("cards"))
    let other = CardQuery(&random)
    func reads(_ statement: some Statement<Int>, _ sql: String) -> Trial {
      Trial(isWrite: false, run: { try statement.fetchAll($0) }, sql: sql)
    }
    let forms = CardScope.now.limit == nil ? Array(0..<6) : [0, 1, 2, 3, 5]
    switch forms[random.below(forms.count)] {
    case 0: return CardJoin.reads(&random, card)
    case 1:
      let pairs = query.leftJoin(Card.unscoped.as(Cards.Named.self)) { $0.ownerID.eq($1.id) }
        .select { Cards.Pair.Columns(card: $0, title: $0.title.upper(), owner: $1.unaliased()) }
      let common = With {
        pairs
      } query: {
        Cards.Pair
          .where { $0.owner.is(nil) }
          .or(Cards.Pair.where { $0.owner.kind.is(\.text) })
          .order { $0.card.id }
          .select { ($0.owner.size.width ?? 50) * $0.title.length() + $0.card.size.width }
      }
      return reads(
        common,
        "SELECT coalesce(nameds.width, 50) * length(cards.title) + cards.width "
          + "FROM cards LEFT JOIN cards AS nameds ON cards.ownerID = nameds.id "
          + whole([
            condition, "WHERE (nameds.id IS NULL OR nameds.text IS NOT NULL)",
          ])
          + " ORDER BY cards.id")
    case 2:
      return reads(
        query.group { $0.size.width }.having { $0.id.count() > 1 }.order { $0.size.width.desc() }
          .select { $0.size.width * 10 + $0.id.count() },
        "\(card.rows.select) width * 10 + count(id) FROM cards \(condition) GROUP BY width HAVING count(id) > 1 "
          + "ORDER BY \(card.rows.order("cards"))width DESC")
    case 3:
      return reads(
        query.select(\.id).except(other.query.select(\.id)).order(byColumn: 1),
        "SELECT id FROM cards \(condition) EXCEPT SELECT id FROM cards \(other.rows.sql("cards")) ORDER BY 1")
    case 4:
      return reads(
        query.select(\.id).intersect(other.query.limit(3).order(by: \.id).select(\.id)).order(byColumn: 1),
        "SELECT id FROM cards \(condition) INTERSECT SELECT * FROM (SELECT id FROM cards \(other.rows.sql("cards")) "
          + "ORDER BY \(other.rows.order("cards"))id LIMIT 3) ORDER BY 1")
    default: return upsertTrial(&random)
    }
  }

  private static func upsertTrial(_ random: inout SplitMix) -> Trial {
    let (id, width) = (1 + random.below(9), random.below(3))
    let hasKey = random.below(4) > 0
    let statement = Card.upsert {
      Card.Draft(
        id: hasKey ? id : nil, title: "up", count: nil, size: Cards.Size(width: width, height: 4), kind: .number(width),
        tags: ["u"], ownerID: id)
    }
    let key = hasKey ? "\(id)" : "NULL"
    return Trial(
      isWrite: true, run: { try statement.returning(\.id).fetchAll($0) },
      sql: "INSERT INTO cards VALUES (\(key), 'up', 0, NULL, \(width), 4, \(width), NULL, '[\"u\"]', \(id)) "
        + "ON CONFLICT (id) DO UPDATE SET title = 'up', isGone = 0, count = NULL, width = \(width), height = 4, "
        + "number = \(width), text = NULL, tags = '[\"u\"]', ownerID = \(id) RETURNING id")
  }

  static func whole(_ conditions: [String]) -> String {
    let parts = conditions.filter { !$0.isEmpty }.map { $0.dropFirst("WHERE ".count) }
    return parts.isEmpty ? "" : "WHERE " + parts.joined(separator: " AND ")
  }

  private static let state = [
    "SELECT group_concat(id || title || isGone || ifnull(count, '-') || width || height || ifnull(number, '-') || "
      + "ifnull(text, '-') || tags || ifnull(ownerID, '-'), '|') FROM (SELECT * FROM cards ORDER BY id)",
    "SELECT group_concat(cardID || ifnull(old, '-') || ifnull(new, '-'), '|') FROM (SELECT * FROM cardLogs ORDER BY "
      + "cardID, old, new)",
    "SELECT group_concat(rowid || title, '|') FROM (SELECT rowid, title FROM cardTexts ORDER BY rowid)",
  ]

  /// The rows, and what the tables hold afterwards, or that it failed; whatever was written is undone. What a limit of
  /// time ended is tried again, and nothing else runs here then.
  private func outcome(_ database: any DatabaseWriter, _ run: (Database) throws -> [Int?]) throws -> [String?] {
    struct Undone: Error { let outcome: [String?] }
    do {
      return try onceMoreIfLate {
        try database.write { db -> [String?] in
          let rows = try run(db).map { $0.map(String.init) }
          throw Undone(outcome: rows + (try Self.state.map { try String?.fetchOne(db, sql: $0) ?? nil }))
        }
      }
    } catch let undone as Undone {
      return undone.outcome
    } catch {
      return ["failed: \((error as? RequestError)?.message ?? "\(error)")"]
    }
  }

  @Test func `what a limit of time ended is tried once more, and nothing else`() throws {
    let database = try DatabaseHome.embedded.open(Cards.tables)
    let late = RequestError(.deadlineExceeded, .deadline, "late")
    let other = RequestError(.invalidArgument, .invalidStatement, "wrong")
    for (failures, tries, first) in [
      ([late], 2, "7"), ([late, late], 2, "failed: late"), ([other], 1, "failed: wrong"),
    ] {
      var count = 0
      let given = try outcome(database) { _ in
        count += 1
        if count <= failures.count { throw failures[count - 1] }
        return [7]
      }
      #expect(given.first == first && count == tries, "\(given), \(count)")
    }
  }

  @Test func `random chains give and write the rows that SQL by hand does`() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MARTLET_DIFFERENTIAL_TREES"].flatMap(Int.init) ?? 1_400
    let first = environment["MARTLET_DIFFERENTIAL_SEED"].flatMap(UInt64.init) ?? 1
    let built = try DatabaseHome.allCases.map { try $0.open(Cards.tables) }
    for database in built { try database.write { try Cards.builtTrigger.execute($0) } }
    let byHand = try DatabaseHome.embedded.open(Cards.tables + Cards.trigger)
    let untouched = try outcome(byHand) { _ in [] }
    var (found, failed, differences) = (0, 0, 0)
    for seed in first..<first + UInt64(count) {
      var random = SplitMix(state: seed)
      let trial = Self.trial(&random)
      let expected = try outcome(byHand) { db in
        for sql in trial.setup { try db.execute(sql: sql) }
        let rows = try Int?.fetchAll(db, sql: trial.sql)
        return trial.isWrite ? rows.sorted { ($0 ?? 0) < ($1 ?? 0) } : rows
      }
      if expected.count < Self.state.count {
        failed += 1
      } else if expected != untouched {
        found += 1
      }
      for database in built {
        let given = try outcome(database, trial.run)
        guard given != expected else { continue }
        differences += 1
        Issue.record("seed \(seed)\n\(trial.sql)\ngave \(given)\nnot \(expected)")
      }
      guard differences < 10 else { break }
    }
    // If most find nothing, or fail, the comparison proves little.
    #expect(found * 2 > count && failed * 10 < count, "\(found) found, \(failed) failed, of \(count)")
  }
}

extension QueryExpression where QueryValue == Bool {
  /// 0 or 1, as a statement of one row.
  fileprivate var asCount: SQLQueryExpression<Int> { cast(as: Int.self) }
}
