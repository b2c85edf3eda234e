/// Statements that several clauses make together give the rows of the SQL that a person would write for them.
import Foundation
import Martlet
import Testing

private enum Trade {
  @Table struct Customer: Equatable {
    let id: Int
    var name = ""
    var address: Address?
    var referrerID: Int?
    var isGone = false

    static let all = unscoped.where { !$0.isGone }
  }

  @Selection struct Address: Equatable {
    var street: String
    var city: String?
  }

  @Table struct Order: Equatable {
    let id: Int
    var customerID: Int
    @Column(as: Date.UnixTimeRepresentation.self) var at: Date
  }

  @Table struct Line: Equatable {
    let id: Int
    var orderID: Int
    var note: String?
    var amount = 0
  }

  @Selection struct Basket: Equatable {
    let customer: Customer
    let order: Order?
    let line: Line?
  }

  @Selection struct Level {
    let id: Int
    let depth: Int
  }

  enum Referrer: AliasName {}

  static let script = """
    CREATE TABLE "customers" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "street" TEXT, "city" TEXT,
    "referrerID" INTEGER, "isGone" INTEGER NOT NULL DEFAULT 0);
    INSERT INTO "customers" VALUES (1, 'Ann', 'A', NULL, NULL, 0), (2, 'Bob', NULL, NULL, 1, 0),
    (3, 'Cyd', 'C', 'X', 2, 0), (4, 'Dan', NULL, NULL, 1, 1), (5, 'Eve', 'E', 'X', 4, 0);
    CREATE TABLE "orders" ("id" INTEGER PRIMARY KEY, "customerID" INTEGER NOT NULL, "at" INTEGER NOT NULL);
    INSERT INTO "orders" VALUES (1, 1, 10), (2, 1, 20), (3, 3, 30), (4, 4, 40);
    CREATE TABLE "lines" ("id" INTEGER PRIMARY KEY, "orderID" INTEGER NOT NULL, "note" TEXT, "amount" INTEGER NOT NULL);
    INSERT INTO "lines" VALUES (1, 1, NULL, 5), (2, 1, 'n', 7), (3, 3, NULL, 0), (4, 4, 'x', 9);
    """
}

@Suite struct PortedShopTests {
  private typealias Customer = Trade.Customer
  private typealias Order = Trade.Order
  private typealias Line = Trade.Line
  private typealias Level = Trade.Level

  /// A statement, and the SQL of a person.
  private typealias Trial = (any Statement<Int>, String)

  private static let shown = "c.isGone = 0"

  private static var compounds: [Trial] {
    let last = Customer.order { $0.id.desc() }.limit(2).select(\.id)
    let first = Customer.order(by: \.id).limit(1).select(\.id)
    let lastRows = "SELECT * FROM (SELECT id FROM customers c WHERE \(shown) ORDER BY id DESC LIMIT 2)"
    let firstRow = "SELECT * FROM (SELECT id FROM customers c WHERE \(shown) ORDER BY id LIMIT 1)"
    return [
      (last.union(first), "\(lastRows) UNION \(firstRow)"),
      (last.except(first), "\(lastRows) EXCEPT \(firstRow)"),
      (last.intersect(Customer.unscoped.select(\.id)), "\(lastRows) INTERSECT SELECT id FROM customers"),
      (last.count(), "SELECT count(*) FROM (\(lastRows))"),
      (
        Customer.select { $0.address.city.count(distinct: true) },
        "SELECT count(DISTINCT city) FROM customers c WHERE \(shown)"
      ),
    ]
  }

  private static var baskets: [Trial] {
    let baskets = Customer.leftJoin(Order.all) { $0.id.eq($1.customerID) }.leftJoin(Line.all) { $1.id.eq($2.orderID) }
    let joined = "customers c LEFT JOIN orders o ON c.id = o.customerID LEFT JOIN lines l ON o.id = l.orderID"
    return [
      (
        baskets.select { customer, _, _ in customer.id }.distinct().count(),
        "SELECT count(*) FROM (SELECT DISTINCT c.id FROM \(joined) WHERE \(shown))"
      ),
      (baskets.count(), "SELECT count(*) FROM \(joined) WHERE \(shown)"),
      (
        baskets.where { $2.note.is(nil) }.order { ($0.id, $1.id, $2.id) }.select { customer, _, _ in customer.id },
        "SELECT c.id FROM \(joined) WHERE \(shown) AND l.note IS NULL ORDER BY c.id, o.id, l.id"
      ),
      (
        baskets.group { customer, _, _ in customer.id }.having { $2.amount.sum() > 0 }.select { _, order, _ in
          order.id.count()
        },
        "SELECT count(o.id) FROM \(joined) WHERE \(shown) GROUP BY c.id HAVING sum(l.amount) > 0"
      ),
      (
        baskets.order { ($0.id, $1.id, $2.id) }.select { c, o, l in
          rowNumber().over(.partition(by: c.id).order(by: l.amount))
        },
        """
        SELECT row_number() OVER (PARTITION BY c.id ORDER BY l.amount) FROM \(joined) WHERE \(shown)
        ORDER BY c.id, o.id, l.id
        """
      ),
    ]
  }

  private static var referrers: [Trial] {
    let referred = Customer.leftJoin(Customer.as(Trade.Referrer.self).unscoped) { $0.referrerID.eq($1.id) }
    return [
      (
        // The side that the join may leave out has no scope here.
        referred.where { $1.id.is(nil) || ($1.isGone ?? false) }.order { customer, _ in customer.id }
          .select { customer, _ in customer.id },
        """
        SELECT c.id FROM customers c LEFT JOIN customers r ON c.referrerID = r.id
        WHERE \(shown) AND (r.id IS NULL OR r.isGone) ORDER BY c.id
        """
      ),
      (
        // With its scope, a referrer that is gone is left out, and who was referred stays.
        Customer.leftJoin(Customer.as(Trade.Referrer.self).all) { $0.referrerID.eq($1.id) }
          .order { customer, _ in customer.id }.select { $0.id * 10 + ($1.id ?? 0) },
        """
        SELECT c.id * 10 + ifnull(r.id, 0) FROM customers c LEFT JOIN (SELECT * FROM customers WHERE isGone = 0) r
        ON c.referrerID = r.id WHERE \(shown) ORDER BY c.id
        """
      ),
      (
        Customer.where { $0.address.is(nil) }.order(by: \.id).select(\.id),
        "SELECT id FROM customers c WHERE \(shown) AND street IS NULL AND city IS NULL ORDER BY id"
      ),
      (
        Order.where { $0.at > Date(timeIntervalSince1970: 10) && $0.customerID.in(Customer.select(\.id)) }
          .order { $0.at.desc() }.select(\.id),
        """
        SELECT id FROM orders WHERE at > 10 AND customerID IN (SELECT id FROM customers c WHERE \(shown))
        ORDER BY at DESC
        """
      ),
      (
        With {
          Customer.where { $0.referrerID.is(nil) }.select { Level.Columns(id: $0.id, depth: 0) }.union(
            all: true,
            Customer.join(Level.all) { $0.referrerID.eq($1.id) }.select {
              Level.Columns(id: $0.id, depth: $1.depth + 1)
            })
        } query: {
          Level.order { ($0.depth.desc(), $0.id) }.select { $0.id * 10 + $0.depth }
        },
        """
        WITH RECURSIVE levels(id, depth) AS (SELECT id, 0 FROM customers c WHERE \(shown) AND referrerID IS NULL
        UNION ALL SELECT c.id, levels.depth + 1 FROM customers c JOIN levels ON c.referrerID = levels.id WHERE \(shown))
        SELECT id * 10 + depth FROM levels ORDER BY depth DESC, id
        """
      ),
    ]
  }

  @Test(arguments: DatabaseHome.allCases)
  func `clauses together choose the rows of the SQL of a person`(_ home: DatabaseHome) throws {
    try home.open(Trade.script).read { db in
      for (statement, sql) in Self.compounds + Self.baskets + Self.referrers {
        let found = try statement.fetchAll(db)
        let expected = try Int.fetchAll(db, sql: sql)
        #expect(!expected.isEmpty, "\(sql)")
        #expect(found.elementsEqual(expected), "\(found), not \(expected): \(statement)")
        same(try statement.fetchOne(db), expected.first)
      }
      same(try Customer.order { $0.id.desc() }.limit(2).select(\.id).fetchCount(db), 2)
      same(try Customer.order(by: \.id).limit(3, offset: 1).fetchOne(db)?.id, 2)
      same(try Customer.limit(0).fetchOne(db)?.id, nil)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `sides that joins leave out are nil as whole rows, and others are not`(_ home: DatabaseHome) throws {
    let query = Customer.leftJoin(Order.all) { $0.id.eq($1.customerID) }.leftJoin(Line.all) { $1.id.eq($2.orderID) }
      .order { ($0.id, $1.id, $2.id) }.select { Trade.Basket.Columns(customer: $0, order: $1, line: $2) }
    try home.open(Trade.script).read { db in
      let found = try query.fetchAll(db)
      same(found.map(\.customer.id), [1, 1, 1, 2, 3, 5])
      same(found.map { $0.order?.id }, [1, 1, 2, nil, 3, nil])
      same(found.map { $0.line?.id }, [1, 2, nil, nil, 3, nil])
      same(found.map { $0.customer.address?.street }, ["A", "A", "A", nil, "C", "E"])
      same(found[0].customer.address, Trade.Address(street: "A", city: nil))
      same(found[4].order?.at, Date(timeIntervalSince1970: 30))
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an optional group is written, replaced and taken away as a whole`(_ home: DatabaseHome) throws {
    try home.open(Trade.script).write { db in
      func addresses() throws -> [String] {
        try String.fetchAll(
          db, sql: "SELECT id || coalesce(street, '-') || coalesce(city, '-') FROM customers ORDER BY id")
      }
      try Customer.find(1).update { $0.address = nil }.execute(db)
      try Customer.find(2).update { $0.address = Trade.Address(street: "B", city: "Y") }.execute(db)
      // The default scope hides this one.
      try Customer.find(4).update { $0.address = Trade.Address(street: "D", city: nil) }.execute(db)
      same(try addresses(), ["1--", "2BY", "3CX", "4--", "5EX"])
      try Customer.insert {
        Customer(id: 3, name: "C2", address: nil)
        Customer(id: 5, name: "E2", address: Trade.Address(street: "F", city: nil))
      } onConflictDoUpdate: {
        $0.address = $1.address
      } where: { row, _ in
        row.referrerID.eq(2) || row.referrerID.eq(4)
      }.execute(db)
      same(try addresses(), ["1--", "2BY", "3--", "4--", "5F-"])
      same(try String.fetchAll(db, sql: "SELECT name FROM customers WHERE id IN (3, 5)"), ["Cyd", "Eve"])
      let deleted = try Customer.where { $0.address.is(nil) }.delete().returning(\.id).fetchAll(db)
      same(deleted.sorted(), [1, 3])
      same(try Int.fetchAll(db, sql: "SELECT id FROM customers ORDER BY id"), [2, 4, 5])
    }
  }
}
