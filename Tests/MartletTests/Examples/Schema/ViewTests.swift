/// 002 "Database Views", "Updatable Views with INSTEAD OF Triggers" and "Database Triggers".
///
/// Always true: what is temporary is made by a `write` on an embedded database and declared in `prepareDatabase` for
/// one on a server.
import Foundation
import Martlet
import Testing

enum Planner {
  @Table
  nonisolated struct RemindersList: Identifiable, Hashable {
    let id: UUID
    var title = ""
  }

  @Table
  nonisolated struct Reminder: Identifiable, Hashable {
    let id: UUID
    var title = ""
    var isCompleted = false
    var isFlagged = false
    var isScheduled = false
    var isToday = false
    var position = 0
    var dueDate: Date?
    var remindersListID: RemindersList.ID
  }

  // Define a custom result shape for a join query
  @Selection
  struct ReminderRow: Identifiable, Hashable {
    var id: Reminder.ID { reminder.id }
    let reminder: Reminder
    let remindersList: RemindersList
    let isPastDue: Bool
    let tags: String
  }

  @Selection
  struct Stats: Hashable {
    var allCount = 0
    var flaggedCount = 0
    var scheduledCount = 0
    var todayCount = 0
  }

  // Define the view type with BOTH macros
  @Table @Selection
  struct ReminderWithList: Hashable {
    let reminderTitle: String
    let remindersListTitle: String
  }

  static let script = """
    CREATE TABLE "remindersLists" ("id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()), "title" TEXT NOT NULL) STRICT;
    CREATE TABLE "reminders" (
      "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()), "title" TEXT NOT NULL DEFAULT '',
      "isCompleted" INTEGER NOT NULL DEFAULT 0, "isFlagged" INTEGER NOT NULL DEFAULT 0,
      "isScheduled" INTEGER NOT NULL DEFAULT 0, "isToday" INTEGER NOT NULL DEFAULT 0,
      "position" INTEGER NOT NULL DEFAULT 0, "dueDate" TEXT, "remindersListID" TEXT NOT NULL) STRICT;
    INSERT INTO "remindersLists" VALUES ('\(key(1))', 'Business'), ('\(key(2))', 'Home');
    INSERT INTO "reminders" ("id", "title", "isCompleted", "isFlagged", "isToday", "position", "dueDate",
      "remindersListID") VALUES
      ('\(key(11))', 'Call', 0, 1, 1, 0, '2020-01-01 00:00:00.000', '\(key(1))'),
      ('\(key(12))', 'Cook', 1, 1, 0, 1, '2020-01-01 00:00:00.000', '\(key(2))'),
      ('\(key(13))', 'Air', 0, 0, 1, 2, NULL, '\(key(2))');
    """

  private static func key(_ number: Int) -> String { UUID(number).uuidString.lowercased() }
}

nonisolated extension Planner.Reminder.TableColumns {
  var isPastDue: some QueryExpression<Bool> {
    @Dependency(\.date.now) var now
    return !isCompleted && #sql("coalesce(date(\(dueDate)) < date(\(now)), 0)")
  }
}

@Suite struct ViewSeedTests {
  private typealias Reminder = Planner.Reminder
  private typealias RemindersList = Planner.RemindersList
  private typealias ReminderWithList = Planner.ReminderWithList
  private typealias Stats = Planner.Stats

  private static let view = ReminderWithList.createTemporaryView(
    as:
      Reminder
      .join(RemindersList.all) { $0.remindersListID.eq($1.id) }
      .select {
        ReminderWithList.Columns(
          reminderTitle: $0.title,
          remindersListTitle: $1.title
        )
      }
  )

  @Test(arguments: DatabaseHome.allCases)
  func `a selection is the shape of a join`(home: DatabaseHome) throws {
    try home.open(Planner.script).read { db in
      let reminders =
        try Reminder
        .join(RemindersList.all) { $0.remindersListID.eq($1.id) }
        .order { reminder, _ in reminder.position }
        .select {
          Planner.ReminderRow.Columns(
            reminder: $0,
            remindersList: $1,
            isPastDue: $0.isPastDue,
            tags: ""  // computed elsewhere
          )
        }
        .fetchAll(db)
      same(reminders.map(\.reminder.title), ["Call", "Cook", "Air"])
      same(reminders.map(\.remindersList.title), ["Business", "Home", "Home"])
      same(reminders.map(\.isPastDue), [true, false, false])
      // Use in queries
      let overdue = try Reminder.where { $0.isPastDue }.fetchAll(db)
      same(overdue.map(\.title), ["Call"])
      try withDependencies {
        $0.date.now = Date(timeIntervalSince1970: 0)
      } operation: {
        same(try Reminder.where { $0.isPastDue }.fetchAll(db).count, 0)
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `one query gives all counts`(home: DatabaseHome) throws {
    try home.open(Planner.script).read { db in
      // Single query returns all stats
      let stats =
        try Reminder.select {
          Stats.Columns(
            allCount: $0.count(filter: !$0.isCompleted),
            flaggedCount: $0.count(filter: $0.isFlagged && !$0.isCompleted),
            scheduledCount: $0.count(filter: $0.isScheduled),
            todayCount: $0.count(filter: $0.isToday)
          )
        }
        .fetchOne(db)
      same(stats, Stats(allCount: 2, flaggedCount: 1, scheduledCount: 0, todayCount: 2))
    }
  }

  @Test func `the view's SQL is the page's`() {
    same(
      Self.view.sql,
      """
      CREATE TEMPORARY VIEW
      "reminderWithLists"
      ("reminderTitle", "remindersListTitle")
      AS
      SELECT "reminders"."title" AS "reminderTitle", "remindersLists"."title" AS "remindersListTitle"
      FROM "reminders"
      JOIN "remindersLists" ON ("reminders"."remindersListID") = ("remindersLists"."id")
      """)
    same(
      ReminderWithList
        .order { ($0.remindersListTitle, $0.reminderTitle) }
        .limit(10).description,
      """
      SELECT "reminderWithLists"."reminderTitle", "reminderWithLists"."remindersListTitle"
      FROM "reminderWithLists"
      ORDER BY "reminderWithLists"."remindersListTitle", "reminderWithLists"."reminderTitle"
      LIMIT 10
      """)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a temporary view hides a join`(home: DatabaseHome) throws {
    let database = try home.open(Planner.script) { db in try Self.view.execute(db) }
    try database.read { db in
      // The join complexity is encapsulated in the view
      let results =
        try ReminderWithList
        .order { ($0.remindersListTitle, $0.reminderTitle) }
        .limit(10)
        .fetchAll(db)
      same(results.map(\.reminderTitle), ["Call", "Air", "Cook"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a trigger instead of an insert makes a view writable`(home: DatabaseHome) throws {
    let database = try home.open(Planner.script) { db in
      try Self.view.execute(db)
      try ReminderWithList.createTemporaryTrigger(
        insteadOf: .insert { new in
          // Reroute insert to actual tables
          Reminder.insert {
            ($0.title, $0.remindersListID)
          } values: {
            (
              new.reminderTitle,
              // Find existing list by title
              RemindersList
                .select(\.id)
                .where { $0.title.eq(new.remindersListTitle) }
            )
          }
        }
      )
      .execute(db)
    }
    try database.write { db in
      // Now you can insert into the view!
      try ReminderWithList.insert {
        ReminderWithList(
          reminderTitle: "Morning sync",
          remindersListTitle: "Business"  // Must match existing list
        )
      }
      .execute(db)
      let lists = try Reminder.where { $0.title.eq("Morning sync") }.select(\.remindersListID).fetchAll(db)
      same(lists, [UUID(1)])
      same(try ReminderWithList.where { $0.remindersListTitle.eq("Business") }.fetchCount(db), 2)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a view for good is made by a migration`(home: DatabaseHome) throws {
    let database = try home.open(Planner.script)
    var migrator = DatabaseMigrator()
    // For permanent views, use raw SQL in migrations
    migrator.registerMigration("Create view") { db in
      try #sql(
        """
        CREATE VIEW "reminderWithLists" AS
        SELECT r.title as reminderTitle, l.title as remindersListTitle
        FROM reminders r
        JOIN remindersLists l ON r.remindersListID = l.id
        """
      )
      .execute(db)
    }
    try migrator.migrate(database)
    try database.read { db in same(try ReminderWithList.fetchCount(db), 3) }
  }
}

@Suite struct TriggerSeedTests {
  private typealias Reminder = Planner.Reminder

  @Test(arguments: DatabaseHome.allCases)
  func `a trigger numbers the rows that are inserted`(home: DatabaseHome) throws {
    let database = try home.open(Planner.script) { db in
      try Reminder.createTemporaryTrigger(
        after: .insert { new in
          Reminder
            .find(new.id)
            .update {
              $0.position = Reminder.select { ($0.position.max() ?? -1) + 1 }
            }
        }
      )
      .execute(db)
    }
    try database.write { db in
      for title in ["a", "b"] {
        try Reminder.insert { Reminder.Draft(title: title, remindersListID: UUID(1)) }.execute(db)
      }
      let positions = try Reminder.where { $0.title.in(["a", "b"]) }.order(by: \.title).select(\.position).fetchAll(db)
      same(positions, [3, 4])
    }
  }
}
