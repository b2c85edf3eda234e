/// 002 "RETURNING Clause": the rows that a write made, changed or took away.
///
/// Always true: the write runs once, in the statement that returns its rows.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item

@Suite struct ReturningTests {
  @Test(arguments: DatabaseHome.allCases)
  func `an insert gives the key that was made`(home: DatabaseHome) throws {
    try home.open(Shop.script).write { db in
      // Insert and get the auto-generated UUID
      let newId = try Item.insert {
        Item.Draft(title: "New Item")
      }
      .returning(\.id)
      .fetchOne(db)
      same(try Item.find(db, key: #require(newId)).title, "New Item")

      // Insert and get the full inserted record
      let newItem = try Item.insert {
        Item.Draft(title: "New Item")
      }
      .returning(Item.self)
      .fetchOne(db)
      same(newItem?.title, "New Item")
      same(newItem?.isInStock, true)
      let other = try Item.insert { Item.Draft(title: "Other") }.returning(\.self).fetchOne(db)
      same(other?.title, "Other")
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an update gives the new values`(home: DatabaseHome) throws {
    let id = Shop.phone
    try home.open(Shop.script).write { db in
      // Update and return the new values
      let updatedTitles =
        try Item
        .where { $0.isInStock }
        .update { $0.title = "Updated: " + $0.title }
        .returning(\.title)
        .fetchAll(db)
      same(Set(updatedTitles), ["Updated: iPhone Pro", "Updated: Rake", "Updated:  old box "])

      // Return multiple columns
      let updates = try Item.find(id)
        .update { $0.count += 1 }
        .returning { ($0.id, $0.count) }
        .fetchOne(db)
      same(updates?.0, id)
      same(updates?.1, 6)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a delete gives what is gone`(home: DatabaseHome) throws {
    try home.open(Shop.script).write { db in
      // Capture records before deletion
      let deleted =
        try Item
        .where { $0.isArchived }
        .delete()
        .returning(Item.self)
        .fetchAll(db)
      same(deleted.map(\.title), [" old box "])
      same(try Item.fetchCount(db), 3)
    }
  }
}
