/// 002 "String Functions" and "Null Handling".
///
/// Always true: the rows are those of `Shop`, in the order of their positions.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item

@Suite struct StringFunctionTests {
  @Test(arguments: DatabaseHome.allCases)
  func `texts change case and lose their spaces`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      let upper = try Item.order(by: \.position)
        .select { $0.title.upper() }
        .fetchAll(db)
      same(upper, ["IPHONE PRO", "IPHONE MAX", "RAKE", " OLD BOX "])
      let lower =
        try Item
        .select { $0.title.lower() }
        .fetchAll(db)
      same(lower.sorted(), [" old box ", "iphone max", "iphone pro", "rake"])
      let trimmed =
        try Item
        .select { $0.title.trim() }  // Both sides
        .fetchAll(db)
      #expect(trimmed.contains("old box"))
      let leftTrimmed =
        try Item
        .select { $0.title.ltrim() }  // Left only
        .fetchAll(db)
      #expect(leftTrimmed.contains("old box "))
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `texts are cut, replaced and measured`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      // SQLite counts from 1, so a length of 3 from 0 gives two characters.
      let firstThree = try Item.where { $0.title.eq("Rake") }
        .select { $0.title.substr(0, 3) }  // Start index, length
        .fetchAll(db)
      same(firstThree, ["Ra"])
      let cleaned =
        try Item
        .select { $0.title.replace("old", "new") }
        .fetchAll(db)
      #expect(cleaned.contains(" new box "))
      let lengths = try Item.order(by: \.position)
        .select { ($0.title, $0.title.length()) }
        .fetchAll(db)
      same(lengths, [("iPhone Pro", 10), ("iPhone Max", 10), ("Rake", 4), (" old box ", 9)])
      let positions =
        try Item
        .where { $0.notes.instr("search") > 0 }
        .fetchAll(db)
      same(Set(positions.map(\.id)), [Shop.max, Shop.rake])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `patterns match`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      let matches =
        try Item
        .where { $0.title.like("%phone%") }  // SQL LIKE
        .fetchAll(db)
      same(Set(matches.map(\.id)), [Shop.phone, Shop.max])
      let prefixed =
        try Item
        .where { $0.title.hasPrefix("iPhone") }  // Starts with
        .fetchAll(db)
      same(prefixed.count, 2)
      let suffixed =
        try Item
        .where { $0.title.hasSuffix("Pro") }  // Ends with
        .fetchAll(db)
      same(suffixed.map(\.id), [Shop.phone])
      let containing =
        try Item
        .where { $0.title.contains("Max") }  // Contains
        .fetchAll(db)
      same(containing.map(\.id), [Shop.max])
      let caseInsensitive =
        try Item
        .where { $0.title.collate(.nocase).eq("IPHONE PRO") }
        .fetchAll(db)
      same(caseInsensitive.map(\.id), [Shop.phone])
    }
  }
}

@Suite struct NullHandlingTests {
  @Table
  nonisolated struct User: Identifiable {
    let id: Int
    var nickname: String?
    var firstName: String?
  }

  @Table
  nonisolated struct Reminder: Identifiable {
    let id: Int
    var dueDate: Date?
  }

  private let script = """
    CREATE TABLE "users" ("id" INTEGER PRIMARY KEY, "nickname" TEXT, "firstName" TEXT);
    INSERT INTO "users" VALUES (1, 'Bob', 'Robert'), (2, NULL, 'Ann'), (3, NULL, NULL);
    CREATE TABLE "reminders" ("id" INTEGER PRIMARY KEY, "dueDate" TEXT);
    INSERT INTO "reminders" VALUES (1, '2026-01-01 00:00:00.000'), (2, NULL);
    """

  @Test(arguments: DatabaseHome.allCases)
  func `the first value that is there counts`(home: DatabaseHome) throws {
    let database = try home.open(Shop.script + script)
    try database.read { db in
      let displayName =
        try User
        .select { $0.nickname ?? $0.firstName ?? "Anonymous" }
        .fetchAll(db)
      same(displayName, ["Bob", "Ann", "Anonymous"])
      let safePrice = try Item.order(by: \.position)
        .select { $0.discountPrice.ifnull($0.price) }
        .fetchAll(db)
      same(safePrice, [1000, 900, 10, 5])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `nulls are asked for and sorted`(home: DatabaseHome) throws {
    let database = try home.open(Shop.script + script)
    try database.read { db in
      let withDueDate =
        try Reminder
        .where { $0.dueDate.isNot(nil) }
        .fetchAll(db)
      same(withDueDate.map(\.id), [1])
      let noDueDate =
        try Reminder
        .where { $0.dueDate.is(nil) }
        .fetchAll(db)
      same(noDueDate.map(\.id), [2])
      let sorted =
        try Item
        .order { $0.priority.desc(nulls: .last) }  // Nulls at end
        .fetchAll(db)
      same(sorted.map(\.priority), [3, 2, 1, nil])
    }
  }
}
