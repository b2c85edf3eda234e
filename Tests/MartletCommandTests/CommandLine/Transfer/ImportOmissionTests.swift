/// SQLite files that a server cannot take as they are: what is said, what is left out, and what does not stay behind.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletCommand

struct ImportOmissionTests {
  let shop: ServedShop
  var folder: TemporaryFolder { shop.folder }
  var server: ServerProcess { shop.server }
  var url: String { shop.url }

  init() throws { shop = try ServedShop() }

  private func file(_ statements: [String]) throws -> String {
    let path = folder.path + "/\(UUID().uuidString).sqlite"
    let file = try LocalFile(making: path)
    for sql in statements { try file.execute(sql: sql) }
    try file.commit()
    return path
  }

  private static let orphans = [
    "CREATE TABLE p(id INTEGER PRIMARY KEY)", "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p, \"rowid\" TEXT)",
    "CREATE TABLE d(id INTEGER PRIMARY KEY, c REFERENCES c)",
    "CREATE TABLE pair(a INTEGER REFERENCES p, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID",
    "CREATE TABLE log(what)", "INSERT INTO p VALUES (1)",
    "INSERT INTO c VALUES (1, 1, 'x'), (2, 8, 'y'), (3, 9, '3'), (4, NULL, 'z')",
    "INSERT INTO d VALUES (1, 1), (2, 2)", "INSERT INTO pair VALUES (1, 'kept'), (7, 'gone')",
    "CREATE TRIGGER noted AFTER DELETE ON c BEGIN INSERT INTO log VALUES (OLD.id); END",
  ]

  private func databases() throws -> String { try Martlet.run(["databases", server.url]).output }

  @Test func `rows that point nowhere are told before anything is made, and left out if that is said`() throws {
    let path = try file(Self.orphans)
    let refused = try Martlet.run(["import", url, path])
    #expect(refused.status == 1)
    for words in [
      "2 rows of c (rowid 2, 3) refer to rows of p that are not there",
      "1 row of pair refers to rows of p that are not there", "leave them out: --skip-orphans",
    ] {
      #expect(refused.complaint.contains(words), "\(refused.complaint)")
    }
    #expect(try databases() == "There are no databases yet.\n")

    let imported = try Martlet.run(["import", url, path, "--skip-orphans"])
    #expect(imported.status == 0, "\(imported.complaint)")
    for note in ["2 rows of c left out", "1 row of pair left out", "1 row of d left out"] {
      #expect(imported.complaint.contains("Note: \(note), because"), "\(imported.complaint)")
    }
    #expect(try shop.rows("select group_concat(id) from c") == ["\"1,4\""])
    #expect(try shop.rows("select b from pair") == ["kept"])
    // The second row of d pointed at one that was left out; no trigger ran for any of this, and all are there.
    #expect(try shop.rows("select (select count(*) from d), (select count(*) from log)") == ["1,0"])
    #expect(try shop.rows("select count(*) from sqlite_schema where type = 'trigger'") == ["1"])
    #expect(try shop.rows("pragma foreign_key_check").isEmpty)
  }

  @Test func `a table that no server can fill is left out by its name`() throws {
    let path = try file([
      "CREATE TABLE items(id INTEGER PRIMARY KEY, title TEXT)", "INSERT INTO items VALUES (1, 'Tea')",
      "CREATE VIRTUAL TABLE words USING fts5(title, content='')", "CREATE INDEX by_title ON items(title)",
    ])
    let refused = try Martlet.run(["import", url, path])
    #expect(refused.status == 1 && refused.complaint.contains("Leave it out: --skip words."), "\(refused.complaint)")
    #expect(try databases() == "There are no databases yet.\n")
    let misspelt = try Martlet.run(["import", url, path, "--skip", "wrds"])
    #expect(misspelt.status == 1 && misspelt.complaint.contains("Did you mean words?"), "\(misspelt.complaint)")
    let imported = try Martlet.run(["import", url, path, "--skip", "WORDS"])
    #expect(imported.status == 0, "\(imported.complaint)")
    #expect(try shop.rows("select name from sqlite_schema order by 1") == ["by_title", "items"])
  }

  @Test func `more objects than a database may have are told before anything is made`() throws {
    let narrow = try ServerProcess(directory: folder.path + "/narrow", arguments: ["--schema-objects", "12"])
    let url = narrow.url(database: "shop")
    let path = try file((1...12).map { "CREATE TABLE t\($0)(id INTEGER PRIMARY KEY)" } + ["CREATE INDEX i ON t12(id)"])
    let refused = try Martlet.run(["import", url, path])
    #expect(
      refused.status == 1
        && refused.complaint.contains(
          "The file has 13 tables, indexes, views and triggers, and the database has 0: it may have 12"),
      "\(refused.complaint)")
    #expect(try Martlet.run(["databases", narrow.url]).output == "There are no databases yet.\n")
    let imported = try Martlet.run(["import", url, path, "--skip", "t12"])
    #expect(imported.status == 0, "\(imported.complaint)")
    let two = try file(["CREATE TABLE one(a)", "CREATE TABLE two(a)"])
    let next = try Martlet.run(["import", url, two])
    #expect(next.status == 1 && next.complaint.contains("and the database has 11"), "\(next.complaint)")
    #expect(try Martlet.run(["import", url, two, "--skip", "two"]).status == 0)
  }

  @Test func `more SQL of a schema than a database may have is told before anything is made`() throws {
    let megabyte = String(repeating: "x", count: 1_000_000)
    let path = try file((1...17).map { "CREATE VIEW v\($0) AS SELECT '\(megabyte)' AS a" })
    let server = try ServerProcess(directory: folder.path + "/wide")
    let refused = try Martlet.run(["import", server.url(database: "shop"), path])
    #expect(
      refused.status == 1
        && refused.complaint.contains("bytes of SQL, and that of the database 0: it may have \(16 << 20)."),
      "\(refused.complaint)")
    #expect(try Martlet.run(["databases", server.url]).output == "There are no databases yet.\n")
  }

  @Test func `a table whose name begins as that of one which is left out keeps what SQLite knows of it`() throws {
    let path = try file([
      "CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT)", "CREATE TABLE a_b(id INTEGER PRIMARY KEY AUTOINCREMENT)",
      "CREATE INDEX by_id ON a_b(id)", "INSERT INTO a_b VALUES (1), (9)", "DELETE FROM a_b WHERE id = 9", "ANALYZE",
    ])
    let imported = try Martlet.run(["import", url, path, "--skip", "a"])
    #expect(imported.status == 0, "\(imported.complaint)")
    #expect(try shop.rows("select stat from sqlite_stat1 where tbl = 'a_b' and idx = 'by_id'").count == 1)
    // A number that was given once is not given again.
    try #require(try Martlet.run(["sql", url, "insert into a_b default values"]).status == 0)
    #expect(try shop.rows("select max(id) from a_b") == ["10"])
  }

  @Test func `names that SQLite tells apart are not left out with each other`() throws {
    // To SQLite only letters of ASCII are the same in both cases.
    let path = try file([
      "CREATE TABLE \"É\"(id INTEGER PRIMARY KEY)", "CREATE TABLE \"é\"(id INTEGER PRIMARY KEY, of REFERENCES \"é\")",
      "CREATE INDEX by_of ON \"é\"(of)", "INSERT INTO \"é\" VALUES (1, 1), (2, 7)",
    ])
    let imported = try Martlet.run(["import", url, path, "--skip", "É", "--skip-orphans"])
    #expect(imported.status == 0, "\(imported.complaint)")
    #expect(try shop.rows("select name from sqlite_schema order by 1") == ["by_of", "é"])
    #expect(try shop.rows("select id from \"é\"") == ["1"])
  }

  @Test func `rows that cannot be told apart are not taken for others`() throws {
    let file = try LocalFile(making: folder.path + "/rowid.sqlite")
    for sql in [
      "CREATE TABLE p(id INTEGER PRIMARY KEY)",
      "CREATE TABLE c(\"rowid\" INTEGER, \"_rowid_\" TEXT, \"oid\" TEXT, p REFERENCES p)",
      "INSERT INTO p VALUES (1)", "INSERT INTO c VALUES (2, '', '', 1), (1, '', '', 7)",
    ] {
      try file.execute(sql: sql)
    }
    let failure = #expect(throws: CommandFailure.self) { _ = try file.deleteOrphans() }
    #expect(failure?.description.contains("Mend those rows.") == true)
    #expect(file.totalChanges == 3)
  }

  @Test func `an import that is interrupted while it looks at its file ends there`() async throws {
    let path = try file(Self.orphans)
    let task = Task {
      // Until the line below. A wait that sleeps would end the task itself then.
      while !Task.isCancelled { await Task.yield() }
      _ = try await ImportSource(path, leavingOut: ImportSource.Omissions(orphans: true))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a table that refers to one which is left out cannot come without it`() throws {
    let path = try file(Self.orphans)
    let run = try Martlet.run(["import", url, path, "--skip", "p"])
    #expect(
      run.status == 1 && run.complaint.contains("refers to p, which is not there")
        && run.complaint.contains("--skip c"),
      "\(run.complaint)")
    let all = try Martlet.run(["import", url, path, "--skip", "p", "--skip", "c", "--skip", "d", "--skip", "pair"])
    #expect(all.status == 0, "\(all.complaint)")
    #expect(try shop.rows("select name from sqlite_schema") == ["log"])
  }

  @Test func `a dump with such rows says what to do, and no empty database stays`() throws {
    let dump = """
      PRAGMA foreign_keys=OFF;
      BEGIN TRANSACTION;
      CREATE TABLE p(id INTEGER PRIMARY KEY);
      CREATE TABLE c(p REFERENCES p);
      INSERT INTO c VALUES(5);
      COMMIT;

      """
    let run = try Martlet.run(["sql", "--create", url], input: dump)
    #expect(run.status == 1)
    #expect(
      run.complaint.contains("1 row of c (rowid 1) refers to rows of p that are not there")
        && run.complaint.contains("martlet import --skip-orphans"), "\(run.complaint)")
    #expect(try databases() == "There are no databases yet.\n")
  }

  @Test func `a database that was there stays, and so does one that something came into`() throws {
    try #require(try Martlet.run(["databases", "create", url]).status == 0)
    let path = try file(Self.orphans)
    #expect(try Martlet.run(["import", url, path]).status == 1)
    #expect(try databases().contains("shop"))
    let other = server.url(database: "other")
    #expect(try Martlet.run(["sql", "--create", other, "create table t(a); selct 1"]).status == 1)
    #expect(try databases().contains("other"))
    #expect(try Martlet.run(["sql", "--create", server.url(database: "third"), "selct 1"]).status == 1)
    #expect(try !databases().contains("third"))
  }
}
