/// Random searches of the cards' words, in each place of a statement, each with the SQL that a person would write.
///
/// Always true: a search stands where SQLite can use the index; where it cannot, SQLite's own error is the answer.
import Martlet

enum CardWords {
  typealias Text = Cards.CardText
  typealias Trial = ByHandTests.Trial

  /// A pattern for the builder, and what FTS5 reads.
  private struct Pattern {
    let value: SQLQueryExpression<String>
    let sql: String

    init(_ text: String, sql: String? = nil) {
      value = SQLQueryExpression(#bind(text))
      self.sql = sql ?? text
    }

    init(_ value: some QueryExpression<String>, sql: String) {
      self.value = SQLQueryExpression(value)
      self.sql = sql
    }

    static var all: [Pattern] {
      [
        Pattern("tea"), Pattern("mil*"), Pattern("milk OR salt"), Pattern("milk NOT tea"), Pattern("^milk"),
        Pattern("title : TEA"), Pattern("NEAR(milk tea)"), Pattern("\"milk tea\""), Pattern("nothing"),
        Pattern(FTS5Pattern.phrase("milk tea"), sql: "\"milk tea\""),
        Pattern(FTS5Pattern.allWords(in: "tea milk"), sql: "\"tea\" \"milk\""),
        Pattern(FTS5Pattern.anyWord(in: "salt (tea"), sql: "\"salt\" OR \"tea\""),
        Pattern(FTS5Pattern.allPrefixes(in: "mi t"), sql: "\"mi\"* \"t\"*"),
      ]
    }
  }

  static func trial(_ random: inout SplitMix, _ card: CardQuery) -> Trial {
    let pattern = Pattern.all[random.below(Pattern.all.count)]
    switch random.below(3) {
    case 0: return ofTexts(&random, card, pattern)
    case 1: return ofCards(&random, card, pattern)
    default: return writes(&random, card, pattern)
    }
  }

  private static func reads(_ statement: some Statement<Int>, _ sql: String) -> Trial {
    Trial(isWrite: false, run: { try statement.fetchAll($0) }, sql: sql)
  }

  /// `SELECT id FROM cards …`, as a subquery of other tables.
  private static func ids(_ card: CardQuery) -> String { "SELECT cards.id FROM cards \(card.rows.sql("cards"))" }

  /// The index is what is read.
  private static func ofTexts(_ random: inout SplitMix, _ card: CardQuery, _ pattern: Pattern) -> Trial {
    let value = pattern.value
    let found = "FROM cardTexts WHERE cardTexts MATCH \(quoted(pattern.sql))"
    let query = card.query
    switch random.below(8) {
    case 0:
      return reads(
        Text.where { $0.match(value) }.where { $0.rowid.in(query.select(\.id)) }.order(by: \.rowid)
          .select { ($0.title.highlight("<<", ">>") ?? "").length() * 10 + $0.rowid },
        "SELECT length(highlight(cardTexts, 0, '<<', '>>')) * 10 + rowid \(found) AND rowid IN (\(ids(card))) "
          + "ORDER BY rowid")
    case 1:
      return reads(
        Text.matching(value).order { ($0.bm25([\.title: 3]), $0.rowid) }.select(\.rowid),
        "SELECT rowid \(found) ORDER BY bm25(cardTexts, 3.0), rowid")
    case 2:
      let limit = random.below(3)
      return reads(
        Text.matching(value).order { ($0.rank, $0.rowid.desc()) }.limit(limit).select(\.rowid),
        "SELECT rowid \(found) ORDER BY rank, rowid DESC LIMIT \(limit)")
    case 3:
      return reads(
        Text.matching(value).select(\.rowid).union(query.select(\.id)).order(byColumn: 1),
        "SELECT rowid \(found) UNION \(ids(card)) ORDER BY 1")
    case 4:
      return reads(
        query.select(\.id).except(Text.matching(value).select(\.rowid)).order(byColumn: 1),
        "\(ids(card)) EXCEPT SELECT rowid \(found) ORDER BY 1")
    case 5:
      return reads(
        Text.where { $0.title.match(value) }.where { $0.rowid > 1 }.count(),
        "SELECT count(*) FROM cardTexts WHERE title MATCH \(quoted(pattern.sql)) AND rowid > 1")
    case 6:
      return reads(
        Text.matching(value).order(by: \.rowid).select { ($0.title.snippet("<", ">", "…", 1) ?? "").length() },
        "SELECT length(snippet(cardTexts, 0, '<', '>', '…', 1)) \(found) ORDER BY rowid")
    default:
      return reads(
        Text.where { $0.match(value) }.not().order(by: \.rowid).select(\.rowid),
        "SELECT rowid FROM cardTexts WHERE NOT (cardTexts MATCH \(quoted(pattern.sql))) ORDER BY rowid")
    }
  }

  /// The cards are what is read, and the index a side of a join, a subquery or a common table.
  private static func ofCards(_ random: inout SplitMix, _ card: CardQuery, _ pattern: Pattern) -> Trial {
    let (value, query, rows) = (pattern.value, card.query, card.rows)
    let word = "cardTexts MATCH \(quoted(pattern.sql))"
    let filter = rows.filter("cards")
    let order = rows.order("cards") + "cards.id"
    func joined(_ kind: String, _ selected: String, _ conditions: [String], of texts: String = "cardTexts") -> String {
      "\(rows.select) \(selected) FROM \(rows.source("cards")) \(kind) \(texts) ON cards.id = cardTexts.rowid "
        + "\(ByHandTests.whole(conditions)) ORDER BY \(order)"
    }
    switch random.below(8) {
    case 0:
      return reads(
        query.join(Text.matching(value)) { $0.id.eq($1.rowid) }.order { card, _ in card.id }
          .select { $0.size.width * 100 + $1.title.length() },
        joined("JOIN", "cards.width * 100 + length(cardTexts.title)", [filter, "WHERE \(word)"]))
    case 1:
      return reads(
        query.join(Text.all) { $0.id.eq($1.rowid) }.where { $1.match(value) }.order { card, _ in card.id }
          .select { $0.id * 10 + ($1.title.highlight("[", "]") ?? "").length() },
        joined("JOIN", "cards.id * 10 + length(highlight(cardTexts, 0, '[', ']'))", [filter, "WHERE \(word)"]))
    case 2:
      return reads(
        query.leftJoin(Text.matching(value)) { $0.id.eq($1.rowid) }.order { card, _ in card.id }
          .select { $0.id * 10 + ($1.rowid ?? 3) },
        // The pattern chooses among the texts, before they are joined.
        joined(
          "LEFT JOIN", "cards.id * 10 + coalesce(cardTexts.rowid, 3)", [filter],
          of: "(SELECT rowid, title FROM cardTexts WHERE \(word)) AS cardTexts"))
    case 3:
      return reads(
        query.leftJoin(Text.all) { $0.id.eq($1.rowid) }.order { card, _ in card.id }
          .select { $0.id * 10 + ($1.title ?? "none").length() },
        joined("LEFT JOIN", "cards.id * 10 + length(coalesce(cardTexts.title, 'none'))", [filter]))
    case 4:
      return reads(
        query.where { card in Text.where { $0.match(value) && $0.rowid.eq(card.id) }.exists() }.order(by: \.id)
          .select(\.id),
        "\(rows.select) id FROM cards "
          + rows.and("EXISTS (SELECT 1 FROM cardTexts WHERE \(word) AND cardTexts.rowid = #.id)").sql("cards")
          + " ORDER BY \(order)")
    case 5:
      let common = With {
        Text.matching(value).select { Cards.Found.Columns(id: $0.rowid) }
      } query: {
        query.where { $0.id.in(Cards.Found.select(\.id)) }.order(by: \.id).select(\.id)
      }
      return reads(
        common,
        "WITH f AS (SELECT rowid AS id FROM cardTexts WHERE \(word)) \(rows.select) id FROM cards "
          + rows.and("#.id IN (SELECT id FROM f)").sql("cards") + " ORDER BY \(order)")
    case 6:
      return reads(
        query.as(Cards.Named.self).join(Text.matching(value)) { $0.id.eq($1.rowid) }.order { card, _ in card.id }
          .select { $0.id + $1.rowid },
        "\(rows.select) nameds.id + cardTexts.rowid FROM \(rows.source("nameds")) JOIN cardTexts "
          + "ON nameds.id = cardTexts.rowid \(ByHandTests.whole([rows.filter("nameds"), "WHERE \(word)"])) "
          + "ORDER BY \(rows.order("nameds"))nameds.id")
    default:
      return reads(
        query.order(by: \.id).select { card in
          card.id * 10 + (Text.where { $0.match(value) && $0.rowid <= card.id }.count())
        },
        "\(rows.select) id * 10 + (SELECT count(*) FROM cardTexts WHERE \(word) AND cardTexts.rowid <= cards.id) "
          + "FROM cards \(rows.sql("cards")) ORDER BY \(order)")
    }
  }

  /// The index is written, or says which cards are.
  private static func writes(_ random: inout SplitMix, _ card: CardQuery, _ pattern: Pattern) -> Trial {
    let (value, query) = (pattern.value, card.query)
    let word = "cardTexts MATCH \(quoted(pattern.sql))"
    func writes(_ statement: some Statement, _ sql: String) -> Trial {
      Trial(
        isWrite: true,
        run: {
          try statement.execute($0)
          return []
        }, sql: sql)
    }
    let (chosen, all) = (ids(card), card.rows.sql("cards"))
    switch random.below(6) {
    case 0:
      return writes(
        Text.where { $0.match(value) }.delete(), "DELETE FROM cardTexts WHERE \(word)")
    case 1:
      return writes(
        Text.where { $0.rowid.in(query.select(\.id)) }.update { $0.title += " more" },
        "UPDATE cardTexts SET title = title || ' more' WHERE rowid IN (\(chosen))")
    case 2:
      return writes(
        Text.where { $0.match(value) }.where { $0.rowid > 1 }.update { $0.title = "salt" },
        "UPDATE cardTexts SET title = 'salt' WHERE \(word) AND rowid > 1")
    case 3:
      return writes(
        Text.insert {
          $0.title
        } select: {
          query.order(by: \.id).select(\.title)
        },
        "INSERT INTO cardTexts (title) \(card.rows.select) title FROM cards \(all) "
          + "ORDER BY \(card.rows.order("cards"))id")
    case 4:
      return Trial(
        isWrite: true,
        run: {
          try query.where { $0.id.in(Text.matching(value).select(\.rowid)) }.update { $0.title += "?" }
            .returning(\.id).fetchAll($0).sorted()
        },
        sql: "UPDATE cards SET title = title || '?' "
          + card.rows.and("#.id IN (SELECT rowid FROM cardTexts WHERE \(word))").sql("cards") + " RETURNING id")
    default:
      return Trial(
        isWrite: true,
        run: {
          try query.where { card in Text.where { $0.match(value) && $0.rowid.eq(card.id) }.exists() }.delete()
            .returning(\.id).fetchAll($0).sorted()
        },
        sql: "DELETE FROM cards "
          + card.rows.and("EXISTS (SELECT 1 FROM cardTexts WHERE \(word) AND cardTexts.rowid = #.id)").sql("cards")
          + " RETURNING id")
    }
  }

  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
