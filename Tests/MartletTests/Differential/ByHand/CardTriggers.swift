/// Random triggers of the cards, and writes of drafts, rows and queries that set them off, each with the SQL that a
/// person would write.
import Martlet

enum CardTriggers {
  typealias Card = Cards.Card
  typealias Log = Cards.CardLog
  typealias Text = Cards.CardText
  typealias Trial = ByHandTests.Trial

  /// A trigger of the builder, and the rest of a person's `CREATE TRIGGER`.
  private struct Made {
    let trigger: CreateTrigger<Card>
    let sql: String
  }

  static func trial(_ random: inout SplitMix, _ card: CardQuery) -> Trial {
    var made = [trigger(&random, name: "first")]
    if random.below(3) == 0 { made.append(trigger(&random, name: "second")) }
    let write = write(&random, card)
    return Trial(
      isWrite: true,
      run: { [made] db in
        for one in made { try one.trigger.execute(db) }
        return try write.run(db)
      }, sql: write.sql, setup: made.map(\.sql))
  }

  private static func trigger(_ random: inout SplitMix, name: String) -> Made {
    switch random.below(3) {
    case 0: return ofInserts(&random, name)
    case 1: return ofUpdates(&random, name)
    default: return ofDeletes(&random, name)
    }
  }

  /// A trigger after an event, or before it.
  private static func made(
    _ name: String, _ event: String, _ operation: TriggerOperation<Card>, isBefore: Bool = false,
    of columns: String = "", when condition: String = "", _ body: String
  ) -> Made {
    let time = isBefore ? "BEFORE" : "AFTER"
    let when = condition.isEmpty ? "" : "WHEN \(condition)"
    return Made(
      trigger: isBefore ? Card.createTrigger(name, before: operation) : Card.createTrigger(name, after: operation),
      sql: "CREATE TRIGGER \(name) \(time) \(event) \(columns) ON cards \(when) BEGIN \(body); END")
  }

  private static let logs = "INSERT INTO cardLogs (cardID, old, new) VALUES"

  private static func ofInserts(_ random: inout SplitMix, _ name: String) -> Made {
    switch random.below(7) {
    case 0:
      return made(
        name, "INSERT",
        .insert { new in
          Log.insert {
            ($0.cardID, $0.new)
          } values: {
            (new.id, new.title)
          }
        }, "\(logs) (new.id, NULL, new.title)")
    case 1:
      return made(
        name, "INSERT",
        .insert { new in
          Log.insert {
            ($0.cardID, $0.old, $0.new)
          } values: {
            (new.kind.number ?? -1, new.kind.text, "kind")
          }
          Card.unscoped.find(new.id).update { $0.count = new.size.width + 7 }
        } when: { new in
          new.kind.neq(.number(5))
        }, when: "NOT (new.number IS 5 AND new.text IS NULL)",
        "\(logs) (coalesce(new.number, -1), new.text, 'kind'); UPDATE cards SET count = new.width + 7 WHERE id = new.id"
      )
    case 2:
      return made(name, "INSERT", .insert(touch: { $0.count = 99 }), "UPDATE cards SET count = 99 WHERE id = new.id")
    case 3:
      return made(
        name, "INSERT",
        .insert { new in
          Raise.ignore().where { new.size.width > 1 }
          Raise.abort("It is no card.").where { new.title.eq("bad") }
        }, isBefore: true,
        "SELECT RAISE(IGNORE) WHERE new.width > 1; SELECT RAISE(ABORT, 'It is no card.') WHERE new.title = 'bad'")
    case 4:
      return made(
        name, "INSERT",
        .insert { new in
          Text.insert {
            ($0.rowid, $0.title)
          } values: {
            (new.id + 100, new.title)
          }
        }, "INSERT INTO cardTexts (rowid, title) VALUES (new.id + 100, new.title)")
    case 5:
      let rows = CardRows(conditions: ["#.ownerID = new.ownerID", "#.id <> new.id"])
      return made(
        name, "INSERT",
        .insert { new in
          Card.where { $0.ownerID.eq(new.ownerID) }.where { $0.id.neq(new.id) }.update { $0.title += "," }
        }, "UPDATE cards SET title = title || ',' \(rows.sql("cards"))")
    default: return ofEarlierCards(name)
    }
  }

  /// Writes a line for each card with a smaller key, and more lines that a loop makes.
  private static func ofEarlierCards(_ name: String) -> Made {
    let rows = CardRows(conditions: ["#.id < new.id"])
    return made(
      name, "INSERT",
      .insert { new in
        Log.insert {
          ($0.cardID, $0.new)
        } select: {
          Card.where { $0.id < new.id }.select { ($0.id, $0.tags.jsonExtract(\.[0]).cast(as: String?.self) ?? "") }
        }
        for tag in ["a", "it's"] {
          Log.insert {
            ($0.cardID, $0.new)
          } values: {
            (new.id, tag)
          }
        }
      },
      "INSERT INTO cardLogs (cardID, new) \(rows.select) id, coalesce(CAST(json_extract(tags, '$[0]') AS TEXT), '') "
        + "FROM cards \(rows.sql("cards")); INSERT INTO cardLogs (cardID, new) VALUES (new.id, 'a'); "
        + "INSERT INTO cardLogs (cardID, new) VALUES (new.id, 'it''s')")
  }

  private static func ofUpdates(_ random: inout SplitMix, _ name: String) -> Made {
    switch random.below(6) {
    case 0:
      return made(
        name, "UPDATE",
        .update(of: \.kind) { old, new in
          Log.insert {
            ($0.cardID, $0.old, $0.new)
          } values: {
            (new.id, old.kind.text, new.kind.text ?? "none")
          }
        } when: { old, new in
          old.kind.neq(new.kind)
        }, of: "OF number, text", when: "NOT (old.number IS new.number AND old.text IS new.text)",
        "\(logs) (new.id, old.text, coalesce(new.text, 'none'))")
    case 1:
      return made(
        name, "UPDATE",
        .update { old, new in
          Text.where { $0.rowid.eq(old.id) }.update { $0.title = new.title }
        } when: { old, new in
          old.title.isNot(new.title)
        }, when: "old.title IS NOT new.title", "UPDATE cardTexts SET title = new.title WHERE rowid = old.id")
    case 2:
      return made(
        name, "UPDATE",
        .update(of: { $0.size.width }) { old, new in
          if Bool(true) {
            Log.insert {
              ($0.cardID, $0.new)
            } values: {
              (old.size.width, "wide")
            }
          }
        } when: { old, new in
          new.size > old.size
          new[dynamicMember: \.count].isNot(nil)
        }, of: "OF width", when: "(new.width, new.height) > (old.width, old.height) AND new.count IS NOT NULL",
        "INSERT INTO cardLogs (cardID, new) VALUES (old.width, 'wide')")
    case 3:
      return made(
        name, "UPDATE",
        .update { old, new in
          Raise.abort("Titles stay.").where { old.title.neq("") && new.title.neq(old.title) }
        }, isBefore: true,
        "SELECT RAISE(ABORT, 'Titles stay.') WHERE old.title <> '' AND new.title <> old.title")
    case 4:
      return made(
        name, "UPDATE",
        .update { old, new in
          Card.unscoped.where { $0.ownerID.eq(new.id) }.delete()
        } when: { old, _ in
          old.tags.jsonArrayLength() > 0
        }, when: "json_array_length(old.tags) > 0", "DELETE FROM cards WHERE ownerID = new.id")
    default:
      return made(
        name, "UPDATE", .update(touch: { $0.tags = ["t"] }), "UPDATE cards SET tags = '[\"t\"]' WHERE id = new.id")
    }
  }

  private static func ofDeletes(_ random: inout SplitMix, _ name: String) -> Made {
    let rows = CardRows(conditions: ["#.ownerID = old.id"])
    switch random.below(4) {
    case 0:
      return made(
        name, "DELETE",
        .delete { old in
          Log.insert {
            ($0.cardID, $0.old, $0.new)
          } values: {
            (old.id, old.title, "gone")
          }
        } when: { old in
          old.kind.is(\.text)
        }, isBefore: true, when: "old.text IS NOT NULL", "\(logs) (old.id, old.title, 'gone')")
    case 1:
      return made(
        name, "DELETE",
        .delete { old in
          Card.where { $0.ownerID.eq(old.id) }.update { $0.ownerID = nil }
        }, "UPDATE cards SET ownerID = NULL \(rows.sql("cards"))")
    case 2:
      return made(
        name, "DELETE",
        .delete { old in
          Text.where { $0.rowid.eq(old.id) }.delete()
          Card.none.delete()
        }, "DELETE FROM cardTexts WHERE rowid = old.id")
    default:
      return made(
        name, "DELETE",
        .delete { old in
          Card.where { $0.ownerID.eq(old.id) }.delete()
        } when: { old in
          old.id.in([1, 2, 3])
        }, when: "old.id IN (1, 2, 3)", "DELETE FROM cards \(rows.sql("cards"))")
    }
  }

  /// A draft and its row in SQL.
  private static func draft(_ random: inout SplitMix, keys: Range<Int>) -> (draft: Card.Draft, sql: String) {
    let id = random.below(2) == 0 ? nil : keys.lowerBound + random.below(keys.count)
    let title = ["new", "", "bad", "it's"][random.below(4)]
    let (width, owner) = (random.below(4), random.below(7))
    let isText = random.below(2) == 0
    let draft = Card.Draft(
      id: id, title: title, isGone: owner == 0, count: width == 0 ? nil : width,
      size: Cards.Size(width: width, height: 1), kind: isText ? .text(title) : .number(width + 3), tags: ["n"],
      ownerID: owner)
    let quoted = "'\(title.replacing("'", with: "''"))'"
    let sql =
      "(\(id.map(String.init) ?? "NULL"), \(quoted), \(owner == 0 ? 1 : 0), \(width == 0 ? "NULL" : "\(width)"), "
      + "\(width), 1, \(isText ? "NULL" : "\(width + 3)"), \(isText ? quoted : "NULL"), '[\"n\"]', \(owner))"
    return (draft, sql)
  }

  private static func writes(_ statement: some Statement<Int>, _ sql: String) -> Trial {
    Trial(isWrite: true, run: { try statement.fetchAll($0).sorted() }, sql: sql)
  }

  private static func write(_ random: inout SplitMix, _ card: CardQuery) -> Trial {
    let condition = card.rows.sql("cards")
    switch random.below(9) {
    case 0:
      // Keys of each row are its own.
      let rows = (0..<1 + random.below(3)).map { draft(&random, keys: 20 + 10 * $0..<30 + 10 * $0) }
      return writes(
        Card.insert {
          for row in rows { row.draft }
        }.returning(\.id),
        "INSERT INTO cards VALUES \(rows.map(\.sql).joined(separator: ", ")) RETURNING id")
    case 1:
      let row = draft(&random, keys: 1..<9)
      return writes(
        Card.insert(or: .replace) { row.draft }.returning(\.id),
        "INSERT OR REPLACE INTO cards VALUES \(row.sql) RETURNING id")
    case 2:
      let row = draft(&random, keys: 1..<9)
      return writes(
        Card.insert { row.draft }.onConflictDoNothing().returning(\.id),
        "INSERT INTO cards VALUES \(row.sql) ON CONFLICT DO NOTHING RETURNING id")
    case 3:
      let row = draft(&random, keys: 1..<9)
      return writes(
        Card.upsert { row.draft }.returning(\.id),
        "INSERT INTO cards VALUES \(row.sql) ON CONFLICT (id) DO UPDATE SET "
          + ["title", "isGone", "count", "width", "height", "number", "text", "tags", "ownerID"]
          .map { "\($0) = excluded.\($0)" }.joined(separator: ", ") + " RETURNING id")
    case 4:
      let row = draft(&random, keys: 1..<9)
      return writes(
        Card.insert(or: .ignore) {
          row.draft
          row.draft
        }.returning(\.id), "INSERT OR IGNORE INTO cards VALUES \(row.sql), \(row.sql) RETURNING id")
    case 5:
      return writes(
        card.query.update {
          $0.title = "it's"
          $0.size.width += 1
        }.returning(\.id),
        "UPDATE cards SET title = 'it''s', width = width + 1 \(condition) RETURNING id")
    case 6:
      return writes(
        card.query.update { $0.kind = .text("set") }.returning(\.id),
        "UPDATE cards SET number = NULL, text = 'set' \(condition) RETURNING id")
    case 7:
      let drafts = CardRows(conditions: ["#.width > 0"])
      return writes(
        Card.Draft.where { $0.size.width > 0 }.update { $0.isGone.toggle() }.returning(\.id),
        "UPDATE cards SET isGone = NOT isGone \(drafts.sql("cards")) RETURNING id")
    default:
      return writes(card.query.delete().returning(\.id), "DELETE FROM cards \(condition) RETURNING id")
    }
  }
}
