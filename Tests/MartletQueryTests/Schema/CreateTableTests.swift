/// CREATE TABLE from types: the SQL, and that its constraints hold.
import Foundation
import MartletAST
import MartletQuery
import Testing

@Suite struct CreateTableTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  private func refuses(_ words: String, _ statement: some MartletQuery.Statement) {
    #expect {
      try sample.run(statement)
    } throws: {
      "\($0)".contains(words)
    }
  }

  @Test func `the type says names, types, NULL and the key`() throws {
    let create = Shop.createTable()
    #expect(
      create.sql == """
        CREATE TABLE "shops" (
          "id" TEXT PRIMARY KEY NOT NULL,
          "name" TEXT NOT NULL,
          "openedAt" TEXT
        ) STRICT
        """)
    #expect(create.parameters.isEmpty)
    try sample.run(create)
    let shop = Shop(id: UUID(), name: "Corner", openedAt: Date(timeIntervalSince1970: 1_000_000))
    try sample.run(Shop.insert { shop })
    #expect(try sample.all(Shop.all) == [shop])
    refuses("UNIQUE", Shop.insert { shop })
    refuses("NOT NULL", Shop.insert { Shop.Draft(name: "x") })
    #expect(create.drop().sql == #"DROP TABLE "shops""#)
    try sample.run(create.drop())
    try sample.run(Shop.createTable(temporary: true, ifNotExists: true, strict: false))
    try sample.run(Shop.createTable(temporary: true, ifNotExists: true))
    #expect(Shop.dropTemporaryTable(ifExists: true).sql == #"DROP TABLE IF EXISTS "temp"."shops""#)
    try sample.run(Shop.dropTemporaryTable())
    try sample.run(Shop.dropTable(ifExists: true))
  }

  @Test func `defaults, uniqueness, checks, collations and references are declared`() throws {
    try sample.run(Reminder.dropTable())
    let create = Reminder.createTable(ifNotExists: true) { t in
      t.id.primaryKey(autoincrement: true)
      t.title.default("it's").collate(.nocase).unique(onConflict: .ignore, named: "one title")
      t.isCompleted.default(false)
      t.priority.default(.medium).check { $0.in([.low, .medium, .high]) }
      t.dueDate.default(.currentTimestamp)
      t.position.notNull(onConflict: .replace).default(0).check(named: "positive") { $0 >= 0 }
      t.remindersListID.references(RemindersList.self, onDelete: .cascade, onUpdate: .setNull)
      t.check { $0.position < 1000 || $0.isCompleted }
    }
    #expect(
      create.sql == """
        CREATE TABLE IF NOT EXISTS "reminders" (
          "id" INTEGER PRIMARY KEY AUTOINCREMENT,
          "title" TEXT NOT NULL DEFAULT 'it''s' COLLATE "NOCASE" CONSTRAINT "one title" UNIQUE ON CONFLICT IGNORE,
          "isCompleted" INTEGER NOT NULL DEFAULT 0,
          "priority" INTEGER DEFAULT 2 CHECK (("priority") IN ((1), (2), (3))),
          "dueDate" TEXT DEFAULT CURRENT_TIMESTAMP,
          "position" INTEGER NOT NULL ON CONFLICT REPLACE DEFAULT 0 CONSTRAINT "positive" CHECK (("position") >= (0)),
          "remindersListID" INTEGER NOT NULL REFERENCES "remindersLists"("id") ON DELETE CASCADE ON UPDATE SET NULL,
          CHECK ((("position") < (1000)) OR ("isCompleted"))
        ) STRICT
        """)
    try sample.run(create)
    let insert = Reminder.insert {
      $0.remindersListID
    } values: {
      2
    }
    let rows = try sample.all(insert.returning(\.self))
    #expect(rows.map(\.title) == ["it's"] && rows.map(\.priority) == [.medium] && rows[0].dueDate != nil)
    try sample.run(insert)
    #expect(try sample.all(Reminder.count()) == [1])
    refuses("positive", Reminder.update { $0.position = -1 })
    refuses("CHECK", Reminder.update { $0.position = 1000 })
    refuses("CHECK", Reminder.update { $0.priority = SQLQueryExpression("7") })
    try sample.run(Reminder.update { $0.position = SQLQueryExpression("NULL") })
    refuses("FOREIGN KEY", Reminder.update { $0.remindersListID = 77 })
    try sample.run(RemindersList.unscoped.where { $0.id.eq(2) }.delete())
    #expect(try sample.all(Reminder.count()) == [0])
  }

  @Test func `a key of several columns, generated columns and keys to other tables`() throws {
    try sample.run(Shop.createTable { $0.id.default(.uuid()) })
    let create = Offer.createTable(withoutRowID: true) { t in
      t.total.generated { $0.price * $0.amount.cast(as: Double.self) }
      t.foreignKey(named: "shop", { $0.id.shop }, references: Shop.self, { $0.id }, deferrable: .initiallyDeferred)
      t.unique(onConflict: .replace) { ($0.price.desc(), $0.amount) }
      t.times.updatedAt.check { $0 > Date(timeIntervalSince1970: 0) }
    }
    #expect(
      create.sql == """
        CREATE TABLE "offers" (
          "shop" TEXT NOT NULL,
          "article" INTEGER NOT NULL,
          "price" REAL NOT NULL,
          "amount" INTEGER NOT NULL DEFAULT (1),
          "total" REAL NOT NULL GENERATED ALWAYS AS (("price") * (CAST("amount" AS REAL))) STORED,
          "createdAt" TEXT,
          "updatedAt" TEXT CHECK (("updatedAt") > ('1970-01-01 00:00:00.000')),
          PRIMARY KEY ("shop", "article"),
          CONSTRAINT "shop" FOREIGN KEY ("shop") REFERENCES "shops"("id") DEFERRABLE INITIALLY DEFERRED,
          UNIQUE ("price" DESC, "amount") ON CONFLICT REPLACE
        ) WITHOUT ROWID, STRICT
        """)
    try sample.run(create)
    let keys = try sample.all(Shop.insert { Shop.Draft(name: "Corner") }.returning(\.id))
    try sample.run(Offer.insert { Offer(id: OfferID(shop: keys[0], article: 1), price: 2, amount: 3) })
    #expect(try sample.all(Offer.select(\.total)) == [6])
    refuses("FOREIGN KEY", Offer.insert { Offer(id: OfferID(shop: UUID(), article: 2), price: 1) })
    try sample.run(Offer.insert { Offer(id: OfferID(shop: keys[0], article: 2), price: 2, amount: 3) })
    #expect(try sample.all(Offer.select(\.id.article)) == [2])
    refuses("UNIQUE", Offer.insert { Offer(id: OfferID(shop: keys[0], article: 2), price: 1) })
  }

  @Test func `several columns refer to several, and a key is declared in another order`() throws {
    try sample.run(
      Shop.createTable { t in
        t.primaryKey(named: "key", onConflict: .fail) { ($0.name.collate(.nocase), $0.id.desc()) }
      })
    let self2 = Offer.createTable { t in
      t.total.generated(stored: false) { $0.price }
      t.foreignKey({ ($0.id.shop, $0.id.article) }, references: Offer.self, { ($0.id.shop, $0.id.article) })
    }
    #expect(
      self2.sql.contains(#"FOREIGN KEY ("shop", "article") REFERENCES "offers"("shop", "article")"#))
    #expect(self2.sql.contains(#"GENERATED ALWAYS AS ("price") VIRTUAL"#))
    try sample.run(self2)
    try sample.run(Shop.insert { Shop(id: UUID(), name: "a", openedAt: nil) })
    #expect(
      Shop.createTable { $0.primaryKey(named: "key") { ($0.name.collate(.nocase), $0.id.desc()) } }.sql.contains(
        #"CONSTRAINT "key" PRIMARY KEY ("name" COLLATE "NOCASE", "id" DESC)"#))
  }

  @Test func `a generated column that nothing computes is an error with a sentence`() {
    let create = Offer.createTable()
    #expect("\(create.built.failure.map(\.description) ?? "")".contains("total"))
    #expect(create.sql.hasPrefix("-- "))
  }

  @Test func `a table of a query's rows`() throws {
    let create = Level.createTable(
      as: Reminder.where { $0.id > 1 }.select { Level.Columns(id: $0.id, depth: $0.position) })
    #expect(
      create.sql == """
        CREATE TABLE "levels" AS
        SELECT "reminders"."id" AS "id", "reminders"."position" AS "depth"
        FROM "reminders"
        WHERE (("reminders"."id") > (?1))
        """)
    try sample.run(create)
    #expect(try sample.all(Level.order(by: \.id).select(\.depth)) == [20, 30, 40])
  }

  @Test func `names are quoted whatever they hold`() throws {
    try sample.run(
      Hostile.createTable { t in
        t.select.default(1).unique(named: #"x"; y"#)
        t.quoted.check(named: "'") { $0.neq("no") }
      })
    try sample.run(Hostile.insert { Hostile(select: 5, quoted: "\u{0}'\"") })
    #expect(try sample.all(Hostile.all) == [Hostile(select: 5, quoted: "\u{0}'\"")])
    refuses("CHECK", Hostile.insert { Hostile(select: 6, quoted: "no") })
    try sample.run(Hostile.createIndex(on: { ($0.quoted, $0.select) }))
    try sample.run(Hostile.alterTable.renameColumn(\.quoted, to: "]`"))
    try sample.run(Hostile.alterTable.renameColumn("]`", to: \.quoted))
    try sample.run(Hostile.dropTable())
  }
}
