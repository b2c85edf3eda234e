/// 002 "Column Groups" and "Passing Rows to Database Functions": columns that several tables have, as one value.
///
/// Always true: the database knows nothing of groups; their columns are columns of the table.
import Foundation
import Martlet
import Testing

enum Grouped {
  // Define a reusable column group
  @Selection
  struct Timestamps: Hashable {
    let createdAt: Date
    let updatedAt: Date?
  }

  // Use in multiple tables
  @Table
  nonisolated struct RemindersList: Identifiable, Hashable {
    let id: UUID
    var title = ""
    let timestamps: Timestamps  // Embedded column group
  }

  @Table
  nonisolated struct Reminder: Identifiable, Hashable {
    let id: UUID
    var title = ""
    var isCompleted = false
    var dueDate: Date?
    var remindersListID: RemindersList.ID
    let timestamps: Timestamps  // Same group, reused
  }

  @Selection
  struct Row: Hashable {
    let reminderTitle: String
    let listTitle: String
    let timestamps: Timestamps  // Nested group
  }
}

// The page compares an optional date with `<`, which Swift refuses.
@DatabaseFunction
func isPastDue(reminder: Grouped.Reminder) -> Bool {
  !reminder.isCompleted && reminder.dueDate ?? .distantFuture < Date()
}

@Suite struct ColumnGroupTests {
  private typealias Reminder = Grouped.Reminder
  private typealias RemindersList = Grouped.RemindersList
  private typealias Timestamps = Grouped.Timestamps
  private typealias Row = Grouped.Row

  /// The page's table, and the one of the reminders.
  private let script = """
    CREATE TABLE "remindersLists" (
        "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()),
        "title" TEXT NOT NULL DEFAULT '',
        "createdAt" TEXT NOT NULL,
        "updatedAt" TEXT
    ) STRICT;
    CREATE TABLE "reminders" (
        "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()),
        "title" TEXT NOT NULL DEFAULT '',
        "isCompleted" INTEGER NOT NULL DEFAULT 0,
        "dueDate" TEXT,
        "remindersListID" TEXT NOT NULL,
        "createdAt" TEXT NOT NULL,
        "updatedAt" TEXT
    ) STRICT;
    """

  private let lists = [
    RemindersList(id: UUID(1), title: "Old", timestamps: Timestamps(createdAt: Date(10), updatedAt: Date(20))),
    RemindersList(id: UUID(2), title: "New", timestamps: Timestamps(createdAt: Date(30), updatedAt: nil)),
  ]
  private let reminders = [
    Reminder(
      id: UUID(3), title: "Late", dueDate: Date(-1_000_000_000), remindersListID: UUID(1),
      timestamps: Timestamps(createdAt: Date(11), updatedAt: nil)),
    Reminder(
      id: UUID(4), title: "Done", isCompleted: true, dueDate: Date(0), remindersListID: UUID(2),
      timestamps: Timestamps(createdAt: Date(12), updatedAt: Date(13))),
  ]

  private func open(_ home: DatabaseHome, _ configuration: Configuration = Configuration()) throws -> any DatabaseWriter
  {
    let database = try home.open(script, configuration: configuration)
    try database.write { db in
      try RemindersList.insert { lists }.execute(db)
      try Reminder.insert { reminders }.execute(db)
    }
    return database
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a group's fields are columns of the table`(home: DatabaseHome) throws {
    let cutoffDate = Date(15)
    try open(home).read { db in
      let old =
        try RemindersList
        .where { $0.timestamps.createdAt <= cutoffDate }
        .fetchAll(db)
      same(old, [lists[0]])
      same(try RemindersList.order(by: \.id).fetchAll(db), lists)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a whole group is compared as a row value`(home: DatabaseHome) throws {
    let date1 = Date(10)
    let date2 = Date(25)
    let query =
      RemindersList
      .where {
        $0.timestamps <= Timestamps(createdAt: date1, updatedAt: date2)
      }
    #expect(query.sql.contains("(\"remindersLists\".\"createdAt\", \"remindersLists\".\"updatedAt\")"))
    try open(home).read { db in same(try query.fetchAll(db), [lists[0]]) }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a group nests in a selection`(home: DatabaseHome) throws {
    try open(home).read { db in
      let results =
        try Reminder
        .join(RemindersList.all) { $0.remindersListID.eq($1.id) }
        .select {
          Row.Columns(
            reminderTitle: $0.title,
            listTitle: $1.title,
            timestamps: $0.timestamps  // Pass entire group
          )
        }
        .fetchAll(db)
      same(
        Set(results),
        [
          Row(reminderTitle: "Late", listTitle: "Old", timestamps: reminders[0].timestamps),
          Row(reminderTitle: "Done", listTitle: "New", timestamps: reminders[1].timestamps),
        ])
    }
  }

  @Test func `a row is passed to a Swift function`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.add(function: $isPastDue) }
    try open(.embedded, configuration).read { db in
      let pastDue =
        try Reminder
        .where { $isPastDue(reminder: $0) }
        .fetchAll(db)
      same(pastDue, [reminders[0]])
    }
  }
}
