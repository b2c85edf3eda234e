/// The statements of `docs/COMPATIBILITY.md` in the spelling of its rows, with the rows that they give or write.
import Foundation
import Martlet
import Testing

extension Spelling.Item {
  static let open = Self.where(\.isOpen)
  static let cheap = Self.where { $0.price < 20 }
}

extension Where<Spelling.Item> {
  fileprivate func titled(_ text: String) -> Self { self.where { $0.title.contains(text) } }
}

extension Updates<Spelling.Item> {
  fileprivate mutating func close() { self.isOpen = false }
}

extension Spelling {
  /// A table whose default scope leaves rows out.
  @Table("items") struct OpenItem {
    let id: Int
    var isOpen = false

    static let all = Self.where { $0.isOpen }
  }

  /// The columns of a table, as SQLite tells them.
  @Table struct ColumnInfo {
    let cid: Int
    let name: String

    static var tableFragment: QueryFragment { "pragma_table_info('items')" }
  }

  /// What an update's operators do to a number.
  @Table struct Tally {
    let id: Int
    var amount = 0
    var isOdd = false
    var text = ""
  }
}

@Suite struct QuerySpellingTests {
  typealias Item = Spelling.Item

  private enum Sort: CaseIterable { case title, price, none }

  @Test(arguments: DatabaseHome.allCases)
  func `scopes and clauses in their spelling`(_ home: DatabaseHome) throws {
    let onlyOpen = true
    try home.open(Spelling.script).read { db in
      func ids(_ query: some Statement<Int>) throws -> [Int] { try query.fetchAll(db) }
      let chosen = Item.where {
        if onlyOpen { $0.isOpen }
        for word in ["Milk", "100"] { $0.title.contains(word) }
      }
      same(try ids(chosen.select(\.id)), [1])
      same(try ids(Item.open.cheap.titled("Milk").select(\.id)), [1])
      same(try ids((Item.open + Item.cheap).select(\.id)), [1])
      same(try ids(Item.open.and(Item.cheap).select(\.id)), [1])
      same(try ids(Item.open.or(Item.cheap).order(by: \.id).select(\.id)), [1, 2])
      same(try ids((!Item.open && Item.cheap || Item.none).select(\.id)), [2])
      same(try Item.selectStar().fetchAll(db).count, 2)
      same(try ids(Item.select(\.price).distinct().distinct(false).order(by: \.id)), [10, 3])
      same(try ids(Item.group(by: \.id).having(\.isOpen).select(\.id)), [1])
      same(try ids(Item.group { ($0.id, $0.isOpen) }.having { $0.count() > 0 }.order(by: \.id).select(\.id)), [1, 2])
      for (sort, expected) in zip(Sort.allCases, [[1, 2], [2, 1], [2, 1]]) {
        let sorted = Item.order {
          switch sort {
          case .title: $0.title
          case .price: $0.price.asc()
          case .none: $0.id.desc()
          }
          if onlyOpen { $0.id }
        }
        same(try ids(sorted.select(\.id)), expected)
      }
      same(try ids(Item.order(by: \.id).limit { _ in #bind(1) }.select(\.id)), [1])
      same(try ids(Item.order(by: \.id).limit(10, offset: 1).select(\.id)), [2])
      same(try ids(Item.order(by: \.id).offset(1).select(\.id)), [2])
      same(try ids(Item.find([1, 2]).where { !$0.isOpen }.select(\.id)), [2])
      same(try ids(Item.where(\.isOpen).find(1).select(\.id)), [1])
      same(try ids(Item.select(\.id).find(2)), [2])
      same(try Item.Draft.find(1).fetchOne(db)?.title, "Milk 100%")
      same(try Item.count(filter: { $0.isOpen }).fetchOne(db), 1)
      same(try ids(Item.select(\.id).union(all: true, Item.select(\.id)).except(Item.find(1).select(\.id))), [2])
      same(try ids(Item.select(\.id).intersect(Values(2))), [2])
      same(try ids(Spelling.OpenItem.all.select(\.id)), [1])
      same(try Spelling.OpenItem.unscoped.fetchCount(db), 2)
      same(try Spelling.ColumnInfo.order(by: \.cid).select(\.name).limit(2).fetchAll(db), ["id", "title"])
      same(try Item.where(\.isOpen).as(Spelling.Other.self).select(\.title).fetchAll(db), ["Milk 100%"])
      let each = Item.join { $0.tags.jsonEach().as(Spelling.Other.self) }.select { $1.value }
      same(try each.fetchAll(db), ["swift", "sql"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `raw SQL binds, quotes and names`(_ home: DatabaseHome) throws {
    let (title, limit, column) = ("Milk 100%", 1, "price")
    let date = Date(timeIntervalSince1970: 981_173_106)
    try home.open(Spelling.script).read { db in
      let raw = #sql(
        """
        SELECT \(quote: column) FROM \(Item.self)
        WHERE \(Item.columns.title) = \(bind: title) LIMIT \(raw: limit)
        """, as: Int.self)
      same(try raw.fetchAll(db), [10])
      let seen = Item.where { $0.seenAt.eq(#bind(date, as: Date.UnixTimeRepresentation.self)) }
      same(try seen.select(\.id).fetchAll(db), [1])
      same(try Item.where { $0.note.is(#bind(nil)) }.select(\.id).fetchAll(db), [2])
      let expression = SQLQueryExpression("\(Item.columns.price) * 2", as: Int.self)
      same(try Item.find(1).select { _ in expression }.fetchAll(db), [20])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows are inserted, or what is there is changed`(_ home: DatabaseHome) throws {
    typealias Tally = Spelling.Tally
    let database = try home.open(
      """
      CREATE TABLE "tallies" ("id" INTEGER PRIMARY KEY, "amount" INTEGER NOT NULL DEFAULT 7, "isOdd" INTEGER NOT NULL
      DEFAULT 0, "text" TEXT NOT NULL DEFAULT '') STRICT
      """)
    try database.write { db in
      try Seeds {
        Tally(id: 1, amount: 1)
        Tally.Draft(amount: 2)
      }
      .execute(db)
      try db.seed { Tally(id: 3, amount: 3) }
      try Tally.insert().execute(db)
      same(try Tally.order(by: \.id).select(\.amount).fetchAll(db), [1, 2, 3, 7])
      try Tally.insert {
        ($0.id, $0.amount)
      } select: {
        Tally.where { $0.id > 3 }.select { ($0.id + 1, $0.amount + 1) }
      }
      .execute(db)
      try Tally.insert {
        Tally(id: 1, amount: 10)
      } onConflictDoUpdate: { row, excluded in
        row.amount += excluded.amount
      } where: { row, excluded in
        row.amount < excluded.amount
      }
      .execute(db)
      try Tally.insert {
        Tally(id: 2, amount: 0)
      } onConflictDoUpdate: { _ in
      }
      .execute(db)
      try Tally.insert {
        Tally(id: 3, amount: 30)
      }
      .onConflict {
        $0.id
      } doUpdate: {
        $0.amount = $1.amount
      }
      .execute(db)
      try Tally.insert(or: .replace) { Tally(id: 4, amount: 40) }.execute(db)
      try Tally.upsert { Tally.Draft(id: 5, amount: 50) }.execute(db)
      same(try Tally.order(by: \.id).select(\.amount).fetchAll(db), [11, 2, 30, 40, 50])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows are changed and deleted in every order of the clauses`(_ home: DatabaseHome) throws {
    typealias Tally = Spelling.Tally
    let database = try home.open(
      """
      CREATE TABLE "tallies" ("id" INTEGER PRIMARY KEY, "amount" INTEGER NOT NULL, "isOdd" INTEGER NOT NULL, "text" TEXT
      NOT NULL) STRICT;
      INSERT INTO "tallies" VALUES (1, 6, 0, 'a'), (2, 2, 0, 'b'), (3, 3, 1, 'c'), (4, 4, 0, 'd')
      """)
    try database.write { db in
      func amount(of id: Int) throws -> Int? { try Tally.find(id).select(\.amount).fetchOne(db) }
      let changes: [(@Sendable (inout Updates<Tally>) -> Void, Int)] = [
        ({ $0.amount += 1 }, 7), ({ $0.amount -= 1 }, 6), ({ $0.amount *= 4 }, 24), ({ $0.amount /= 2 }, 12),
        ({ $0.amount &= 10 }, 8), ({ $0.amount |= 3 }, 11), ({ $0.amount <<= 2 }, 44), ({ $0.amount >>= 1 }, 22),
        ({ $0.amount.negate() }, -22), ({ $0.amount = Tally.find(2).select(\.amount) }, 2),
      ]
      for (change, expected) in changes {
        try Tally.find(1).update(set: change).execute(db)
        same(try amount(of: 1), expected)
      }
      try Tally.update { $0.isOdd.toggle() }.where { $0.id.eq(1) }.execute(db)
      try Tally.update {
        $0.text.append("!")
        $0.text += "?"
      }
      .find(1).execute(db)
      same(try Tally.find(1).fetchOne(db)?.text, "a!?")
      try Tally.update(Tally(id: 2, amount: 20, isOdd: true, text: "B")).execute(db)
      try Tally.update(or: .ignore) { $0.id = 1 }.where { $0.id.eq(2) }.execute(db)
      same(try amount(of: 2), 20)
      same(try Tally.where(\.isOdd).delete().where { $0.id.eq(3) }.returning(\.self).fetchAll(db).map(\.text), ["c"])
      same(try Tally.delete().find(4).returning { ($0.id, $0.amount) }.fetchAll(db).map(\.0), [4])
      try Tally.delete(Tally(id: 2)).execute(db)
      same(try Tally.select(\.id).fetchAll(db), [1])
    }
  }
}
