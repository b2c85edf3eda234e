/// 002 "Common Table Expressions": as the page spells them, with the common table as the closure's argument.
///
/// Always true: a common table has the columns of the table whose rows it holds.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item
private typealias Category = Shop.Category

enum Sales {
  @Table
  nonisolated struct Customer: Identifiable, Hashable {
    let id: Int
    var name = ""
    var email = ""
    var totalSpent = 0.0
  }

  @Table
  nonisolated struct Order: Identifiable, Hashable {
    let id: Int
    var customerID: Customer.ID
    var total = 0.0
    var createdAt: Date
  }

  @Table
  nonisolated struct Supplier: Identifiable, Hashable {
    let id: Int
    var email = ""
  }

  /// The rows of the page's third common table.
  @Selection
  struct First {
    var email: String
    var id: Int?
  }

  static let script = """
    CREATE TABLE "customers" (
      "id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "email" TEXT NOT NULL, "totalSpent" REAL NOT NULL) STRICT;
    CREATE TABLE "orders" (
      "id" INTEGER PRIMARY KEY, "customerID" INTEGER NOT NULL, "total" REAL NOT NULL, "createdAt" TEXT NOT NULL) STRICT;
    CREATE TABLE "suppliers" ("id" INTEGER PRIMARY KEY, "email" TEXT NOT NULL) STRICT;
    INSERT INTO "customers" VALUES (1, 'Ada', 'a@x', 20000), (2, 'Bob', 'b@x', 5), (3, 'Ada 2', 'a@x', 30000);
    INSERT INTO "suppliers" VALUES (1, 'b@x'), (2, 'c@x');
    INSERT INTO "orders" VALUES
      (1, 1, 70, '2026-01-01 00:01:00.000'), (2, 1, 80, '2026-01-01 00:00:10.000'),
      (3, 2, 90, '2026-01-01 00:01:00.000');
    """
}

@Suite struct CommonTableSeedTests {
  private typealias Customer = Sales.Customer
  private typealias Order = Sales.Order

  @Test(arguments: DatabaseHome.allCases)
  func `a common table is queried by its name in the closure`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      // Define a CTE for expensive items
      let expensiveItems = try With {
        Item.where { $0.price > 100 }
      } query: { expensive in
        // Use the CTE in the final query
        expensive
          .order(by: \.price)
          .limit(10)
      }
      .fetchAll(db)
      same(expensiveItems.map(\.id), [Shop.max, Shop.phone])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `two common tables are joined`(home: DatabaseHome) throws {
    let lastMonth = Date(30)
    try home.open(Sales.script).read { db in
      // Multiple CTEs
      let report = try With {
        // CTE 1: High-value customers
        Customer.where { $0.totalSpent > 10000 }
      } with: {
        // CTE 2: Recent orders
        Order.where { $0.createdAt > lastMonth }
      } query: { highValue, recentOrders in
        // Join the CTEs
        highValue
          .join(recentOrders) { $0.id.eq($1.customerID) }
          .select { ($0.name, $1.total) }
      }
      .fetchAll(db)
      same(report, [("Ada", 70)])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a common table of groups finds the first of each`(home: DatabaseHome) throws {
    typealias First = Sales.First
    try home.open(Sales.script).read { db in
      // CTE for deduplication
      let uniqueEmails = try With {
        Customer
          .group(by: \.email)
          .select { First.Columns(email: $0.email, id: $0.id.min()) }
      } query: {
        Customer
          .where { $0.id.in(First.select(\.id)) }
      }
      .fetchAll(db)
      same(uniqueEmails.map(\.name), ["Ada", "Bob"])
    }
  }
}

@Suite struct RecursiveCommonTableSeedTests {
  @Table
  nonisolated struct Comment: Identifiable, Hashable {
    let id: UUID
    var body = ""
    var postID: Int
    var parentID: UUID?
    var createdAt: Date
  }

  /// A row of the page's thread: a comment and how deep it is.
  @Selection
  struct Reply: Hashable {
    var id: UUID
    var body: String
    var createdAt: Date
    var depth: Int
  }

  private static func key(_ number: Int) -> String { UUID(number).uuidString.lowercased() }

  private let tree = """
    CREATE TABLE "categories" (
      "id" TEXT PRIMARY KEY NOT NULL, "name" TEXT NOT NULL, "isActive" INTEGER NOT NULL DEFAULT 1,
        "parentID" TEXT) STRICT;
    INSERT INTO "categories" ("id", "name", "parentID") VALUES
      ('\(key(1))', 'All', NULL), ('\(key(2))', 'Tools', '\(key(1))'), ('\(key(3))', 'Rakes', '\(key(2))'),
      ('\(key(4))', 'Other', NULL);
    CREATE TABLE "comments" (
      "id" TEXT PRIMARY KEY NOT NULL, "body" TEXT NOT NULL, "postID" INTEGER NOT NULL, "parentID" TEXT,
      "createdAt" TEXT NOT NULL) STRICT;
    INSERT INTO "comments" VALUES
      ('\(key(11))', 'root', 1, NULL, '2026-01-01 00:00:01.000'),
      ('\(key(12))', 'second', 1, '\(key(11))', '2026-01-01 00:00:03.000'),
      ('\(key(13))', 'first', 1, '\(key(11))', '2026-01-01 00:00:02.000'),
      ('\(key(14))', 'deep', 1, '\(key(12))', '2026-01-01 00:00:00.000'),
      ('\(key(15))', 'elsewhere', 2, NULL, '2026-01-01 00:00:00.000');
    """

  @Test(arguments: DatabaseHome.allCases)
  func `a tree is walked down`(home: DatabaseHome) throws {
    let rootCategoryId = UUID(1)
    try home.open(tree).read { db in
      // Recursive query to get all descendants
      let allDescendants = try With {
        // Base case: start with root category
        Category.where { $0.id.eq(rootCategoryId) }
      } recursiveUnion: { cte in
        // Recursive case: join children to CTE
        Category.all
          .join(cte) { $0.parentID.eq($1.id) }
          .select { child, _ in child }
      } query: { cte in
        // Final query from the CTE
        cte.order(by: \.name)
      }
      .fetchAll(db)
      same(allDescendants.map(\.name), ["All", "Rakes", "Tools"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a tree is walked up`(home: DatabaseHome) throws {
    let childCategoryId = UUID(3)
    try home.open(tree).read { db in
      // Get all ancestors of a category
      let ancestors = try With {
        Category.where { $0.id.eq(childCategoryId) }
      } recursiveUnion: { cte in
        Category.all
          .join(cte) { $0.id.eq($1.parentID) }
          .select { parent, _ in parent }
      } query: { cte in
        cte
      }
      .fetchAll(db)
      same(ancestors.map(\.name), ["Rakes", "Tools", "All"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a thread knows how deep each comment is`(home: DatabaseHome) throws {
    let postId = 1
    try home.open(tree).read { db in
      // Get comment thread with depth
      let thread = try With {
        Comment
          .where { $0.parentID.is(nil) && $0.postID.eq(postId) }
          .select { Reply.Columns(id: $0.id, body: $0.body, createdAt: $0.createdAt, depth: 0) }  // depth = 0 for root
      } recursiveUnion: { cte in
        Comment.all
          .join(cte) { $0.parentID.eq($1.id) }
          .select { Reply.Columns(id: $0.id, body: $0.body, createdAt: $0.createdAt, depth: $1.depth + 1) }
      } query: { cte in
        cte.order { ($0.depth, $0.createdAt) }
      }
      .fetchAll(db)
      let rows = thread.map { ($0.body, $0.depth) }
      same(rows, [("root", 0), ("first", 1), ("second", 1), ("deep", 2)])
    }
  }
}
