/// 002 "Custom Aggregate Functions": aggregates written in Swift, on embedded databases.
///
/// Always true: a function is registered on every connection, by the configuration.
import Foundation
import Martlet
import Testing

@Suite struct CustomAggregateSeedTests {
  @Table
  nonisolated struct RemindersList: Identifiable {
    let id: Int
    var title = ""
  }

  @Table
  nonisolated struct Reminder: Identifiable {
    let id: Int
    var priority: Priority?
    var remindersListID: RemindersList.ID

    enum Priority: Int, QueryBindable {
      case low = 1
      case medium = 2
      case high = 3
    }
  }

  @Table
  nonisolated struct Product: Identifiable {
    let id: Int
    var categoryID: Int
    var price: Double?
  }

  // Define the function with @DatabaseFunction macro
  @DatabaseFunction
  static func mode(priority priorities: some Sequence<Reminder.Priority?>) -> Reminder.Priority? {
    var occurrences: [Reminder.Priority: Int] = [:]
    for priority in priorities {
      guard let priority else { continue }
      occurrences[priority, default: 0] += 1
    }
    return occurrences.max { $0.value < $1.value }?.key
  }

  @DatabaseFunction
  static func median(values: some Sequence<Double?>) -> Double? {
    let sorted = values.compactMap { $0 }.sorted()
    guard !sorted.isEmpty else { return nil }

    let mid = sorted.count / 2
    if sorted.count.isMultiple(of: 2) {
      return (sorted[mid - 1] + sorted[mid]) / 2
    } else {
      return sorted[mid]
    }
  }

  private static func appDatabase() throws -> any DatabaseWriter {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: $mode)  // Register the $mode function
      db.add(function: $median)
    }

    let database = try DatabaseQueue(configuration: configuration)
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE "remindersLists" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL);
          CREATE TABLE "reminders" ("id" INTEGER PRIMARY KEY, "priority" INTEGER, "remindersListID" INTEGER NOT NULL);
          CREATE TABLE "products" ("id" INTEGER PRIMARY KEY, "categoryID" INTEGER NOT NULL, "price" REAL);
          INSERT INTO "remindersLists" VALUES (1, 'Home'), (2, 'Work'), (3, 'Empty');
          INSERT INTO "reminders" ("priority", "remindersListID") VALUES
            (3, 1), (NULL, 1), (3, 1), (1, 1), (2, 2), (NULL, 2), (NULL, 2);
          INSERT INTO "products" ("categoryID", "price") VALUES (1, 3), (1, 1), (1, 2), (2, 10), (2, 20), (3, NULL);
          """)
    }
    return database
  }

  @Test static func `the most common value of a group`() throws {
    try appDatabase().read { db in
      // Find the most common priority per reminders list
      let results =
        try RemindersList
        .group(by: \.id)
        .leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
        .select { ($0.title, $mode(priority: $1.priority)) }
        .fetchAll(db)
      same(results, [("Home", .high), ("Work", .medium), ("Empty", nil)])
    }
  }

  @Test static func `the median of a group`() throws {
    try appDatabase().read { db in
      let medianPrices =
        try Product
        .group(by: \.categoryID)
        .select { ($0.categoryID, $median(values: $0.price)) }
        .fetchAll(db)
      same(medianPrices, [(1, 2), (2, 15), (3, nil)])
    }
  }

  @Test static func `the raw query that the function replaces gives the same`() throws {
    try appDatabase().read { db in
      let raw = try #sql(
        """
        SELECT
          remindersLists.title,
          (
            SELECT reminders.priority
            FROM reminders
            WHERE reminders.remindersListID = remindersLists.id
              AND reminders.priority IS NOT NULL
            GROUP BY reminders.priority
            ORDER BY count(*) DESC
            LIMIT 1
          )
        FROM remindersLists
        """, as: (String, Reminder.Priority?).self
      ).fetchAll(db)
      same(raw, [("Home", .high), ("Work", .medium), ("Empty", nil)])
    }
  }
}
