/// 002 "Case Expressions" and "Custom Update Logic".
///
/// Always true: a CASE with an `else` has a value in every row.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item

enum Tasks {
  enum Priority: Int, QueryBindable {
    case low = 1
    case medium = 2
    case high = 3
  }

  enum Status: Int, QueryBindable {
    case incomplete = 0
    case completing = 1
    case completed = 2
  }

  @Table
  nonisolated struct Reminder: Identifiable, Hashable {
    let id: UUID
    var priority: Priority?
    var status: Status = .incomplete
  }

  static let script = """
    CREATE TABLE "reminders" (
      "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()), "priority" INTEGER, "status" INTEGER NOT NULL DEFAULT 0) STRICT;
    """
}

extension Updates<Tasks.Reminder> {
  mutating func toggleStatus() {
    self.status = Case(self.status)
      .when(#bind(.incomplete), then: #bind(.completing))
      .else(#bind(.incomplete))
  }
}

@Suite struct CaseTests {
  private typealias Reminder = Tasks.Reminder

  @Table
  nonisolated struct Order: Identifiable {
    let id: Int
    var createdAt: Date?
    var paidAt: Date?
    var shippedAt: Date?
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a simple case maps values`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      // Simple case — map values
      let labels = try Item.order(by: \.position)
        .select {
          Case($0.priority)
            .when(1, then: "Low")
            .when(2, then: "Medium")
            .when(3, then: "High")
            .else("Unknown")
        }
        .fetchAll(db)
      same(labels, ["High", "Low", "Unknown", "Medium"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a searched case tries conditions`(home: DatabaseHome) throws {
    let script = """
      CREATE TABLE "orders" ("id" INTEGER PRIMARY KEY, "createdAt" TEXT, "paidAt" TEXT, "shippedAt" TEXT);
      INSERT INTO "orders" VALUES
        (1, '2026-01-01', '2026-01-02', '2026-01-03'), (2, '2026-01-01', '2026-01-02', NULL),
        (3, '2026-01-01', NULL, NULL), (4, NULL, NULL, NULL);
      """
    try home.open(script).read { db in
      // Searched case — boolean conditions
      let status =
        try Order
        .select {
          Case()
            .when($0.shippedAt.isNot(nil), then: "Shipped")
            .when($0.paidAt.isNot(nil), then: "Paid")
            .when($0.createdAt.isNot(nil), then: "Pending")
            .else("Unknown")
        }
        .fetchAll(db)
      same(status, ["Shipped", "Paid", "Pending", "Unknown"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a case toggles in an update`(home: DatabaseHome) throws {
    let id = UUID(1)
    try home.open(Tasks.script).write { db in
      try Reminder.insert { Reminder(id: id) }.execute(db)
      for expected in [Tasks.Status.completing, .completed, .incomplete] {
        // Case in updates (toggle pattern)
        try Reminder.find(id).update {
          $0.status = Case($0.status)
            .when(.incomplete, then: .completing)
            .when(.completing, then: .completed)
            .else(.incomplete)
        }
        .execute(db)
        same(try Reminder.find(db, key: id).status, expected)
      }
      // 001 has the values bound.
      try Reminder.find(id).update {
        $0.status = Case($0.status)
          .when(#bind(.incomplete), then: #bind(.completing))
          .when(#bind(.completing), then: #bind(.completed))
          .else(#bind(.incomplete))
      }
      .execute(db)
      same(try Reminder.find(db, key: id).status, .completing)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a case is a computed column`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      // Case for computed columns
      let itemsWithTier = try Item.order(by: \.position)
        .select {
          (
            $0.title,
            Case()
              .when($0.price < 10, then: "Budget")
              .when($0.price < 100, then: "Standard")
              .else("Premium")
          )
        }
        .fetchAll(db)
      same(
        itemsWithTier,
        [("iPhone Pro", "Premium"), ("iPhone Max", "Premium"), ("Rake", "Standard"), (" old box ", "Budget")])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an update has a method of its own`(home: DatabaseHome) throws {
    let reminder = Reminder(id: UUID(7))
    try home.open(Tasks.script).write { db in
      try Reminder.insert { reminder }.execute(db)
      try Reminder.find(reminder.id).update { $0.toggleStatus() }.execute(db)
      same(try Reminder.find(db, key: reminder.id).status, .completing)
      try Reminder.find(reminder.id).update { $0.toggleStatus() }.execute(db)
      same(try Reminder.find(db, key: reminder.id).status, .incomplete)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `enums are columns by their raw values`(home: DatabaseHome) throws {
    try home.open(Tasks.script).write { db in
      try Reminder.insert {
        Reminder(id: UUID(1), priority: .high, status: .completed)
        Reminder(id: UUID(2))
      }
      .execute(db)
      same(try Reminder.where { $0.priority.eq(#bind(.high)) }.fetchAll(db).map(\.status), [.completed])
      same(try Reminder.where { $0.status.eq(.incomplete) }.fetchAll(db).map(\.priority), [nil])
      let stored = try #sql("SELECT \"priority\" FROM \"reminders\" ORDER BY \"id\"", as: Int?.self).fetchAll(db)
      same(stored, [3, nil])
    }
  }
}
