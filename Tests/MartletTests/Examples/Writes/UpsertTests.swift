/// 003 "Upsert (Insert or Update)", 001 "Batch Upsert Performance".
///
/// Always true: the row that was there keeps its key; what becomes of its other columns is the example's.
import Foundation
import Martlet
import Testing

private typealias Item = Library.Item

@Suite struct UpsertSeedTests {
  private let first = Item(id: UUID(1), name: "Old", notes: "kept", remoteID: "r", updatedAt: Date(10))
  private let item = Item(id: UUID(2), name: "New", notes: nil, remoteID: "r", updatedAt: Date(20))

  private func open(_ home: DatabaseHome, index: String = Library.uniqueIndex) throws -> any DatabaseWriter {
    let database = try home.open(Library.script + index)
    try database.write { db in try Item.insert { first }.execute(db) }
    return database
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a conflict updates the row that is there`(home: DatabaseHome) throws {
    try open(home).write { db in
      try Item.insert {
        item
      } onConflict: { cols in
        (cols.libraryID, cols.remoteID)  // Conflict target columns
      } doUpdate: { row, excluded in
        row.name = excluded.name  // Merge semantics
        row.notes = excluded.notes
      }
      .execute(db)
      let rows = try Item.fetchAll(db)
      same(rows.map(\.id), [UUID(1)])
      same(rows.map(\.name), ["New"])
      same(rows.map(\.notes), [nil])
      same(rows.map(\.updatedAt), [Date(10)])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a partial index is met by a filter`(home: DatabaseHome) throws {
    let statement = Item.insert {
      item
    } onConflict: { cols in
      (cols.libraryID, cols.remoteID)
    } where: { cols in
      cols.remoteID.isNot(nil)  // Match partial index condition
    } doUpdate: { row, excluded in
      row.name = excluded.name
    }
    try open(home, index: Library.partialIndex).write { db in
      try statement.execute(db)
      same(try Item.fetchAll(db).map(\.name), ["New"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `all mutable fields are replaced`(home: DatabaseHome) throws {
    try open(home).write { db in
      try Item.insert {
        item
      } onConflict: {
        ($0.libraryID, $0.remoteID)
      } doUpdate: { row, excluded in
        row.name = excluded.name
        row.notes = excluded.notes
        row.updatedAt = excluded.updatedAt
      }
      .execute(db)
      let mirrored = Item(id: UUID(1), name: "New", notes: nil, remoteID: "r", updatedAt: Date(20))
      same(try Item.fetchAll(db), [mirrored])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a null does not overwrite`(home: DatabaseHome) throws {
    try open(home).write { db in
      try Item.insert {
        item
      } onConflict: {
        ($0.libraryID, $0.remoteID)
      } doUpdate: { row, excluded in
        row.name = excluded.name.ifnull(row.name)
        row.notes = excluded.notes.ifnull(row.notes)
      }
      .execute(db)
      let rows = try Item.fetchAll(db)
      same(rows.map(\.name), ["New"])
      same(rows.map(\.notes), ["kept"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the newest wins, in raw SQL and in the builder`(home: DatabaseHome) throws {
    let item = Item(id: UUID(1), name: "Newer", remoteID: "r", updatedAt: Date(30))
    let older = Item(id: UUID(1), name: "Older", remoteID: "r", updatedAt: Date(5))
    try open(home).write { db in
      for item in [item, older] {
        try db.execute(
          sql: """
            INSERT INTO items (id, name, libraryID, updatedAt) VALUES (?, ?, 1, ?)
            ON CONFLICT(id) DO UPDATE SET
              name = excluded.name, updatedAt = excluded.updatedAt
            WHERE excluded.updatedAt >= items.updatedAt
            """, arguments: [item.id, item.name, item.updatedAt])
      }
      same(try Item.fetchAll(db).map(\.name), ["Newer"])
      for (name, seconds) in [("Newest", 40.0), ("Late", 39)] {
        try Item.insert {
          Item(id: UUID(1), name: name, remoteID: "r", updatedAt: Date(seconds))
        } onConflict: {
          $0.id
        } doUpdate: { row, excluded in
          row.name = excluded.name
          row.updatedAt = excluded.updatedAt
        } where: { row, excluded in
          excluded.updatedAt >= row.updatedAt
        }
        .execute(db)
      }
      same(try Item.fetchAll(db).map(\.name), ["Newest"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `without a unique index there is no conflict to name`(home: DatabaseHome) throws {
    let database = try open(home, index: "")
    #expect(throws: (any Error).self) {
      try database.write { db in
        try Item.insert {
          item
        } onConflict: {
          ($0.libraryID, $0.remoteID)
        } doUpdate: { row, excluded in
          row.name = excluded.name
        }
        .execute(db)
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `many rows are upserted in one statement`(home: DatabaseHome) throws {
    func batchUpsert(_ items: [Library.Item], in db: Database) throws {
      try Library.Item.insert {
        items
      } onConflict: {
        ($0.libraryID, $0.remoteID)
      } doUpdate: { row, excluded in
        row.name = excluded.name
        row.updatedAt = excluded.updatedAt
      } where: { row, excluded in
        excluded.updatedAt >= row.updatedAt
      }
      .execute(db)
    }
    func items(_ name: String, _ seconds: Double) -> [Library.Item] {
      (0..<500).map { Item(id: UUID(), name: name, remoteID: "\($0)", updatedAt: Date(seconds + Double($0))) }
    }
    try open(home).write { db in
      try batchUpsert(items("first", 0), in: db)
      // Rows of the second batch are newer, those of the third older than what is there.
      try batchUpsert(items("second", 1), in: db)
      try batchUpsert(items("third", -1), in: db)
      same(try Item.fetchCount(db), 501)
      same(try Item.where { $0.name.eq("second") }.fetchCount(db), 500)
    }
  }
}
