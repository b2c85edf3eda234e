/// What comes in with a SQLite file and cannot run at a server is told, by an import and by a check.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletCommand

struct ImportFaultTests {
  let shop: ServedShop
  var url: String { shop.url }

  init() throws { shop = try ServedShop() }

  private func file(_ statements: [String]) throws -> String {
    let path = shop.folder.path + "/\(UUID().uuidString).sqlite"
    let file = try LocalFile(making: path)
    for sql in statements { try file.execute(sql: sql) }
    try file.commit()
    return path
  }

  /// As an old program may have left it: texts in double quotes, and functions of its own.
  private static let old = [
    "CREATE TABLE t(a, b AS (a + 1))", "CREATE TABLE log(x)", "INSERT INTO t(a) VALUES (1)",
    "CREATE VIEW fine AS SELECT a FROM t", "CREATE VIEW \"said so\" AS SELECT a, \"hello\" AS h FROM t",
    "CREATE VIEW above AS SELECT a FROM \"said so\"", "CREATE VIEW called AS SELECT soundslike(a) AS s FROM t",
    "CREATE TRIGGER noted AFTER INSERT ON t BEGIN INSERT INTO log VALUES (\"inserted\"); END",
    "CREATE TRIGGER also AFTER INSERT ON t BEGIN INSERT INTO log VALUES (NEW.a); END",
    "CREATE TRIGGER of_a AFTER UPDATE OF a ON t BEGIN INSERT INTO nowhere VALUES (NEW.a); END",
    "CREATE TRIGGER gone AFTER DELETE ON t BEGIN INSERT INTO log VALUES (OLD.a); END",
    "CREATE TRIGGER through INSTEAD OF DELETE ON fine BEGIN DELETE FROM t WHERE a = OLD.a; END",
    "CREATE TRIGGER lost INSTEAD OF UPDATE ON \"said so\" BEGIN SELECT 1; END",
  ]

  private static let faults = [
    "The view said so does not compile: No such column: hello.",
    "The view above does not compile: No such column: hello.",
    "The view called does not compile: No such function: soundslike.",
    "One of the triggers noted, also does not compile: INSERT on t: No such column: inserted.",
    "The trigger of_a does not compile: UPDATE on t: No such table: main.nowhere.",
  ]

  @Test func `views and triggers that cannot run are named with SQLite's words, and the import stays`() throws {
    let imported = try Martlet.run(["import", url, try file(Self.old)])
    #expect(imported.status == 2 && imported.output.contains("1 row in 2 tables"), "\(imported)")
    let warnings = imported.complaint.split(separator: "\n").filter { $0.hasPrefix("Warning: ") }
    #expect(warnings.map { $0.dropFirst("Warning: ".count) }.sorted() == Self.faults.map { $0[...] }.sorted())
    #expect(try shop.rows("select count(*) from sqlite_schema") == ["12"])

    for options in [[], ["--whole"]] {
      let check = try Martlet.run(["check", url] + options)
      #expect(check.status == 2, "\(check)")
      for fault in Self.faults {
        #expect(
          check.lines.contains { $0 == fault || $0 == fault.replacing("noted, also", with: "also, noted") },
          "\(check.output)")
      }
      #expect(!check.output.contains("fine") && !check.output.contains("lost"), "\(check.output)")
    }
    let again = try Martlet.run(["check", url, "--json"])
    #expect(again.status == 2 && again.output.contains("\"message\" : \"INSERT on t: No such column: inserted.\""))

    // What is mended is in order again.
    let mended = """
      drop view "said so"; create view "said so" as select a, 'hello' as h from t; drop view called;
      drop trigger noted; drop trigger of_a;
      """
    try #require(try Martlet.run(["sql", url, mended]).status == 0)
    let right = try Martlet.run(["check", url])
    #expect(right.status == 0 && right.output.contains("Nothing is wrong."), "\(right)")
  }

  @Test func `a dump says so too, and a file without such faults says nothing`() throws {
    let dump = """
      PRAGMA foreign_keys=OFF;
      BEGIN TRANSACTION;
      CREATE TABLE t(a);
      CREATE VIEW v AS SELECT "x" AS x FROM t;
      COMMIT;

      """
    let loaded = try Martlet.run(["sql", "--create", url], input: dump + "insert into t values (1);\n")
    #expect(loaded.status == 2, "\(loaded)")
    #expect(
      loaded.complaint.contains("Warning: The view v does not compile: No such column: x."), "\(loaded.complaint)")
    #expect(try shop.rows("select a from t") == ["1"])
    let script = try shop.file(
      "dump.sql", dump.replacing("TABLE t", with: "TABLE u").replacing("VIEW v", with: "VIEW w"))
    #expect(try Martlet.run(["sql", url], input: ".read \(script)\n").status == 2)
    let other = shop.server.url(database: "other")
    let fine = try Martlet.run([
      "import", other,
      try file([
        "CREATE TABLE t(a)", "CREATE VIEW v AS SELECT 'x' FROM t",
        "CREATE TRIGGER r AFTER UPDATE OF a ON t BEGIN SELECT RAISE(ABORT, 'no'); END",
        "CREATE VIRTUAL TABLE f USING fts5(a)",
      ]),
    ])
    #expect(fine.status == 0 && fine.complaint.isEmpty, "\(fine)")
    #expect(try Martlet.run(["check", other]).status == 0)
  }

  @Test func `a check of views that double ends`() throws {
    let views = (1...40).map { level in
      let before = "SELECT x FROM v\(level - 1)"
      return "CREATE VIEW v\(level) AS \(before) UNION ALL \(before);"
    }
    try #require(
      try Martlet.run(["sql", "--create", url, "CREATE VIEW v0 AS SELECT 1 AS x;" + views.joined()]).status == 0)
    let check = try Martlet.run(["check", url])
    #expect(check.status == 2 && check.output.contains("The view v40 does not compile: "), "\(check)")
  }

  @Test func `a table with a column without a name is told, and left out if that is said`() throws {
    let path = try file(["CREATE TABLE t(a)", "CREATE TABLE odd(a, \"\")", "INSERT INTO odd VALUES (1, 2)"])
    let refused = try Martlet.run(["import", url, path])
    #expect(
      refused.status == 1
        && refused.complaint.contains(
          #"Name it in the file (ALTER TABLE … RENAME COLUMN "" TO …), or leave the table out: --skip odd."#),
      "\(refused)")
    #expect(try Martlet.run(["import", url, path, "--skip", "odd"]).status == 0)
  }
}
