/// Random statements in which a card's kind, an enum whose cases are columns, stands as a whole or by its cases, each
/// with the SQL that a person would write.
import Martlet

enum CardKinds {
  typealias Card = Cards.Card
  typealias Kind = Cards.Kind
  typealias Trial = ByHandTests.Trial

  static func trial(_ random: inout SplitMix, _ card: CardQuery) -> Trial {
    switch random.below(4) {
    case 0: return wholes(&random, card)
    case 1: return cases(&random, card)
    case 2: return elsewhere(&random, card)
    default: return writes(&random, card)
    }
  }

  private static let kinds: [(value: Kind, number: String, text: String)] = [
    (.number(5), "5", "NULL"), (.number(0), "0", "NULL"), (.text("x"), "NULL", "'x'"), (.text(""), "NULL", "''"),
    (.text("it's"), "NULL", "'it''s'"), (.number(-1), "-1", "NULL"),
  ]

  private static func isOne(_ index: Int, _ name: String = "#") -> String {
    "(\(name).number IS \(kinds[index].number) AND \(name).text IS \(kinds[index].text))"
  }

  /// A kind as a number: that of its case, or more than a thousand.
  private static func number(_ kind: Kind?) -> Int {
    switch kind {
    case .number(let number): number
    case .text(let text): 1_000 + text.count
    case nil: 9_999
    }
  }

  private static func sqlNumber(_ name: String) -> String {
    "CASE WHEN \(name).number IS NOT NULL THEN \(name).number WHEN \(name).text IS NOT NULL THEN "
      + "1000 + length(\(name).text) ELSE 9999 END"
  }

  private static func reads(_ statement: some Statement<Int>, _ sql: String) -> Trial {
    Trial(isWrite: false, run: { try statement.fetchAll($0) }, sql: sql)
  }

  private static func reads(kinds statement: some Statement<Kind>, _ sql: String) -> Trial {
    Trial(isWrite: false, run: { try statement.fetchAll($0).map { number($0) } }, sql: sql)
  }

  /// One value beside others.
  private static func wholes(_ random: inout SplitMix, _ card: CardQuery) -> Trial {
    let (query, rows) = (card.query, card.rows)
    let (one, other) = (random.below(kinds.count), random.below(kinds.count))
    let (kind, second) = (kinds[one].value, kinds[other].value)
    func found(_ query: Where<Card>, _ condition: String) -> Trial {
      reads(
        query.order(by: \.id).select(\.id),
        "\(rows.select) id FROM cards \(rows.and(condition).sql("cards")) ORDER BY \(rows.order("cards"))id")
    }
    switch random.below(7) {
    case 0: return found(query.where { $0.kind.eq(kind) }, isOne(one))
    case 1: return found(query.where { $0.kind.neq(kind) }, "NOT \(isOne(one))")
    case 2: return found(query.where { $0.kind.is(kind) }, isOne(one))
    case 3: return found(query.where { $0.kind.in([kind, second]) }, "(\(isOne(one)) OR \(isOne(other)))")
    case 4: return found(query.where { $0.kind.notIn([kind, second]) }, "NOT (\(isOne(one)) OR \(isOne(other)))")
    case 5:
      return found(
        query.where { card in
          Card.as(Cards.Inner.self).unscoped.where { $0.kind.eq(card.kind) && $0.id < card.id }.exists()
        },
        "EXISTS (SELECT 1 FROM cards AS c WHERE c.number IS #.number AND c.text IS #.text AND c.id < #.id)")
    default:
      return reads(
        kinds: query.order(by: \.id).select(\.kind),
        "\(rows.select == "SELECT" ? "SELECT" : "SELECT DISTINCT") \(sqlNumber("cards")) FROM cards "
          + "\(rows.sql("cards")) ORDER BY \(rows.order("cards"))id")
    }
  }

  /// Its cases and what they hold.
  private static func cases(_ random: inout SplitMix, _ card: CardQuery) -> Trial {
    let (query, rows) = (card.query, card.rows)
    let order = rows.order("cards")
    func from(_ condition: String? = nil) -> String {
      "FROM cards " + (condition.map { rows.and($0) } ?? rows).sql("cards")
    }
    switch random.below(7) {
    case 0:
      return reads(
        query.where { $0.kind.is(\.number) }.order(by: \.id).select(\.id),
        "\(rows.select) id \(from("#.number IS NOT NULL")) ORDER BY \(order)id")
    case 1:
      return reads(
        query.where { !$0.kind.is(\.number) && $0.kind.isNot(\.number) }.order(by: \.id).select(\.id),
        "\(rows.select) id \(from("#.number IS NULL")) ORDER BY \(order)id")
    case 2:
      return reads(
        query.order { ($0.kind.text.desc(nulls: .last), $0.kind.number, $0.id) }.select { $0.kind.number ?? 70 },
        "\(rows.select) coalesce(number, 70) \(from()) ORDER BY \(order)text DESC NULLS LAST, number, id")
    case 3:
      return reads(
        query.order(by: \.id).select { card in
          Case().when(card.kind.is(\.text), then: (card.kind.text ?? "").length()).else((card.kind.number ?? 0) - 50)
        },
        "\(rows.select) CASE WHEN text IS NOT NULL THEN length(text) ELSE coalesce(number, 0) - 50 END \(from()) "
          + "ORDER BY \(order)id")
    case 4:
      return reads(
        query.select { ($0.kind.number.max() ?? -9) * 10 + $0.kind.text.count() },
        "SELECT coalesce(max(number), -9) * 10 + count(text) \(from())")
    case 5:
      return reads(
        query.group { $0.kind.is(\.text) }.order { $0.kind.is(\.text) }.select { $0.id.count() },
        "\(rows.select) count(id) \(from()) GROUP BY text IS NOT NULL ORDER BY \(order)text IS NOT NULL")
    default:
      return reads(
        query.where { $0.kind.number > 0 || $0.kind.text.eq("x") }.order(by: \.id).select(\.id),
        "\(rows.select) id \(from("(#.number > 0 OR #.text = 'x')")) ORDER BY \(order)id")
    }
  }

  /// Of common tables, compounds, aliases, and of a side that a join may leave out.
  private static func elsewhere(_ random: inout SplitMix, _ card: CardQuery) -> Trial {
    let (query, rows) = (card.query, card.rows)
    let from = "FROM cards \(rows.sql("cards"))"
    switch random.below(5) {
    case 0:
      let common = With {
        query.select { Cards.Kinded.Columns(id: $0.id, kind: $0.kind) }
      } query: {
        Cards.Kinded.where { $0.kind.is(\.text) }.order(by: \.id).select { $0.id * 10 + ($0.kind.text ?? "").length() }
      }
      return reads(
        common, "SELECT id * 10 + length(text) FROM (SELECT id, text \(from)) WHERE text IS NOT NULL ORDER BY id")
    case 1:
      let other = CardQuery(&random)
      return Trial(
        isWrite: false,
        run: {
          let kinds = try query.select(\.kind).union(other.query.select(\.kind)).fetchAll($0)
          return kinds.map { number($0) }.sorted()
        },
        sql: "SELECT \(sqlNumber("u")) AS n FROM (SELECT number, text \(from) UNION SELECT number, text FROM cards "
          + "\(other.rows.sql("cards"))) AS u ORDER BY n")
    case 2:
      return reads(
        kinds: query.as(Cards.Named.self).order(by: \.id).select(\.kind),
        "\(rows.select) \(sqlNumber("nameds")) FROM cards AS nameds \(rows.sql("nameds")) "
          + "ORDER BY \(rows.order("nameds"))id")
    case 3:
      let other = CardQuery(Card.unscoped, CardRows(isScoped: false))
      let joined = query.leftJoin(other.query.as(Cards.Named.self)) { $0.ownerID.eq($1.id) }
        .order { card, _ in card.id }.select { $1.kind }
      return Trial(
        isWrite: false, run: { try joined.fetchAll($0).map { number($0) } },
        sql: "\(rows.select) \(sqlNumber("nameds")) FROM \(rows.source("cards")) LEFT JOIN cards AS nameds "
          + "ON cards.ownerID = nameds.id \(rows.filter("cards")) ORDER BY \(rows.order("cards"))cards.id")
    default:
      let joined = query.leftJoin(Card.unscoped.as(Cards.Named.self)) { $0.kind.eq($1.kind) && $0.id.neq($1.id) }
        .order { ($0.id, $1.id) }.select { $0.id * 10 + ($1.id ?? 9) }
      return reads(
        joined,
        "\(rows.select) cards.id * 10 + coalesce(nameds.id, 9) FROM \(rows.source("cards")) LEFT JOIN cards AS nameds "
          + "ON cards.number IS nameds.number AND cards.text IS nameds.text AND cards.id <> nameds.id "
          + "\(rows.filter("cards")) ORDER BY \(rows.order("cards"))cards.id, nameds.id")
    }
  }

  /// Set as a whole, from another row, in an upsert and by a query.
  private static func writes(_ random: inout SplitMix, _ card: CardQuery) -> Trial {
    let (query, condition) = (card.query, card.rows.sql("cards"))
    let index = random.below(kinds.count)
    let (kind, number, text) = kinds[index]
    func writes(_ statement: some Statement<Int>, _ sql: String) -> Trial {
      Trial(isWrite: true, run: { try statement.fetchAll($0).sorted() }, sql: sql)
    }
    switch random.below(5) {
    case 0:
      return writes(
        query.update { $0.kind = kind }.returning(\.id),
        "UPDATE cards SET number = \(number), text = \(text) \(condition) RETURNING id")
    case 1:
      let others = Card.unscoped.as(Cards.Named.self)
      return writes(
        query.update { card in
          card.count = others.where { $0.kind.eq(kind) }.count()
        }.returning(\.id),
        "UPDATE cards SET count = (SELECT count(*) FROM cards AS o WHERE \(isOne(index, "o"))) \(condition) RETURNING id"
      )
    case 2:
      let id = 1 + random.below(8)
      let statement = Card.insert {
        Card.Draft(id: id, title: "new", size: Cards.Size(width: 1, height: 1), kind: kind)
      } onConflict: {
        $0.id
      } doUpdate: {
        $0.kind = $1.kind
      } where: { row, _ in
        row.kind.neq(kind)
      }
      return writes(
        statement.returning(\.id),
        "INSERT INTO cards VALUES (\(id), 'new', 0, NULL, 1, 1, \(number), \(text), '[]', NULL) ON CONFLICT (id) "
          + "DO UPDATE SET number = excluded.number, text = excluded.text WHERE NOT \(isOne(index, "cards")) "
          + "RETURNING id"
      )
    case 3:
      let statement = Card.insert {
        ($0.title, $0.isGone, $0.size, $0.kind, $0.tags)
      } select: {
        query.where { $0.kind.isNot(\.number) }.order(by: \.id)
          .select { ($0.title, $0.isGone, $0.size, $0.kind, $0.tags) }
      }
      return Trial(
        isWrite: true, run: { try statement.returning(\.size.width).fetchAll($0).sorted() },
        sql: "INSERT INTO cards (title, isGone, width, height, number, text, tags) \(card.rows.select) title, isGone, "
          + "width, height, number, text, tags FROM cards \(card.rows.and("#.number IS NULL").sql("cards")) "
          + "ORDER BY \(card.rows.order("cards"))id RETURNING width")
    default:
      return writes(
        query.where { $0.kind.in([kind, .text("x")]) }.delete().returning(\.id),
        "DELETE FROM cards "
          + card.rows.and("(\(isOne(index)) OR (#.number IS NULL AND #.text = 'x'))").sql("cards") + " RETURNING id")
    }
  }
}
