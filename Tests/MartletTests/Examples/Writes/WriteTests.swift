/// 003 "Quick Reference", "Insert / Update / Delete", "Batch Operations" and "Transaction Safety"; 001 "Transaction
/// Context for Batch Operations".
///
/// Always true: the rows are those of `Shop`, with the keys that the page calls `id` and `ids`.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item

@Suite struct WriteSeedTests {
  @Test(arguments: DatabaseHome.allCases)
  func `rows are inserted from drafts`(home: DatabaseHome) throws {
    let database = try home.open(Shop.script)
    try database.write { db in
      try Item.insert { Item.Draft(title: "New Item", isInStock: true) }
        .execute(db)
    }
    let newId = try database.write { db in
      try Item.insert { Item.Draft(title: "New Item") }
        .returning(\.id)
        .fetchOne(db)
    }
    #expect(newId != nil)
    same(try database.read { db in try Item.where { $0.title.eq("New Item") }.fetchCount(db) }, 2)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows are updated, one and many`(home: DatabaseHome) throws {
    let itemId = Shop.rake
    let database = try home.open(Shop.script)
    try database.write { db in
      try Item.find(itemId)
        .update { $0.title = "Updated Title" }
        .execute(db)
    }
    try database.write { db in
      try Item.where(\.isArchived)
        .update { $0.isDeleted = true }
        .execute(db)
    }
    try database.write { db in try Item.where(\.isInStock).update { $0.notes = "" }.execute(db) }
    try database.read { db in
      same(try Item.find(db, key: itemId).title, "Updated Title")
      same(try Item.where(\.isDeleted).fetchAll(db).map(\.id), [Shop.box])
      same(try Item.where { $0.notes.neq("") }.fetchAll(db).map(\.id), [Shop.max])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an update may be narrowed behind its closure`(home: DatabaseHome) throws {
    let id = Shop.rake
    try home.open(Shop.script).write { db in
      // The page calls this order wrong; it is legal.
      try Item.update { $0.title = "X" }.where { $0.id.eq(id) }.execute(db)
      same(try Item.where { $0.title.eq("X") }.fetchAll(db).map(\.id), [id])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows are deleted, one and many`(home: DatabaseHome) throws {
    let id = Shop.rake
    let ids = [Shop.phone, Shop.box]
    let cutoffDate = Date(150)
    let database = try home.open(Shop.script)
    try database.write { db in
      try Item.find(id).delete().execute(db)
      same(try Item.fetchCount(db), 3)
      try Item.where { $0.id.in(ids) }.delete().execute(db)  // bulk
      same(try Item.fetchAll(db).map(\.id), [Shop.max])
      try Item.where { $0.createdAt < cutoffDate }
        .delete()
        .execute(db)
      same(try Item.fetchCount(db), 0)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a batch is inserted column by column`(home: DatabaseHome) throws {
    let items = [Item.Draft(title: "a", isInStock: false), Item.Draft(title: "b")]
    let database = try home.open(Shop.script)
    try database.write { db in
      try Item.insert {
        ($0.title, $0.isInStock)
      } values: {
        items.map { ($0.title, $0.isInStock) }
      }
      .execute(db)
      try Item.insert {
        ($0.title, $0.isInStock)
      } values: {
        for item in items { (item.title, item.isInStock) }
      }
      .execute(db)
      same(try Item.where { $0.title.eq("a") && !$0.isInStock }.fetchCount(db), 2)
      same(try Item.where { $0.title.eq("b") && $0.isInStock }.fetchCount(db), 2)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a write is one transaction`(home: DatabaseHome) throws {
    struct Trouble: Error {}
    let items = [Item.Draft(title: "a"), Item.Draft(title: "b")]
    let database = try home.open(Shop.script)
    try database.write { db in
      // All operations share one transaction
      for item in items {
        try Item.insert { Item.Draft(title: item.title) }.execute(db)
      }
    }
    #expect(throws: Trouble.self) {
      try database.write { db in
        // These all succeed or all fail together
        try Item.insert { Item.Draft(title: "c") }.execute(db)
        try Item.find(Shop.rake).update { $0.title = "z" }.execute(db)
        try Shop.Tag.find(UUID(31)).delete().execute(db)
        throw Trouble()
      }
    }
    try database.read { db in
      same(
        try Item.where { $0.title.in(["a", "b", "c"]) }.order(by: \.title).select(\.title).fetchAll(db),
        ["a", "b"])
      same(try Item.find(db, key: Shop.rake).title, "Rake")
      same(try Shop.Tag.fetchCount(db), 3)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a write may be awaited from outside`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    // The page calls this wrong; only awaiting inside of the closure is.
    try await database.write { db in
      try Item.insert { Item.Draft(title: "d") }.execute(db)
    }
    let count = try await database.read { db in try Item.where { $0.title.eq("d") }.fetchCount(db) }
    same(count, 1)
  }
}
