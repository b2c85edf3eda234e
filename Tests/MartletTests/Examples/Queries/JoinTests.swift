/// 002 "Joins" and "Self-Joins with TableAlias".
///
/// Always true: the optional side of a join is optional in Swift.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item
private typealias Category = Shop.Category

enum Tagged {
  @Table
  nonisolated struct Reminder: Identifiable, Hashable {
    let id: Int
    var title = ""
  }

  @Table("remindersTags")
  nonisolated struct ReminderTag: Hashable {
    let reminderID: Reminder.ID
    let tagID: Tag.ID
  }

  @Table
  nonisolated struct Tag: Hashable, Identifiable {
    @Column(primaryKey: true) var title: String
    var id: String { title }
  }

  static let script = """
    CREATE TABLE "reminders" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL);
    CREATE TABLE "remindersTags" ("reminderID" INTEGER NOT NULL, "tagID" TEXT NOT NULL);
    CREATE TABLE "tags" ("title" TEXT PRIMARY KEY NOT NULL);
    INSERT INTO "reminders" VALUES (1, 'Milk'), (2, 'Run');
    INSERT INTO "tags" VALUES ('shop'), ('food');
    INSERT INTO "remindersTags" VALUES (1, 'shop'), (1, 'food');
    """
}

extension Tagged.Reminder {
  static let withTags = group(by: \.id)
    .leftJoin(Tagged.ReminderTag.all) { $0.id.eq($1.reminderID) }
    .leftJoin(Tagged.Tag.all) { $1.tagID.eq($2.primaryKey) }
}

@Suite struct JoinTests {
  @Test(arguments: DatabaseHome.allCases)
  func `a joined query is a static property`(home: DatabaseHome) throws {
    try home.open(Tagged.script).read { db in
      let counts = try Tagged.Reminder.withTags.select { ($0.title, $2.count()) }.fetchAll(db)
      same(counts.sorted { $0.0 < $1.0 }, [("Milk", 2), ("Run", 0)])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an inner join has the rows that match`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      let itemsWithCategories =
        try Item
        .join(Category.all) { $0.categoryID.eq($1.id) }
        .fetchAll(db)
      same(Set(itemsWithCategories.map { $0.0.id }), [Shop.phone, Shop.max, Shop.rake])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `outer joins have optional sides`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      let itemsWithOptionalCategory =
        try Item
        .leftJoin(Category.all) { $0.categoryID.eq($1.id) }
        .select { ($0, $1) }  // (Item, Category?)
        .fetchAll(db)
      let names = itemsWithOptionalCategory.map { (item: Item, category: Category?) in (item.title, category?.name) }
      same(
        names.sorted { $0.0 < $1.0 },
        [(" old box ", nil), ("Rake", "Garden"), ("iPhone Max", "Electronics"), ("iPhone Pro", "Electronics")])

      let categoriesWithItems =
        try Item
        .rightJoin(Category.all) { $0.categoryID.eq($1.id) }
        .select { ($0, $1) }  // (Item?, Category)
        .fetchAll(db)
      let empty = categoriesWithItems.filter { (item: Item?, _: Category) in item == nil }
      same(empty.map(\.1.name), ["Empty"])
      same(categoriesWithItems.count, 4)

      let allCombined =
        try Item
        .fullJoin(Category.all) { $0.categoryID.eq($1.id) }
        .select { ($0, $1) }  // (Item?, Category?)
        .fetchAll(db)
      same(allCombined.count, 5)
      same(allCombined.filter { $0.0 == nil || $0.1 == nil }.count, 2)
    }
  }
}

@Suite struct SelfJoinTests {
  @Table
  nonisolated struct Employee: Identifiable, Hashable {
    let id: Int
    var name = ""
    var managerID: Int?
  }

  // Define an alias for the second reference
  struct ManagerAlias: TableAlias {
    typealias Table = Employee
  }

  private let script = """
    CREATE TABLE "employees" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "managerID" INTEGER);
    INSERT INTO "employees" VALUES (1, 'Ada', NULL), (2, 'Bob', 1), (3, 'Cy', 1);
    """

  @Test(arguments: DatabaseHome.allCases)
  func `a table is joined with itself`(home: DatabaseHome) throws {
    try home.open(script).read { db in
      // Employee with their manager's name
      let employeesWithManagers =
        try Employee
        .leftJoin(Employee.all.as(ManagerAlias.self)) { $0.managerID.eq($1.id) }
        .select {
          (
            $0.name,
            $1.name  // From aliased table
          )
        }
        .fetchAll(db)
      same(employeesWithManagers.sorted { $0.0 < $1.0 }, [("Ada", nil), ("Bob", "Ada"), ("Cy", "Ada")])

      // Find employees who manage others
      let managers =
        try Employee
        .join(Employee.all.as(ManagerAlias.self)) { $0.id.eq($1.managerID) }
        .select { employee, _ in employee }
        .distinct()
        .fetchAll(db)
      same(managers.map(\.name), ["Ada"])
    }
  }
}
