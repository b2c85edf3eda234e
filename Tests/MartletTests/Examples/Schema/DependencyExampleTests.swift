/// 003 "Register in Dependencies": the program's database, prepared once and looked up where it is needed.
///
/// Always true: the key and the property are the page's. The library declares a `defaultDatabase` too, which the page's
/// own hides in its module.
import Foundation
import Martlet
import Testing

extension DependencyValues {
  fileprivate var defaultDatabase: any DatabaseWriter {
    get { self[DefaultDatabaseKey.self] }
    set { self[DefaultDatabaseKey.self] = newValue }
  }
}

private enum DefaultDatabaseKey: DependencyKey {
  static let liveValue: any DatabaseWriter = {
    try! DependencyExampleTests.appDatabase()  // because the page has it so
  }()
}

@Suite struct DependencyExampleTests {
  @Table
  nonisolated struct Item: Identifiable {
    let id: UUID  // The key is the property called id
    var title = ""
    var isInStock = true
    var notes = ""
  }

  fileprivate static func appDatabase() throws -> any DatabaseWriter {
    let configuration = Configuration()
    let database = try DatabaseQueue(configuration: configuration)

    var migrator = DatabaseMigrator()

    // Register migrations
    migrator.registerMigration("v1") { db in
      try #sql(
        """
        CREATE TABLE "items" (
            "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()),
            "title" TEXT NOT NULL DEFAULT '',
            "isInStock" INTEGER NOT NULL DEFAULT 1,
            "notes" TEXT NOT NULL DEFAULT ''
        ) STRICT
        """
      )
      .execute(db)
    }

    try migrator.migrate(database)
    return database
  }

  private func addItem() throws -> Int {
    @Dependency(\.defaultDatabase) var database
    return try database.write { db in
      try Item.insert { Item.Draft(title: "New") }.execute(db)
      return try Item.fetchCount(db)
    }
  }

  @Test func `the database is looked up`() throws {
    prepareDependencies {
      $0.defaultDatabase = try! Self.appDatabase()  // because the page has it so
    }
    same(try addItem(), 1)
    same(try addItem(), 2)
    let other = try Self.appDatabase()
    try withDependencies {
      $0.defaultDatabase = other
    } operation: {
      same(try addItem(), 1)
    }
  }
}
