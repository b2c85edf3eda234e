/// `martlet check` says so where it does not tell everything that is wrong.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletCommand

struct CheckCommandTests {
  let shop: ServedShop

  init() throws { shop = try ServedShop() }

  /// What a check finds in a file that SQLite makes with these statements and that the server has as its own.
  private func check(_ name: String, _ statements: [String], _ options: [String] = []) throws -> Martlet.Outcome {
    let file = try LocalFile(scratch: shop.folder.path + "/data/\(name).sqlite")
    for sql in statements { try file.execute(sql: sql) }
    try file.commit()
    return try Martlet.run(["check", shop.server.url(database: name)] + options)
  }

  private func views(_ count: Int) -> [String] {
    (1...count).map { "CREATE VIEW v\($0) AS SELECT missing FROM t" }
  }

  @Test func `views and triggers that are not looked at after a hundred faults are told`() throws {
    let triggers = ["INSERT", "UPDATE"].map { "CREATE TRIGGER of_\($0) AFTER \($0) ON t BEGIN SELECT missing; END" }
    let rest = "definitions: 100 do not compile, and the views and triggers behind them were not looked at"
    let many = try check("many", ["CREATE TABLE t(a)"] + views(103) + triggers)
    #expect(many.status == 2 && many.lines.count { $0.contains(" does not compile: ") } == 100, "\(many)")
    #expect(many.lines.contains(rest), "\(many)")
    let behind = try check("behind", ["CREATE TABLE t(a)"] + views(99) + triggers)
    #expect(behind.lines.contains { $0.hasPrefix("The trigger of_") } && behind.lines.contains(rest), "\(behind)")
    let all = try check("all", ["CREATE TABLE t(a)"] + views(99) + triggers.prefix(1))
    #expect(all.lines.count { $0.contains(" does not compile: ") } == 100, "\(all)")
    #expect(!all.output.contains("not looked at"), "\(all)")
  }

  @Test func `the tables that are counted are the database's own`() throws {
    #expect(try check("one", ["CREATE TABLE t(a)"]).lines.first == "1 table is in order.")
    #expect(try check("two", ["CREATE TABLE t(a)", "CREATE TABLE u(a)"]).lines.first == "2 tables are in order.")
  }

  @Test func `a schema with more views than are looked at is told`() throws {
    let crowd = try check(
      "crowd",
      [
        "CREATE TABLE t(a)", "PRAGMA writable_schema=ON",
        """
        INSERT INTO sqlite_schema WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
        SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' AS SELECT a FROM t' FROM n
        """,
      ])
    #expect(crowd.status == 0, "\(crowd)")
    #expect(crowd.lines.contains("Note: of the views and triggers the first 10000 were looked at."), "\(crowd)")
  }

  @Test func `more than a hundred rows that point nowhere, or faults of a table, are told`() throws {
    func orphans(_ count: Int) -> [String] {
      [
        "CREATE TABLE p(id INTEGER PRIMARY KEY)", "CREATE TABLE c(p REFERENCES p)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) INSERT INTO c SELECT i FROM n",
      ]
    }
    let rest = "foreign_keys of c: there are more such rows; the first 100 are shown"
    let many = try check("orphans", orphans(101))
    #expect(many.lines.count { $0.hasPrefix("foreign_keys of c: row ") } == 100 && many.lines.contains(rest), "\(many)")
    let hundred = try check("hundred", orphans(100))
    #expect(hundred.lines.count { $0.hasPrefix("foreign_keys of c: row ") } == 100, "\(hundred)")
    #expect(!hundred.output.contains("there are more"), "\(hundred)")

    let faulty = [
      "CREATE TABLE t(a)", "PRAGMA writable_schema=ON",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120) INSERT INTO t SELECT NULL FROM n",
      "UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a NOT NULL)'",
    ]
    for (name, object, options) in [("t", "integrity of t", []), ("whole", "integrity", ["--whole"])] {
      let found = try check(name, faulty, options)
      #expect(found.lines.contains("\(object): NULL value in t.a (100 times)"), "\(found)")
      #expect(found.lines.contains("\(object): there may be more; SQLite tells the first 100"), "\(found)")
    }
    let unchecked = try check(
      "unchecked",
      ["PRAGMA ignore_check_constraints=ON", "CREATE TABLE t(a CHECK (a > 1))", "INSERT INTO t VALUES (1)"])
    #expect(unchecked.status == 2, "\(unchecked)")
    #expect(unchecked.lines.contains("integrity of t: CHECK constraint failed in t"), "\(unchecked)")
    let pragma = ["sql", shop.server.url(database: "unchecked"), "PRAGMA integrity_check", "--format", "list"]
    #expect(try Martlet.run(pragma).lines == ["ok"], "a client's statement does not see them")
  }

  @Test func `rows that break CHECK constraints are told, and a report that is cut says so`() throws {
    func broken(_ count: Int) -> [String] {
      let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
      return [
        "PRAGMA ignore_check_constraints=ON", "CREATE TABLE t(a CHECK (a > 0), b AS (a + 1) CHECK (b < 9))",
        "\(numbers) INSERT INTO t SELECT -i FROM n", "INSERT INTO t VALUES (NULL), (5), (9)",
      ]
    }
    for (name, object, options) in [("table", "integrity of t", []), ("whole", "integrity", ["--whole"])] {
      let fault = "\(object): CHECK constraint failed in t"
      let rest = "\(object): there may be more; SQLite tells the first 100"
      let few = try check("few_\(name)", broken(2), options)
      #expect(few.status == 2 && few.lines.contains("\(fault) (3 times)") && !few.lines.contains(rest), "\(few)")
      let many = try check("many_\(name)", broken(5_000), options)
      #expect(many.status == 2 && many.lines.contains("\(fault) (100 times)") && many.lines.contains(rest), "\(many)")
    }
  }

  @Test func `what a definition keeps from being looked at is told, and the rest is looked at all the same`() throws {
    let made = [
      "PRAGMA ignore_check_constraints=ON", "CREATE TABLE a(x, y)", "CREATE TABLE b(x CHECK (x > 1))",
      "CREATE TABLE g(x)", "CREATE TABLE j(x CHECK (json_extract(x, '$.n') > 1))",
      "CREATE TRIGGER r AFTER INSERT ON a BEGIN SELECT 1; END", "INSERT INTO a VALUES (1, NULL)",
      "INSERT INTO b VALUES (1)", "INSERT INTO g VALUES (1)", "INSERT INTO j VALUES ('no JSON')",
      "PRAGMA writable_schema=ON",
      "UPDATE sqlite_schema SET sql = 'CREATE TABLE a(x CHECK (mine(x)), y NOT NULL)' WHERE name = 'a'",
      "UPDATE sqlite_schema SET sql = 'CREATE TABLE g(x, y AS (mine(x)) NOT NULL)' WHERE name = 'g'",
    ]
    let without = "CHECK constraints could not be looked at: "
    let mine = "Unknown function: mine(). The table's definition or an index calls it, and this connection has no such "
    let found = try check("definitions", made)
    for line in [
      "integrity of a: NULL value in a.y", "integrity of a: \(without)\(mine)function.",
      "integrity of b: CHECK constraint failed in b", "integrity of g: it could not be looked at: \(mine)function.",
    ] { #expect(found.lines.contains(line), "\(found)") }
    #expect(found.lines.contains { $0.hasPrefix("integrity of j: \(without)") }, "\(found)")
    #expect(found.status == 2 && !found.output.contains("does not compile"), "\(found)")
    let whole = try check("definitions_whole", made.filter { !$0.contains("name = 'g'") }, ["--whole"])
    #expect(whole.lines.contains("integrity: NULL value in a.y"), "\(whole)")
    #expect(whole.lines.contains("integrity of b: CHECK constraint failed in b"), "\(whole)")
    #expect(whole.lines.contains { $0.hasPrefix("integrity: \(without)") } && whole.status == 2, "\(whole)")
  }
}
