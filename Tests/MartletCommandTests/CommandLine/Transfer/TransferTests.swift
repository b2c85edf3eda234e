/// `martlet import` and `export`: what goes in comes out, row for row and type for type.
import Foundation
import MartletAST
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletCommand

struct TransferTests {
  let shop: ServedShop
  var folder: TemporaryFolder { shop.folder }
  var server: ServerProcess { shop.server }
  var url: String { shop.url }

  init() throws { shop = try ServedShop("copy") }

  /// Everything that makes copying hard, in one file.
  static let nasty = [
    "CREATE TABLE \"odd \"\"name\"\"\"(\"a b\" , c TEXT, \"select\" REAL, d INTEGER, e BLOB)",
    "INSERT INTO \"odd \"\"name\"\"\" VALUES (1, 'x', 1.5, 2, x'00ff'), ('text', NULL, -0.0, 'not a number', 'text')",
    "INSERT INTO \"odd \"\"name\"\"\"(rowid, \"a b\", c) VALUES (900, -0.0, 'a' || char(0) || 'b'), (-5, x'', '')",
    "INSERT INTO \"odd \"\"name\"\"\" VALUES (9223372036854775807, '日本', 1e308, -9223372036854775808, 9e999)",
    "CREATE TABLE pairs(k TEXT, n INTEGER, v, PRIMARY KEY (k, n)) WITHOUT ROWID",
    "INSERT INTO pairs VALUES ('b', 1, 2.0), ('a', 2, x'01'), ('a', 1, NULL)",
    "CREATE TABLE tree(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree, name TEXT NOT NULL CHECK (name <> ''))",
    "INSERT INTO tree VALUES (1, 9, 'child'), (9, NULL, 'root'), (2, 1, 'grandchild')",
    "CREATE TABLE orders(id INTEGER PRIMARY KEY AUTOINCREMENT, leaf INTEGER REFERENCES tree(id), code TEXT REFERENCES codes(code))",
    "CREATE TABLE codes(code TEXT, label)", "CREATE UNIQUE INDEX codes_by_code ON codes(code)",
    "INSERT INTO codes VALUES ('x', 1), ('y', 2)",
    "INSERT INTO orders(leaf, code) VALUES (2, 'x'), (1, 'y'), (NULL, NULL)",
    "DELETE FROM orders WHERE id = 3",
    "CREATE TABLE made(a INTEGER, b INTEGER AS (a * 2) STORED, c TEXT AS ('v' || a) VIRTUAL)",
    "INSERT INTO made(a) VALUES (1), (2)", "CREATE TABLE strictly(a INTEGER, b ANY) STRICT",
    "INSERT INTO strictly VALUES (1, '1'), (2, 1)",
    "CREATE TABLE log(what TEXT)", "CREATE INDEX partial ON tree(name) WHERE parent IS NOT NULL",
    "CREATE VIEW leaves AS SELECT name FROM tree WHERE id NOT IN (SELECT parent FROM tree WHERE parent IS NOT NULL)",
    "CREATE TRIGGER logged AFTER INSERT ON tree BEGIN INSERT INTO log VALUES ('new ' || NEW.name); END",
    "CREATE VIRTUAL TABLE search USING fts5(title, body)",
    "INSERT INTO search(rowid, title, body) VALUES (5, 'swift', 'a bird'), (7, 'martlet', 'never lands')",
    "CREATE VIRTUAL TABLE names USING fts5(name, content='tree', content_rowid='id')",
    "INSERT INTO names(names) VALUES ('rebuild')",
    // It shows the words of another table, and takes no rows.
    "CREATE VIRTUAL TABLE words USING fts5vocab(search, 'row')",
    "PRAGMA user_version=5", "PRAGMA application_id=-7",
    "CREATE TABLE long(id INTEGER PRIMARY KEY, text)",
    "INSERT INTO long SELECT value, printf('%.*c', 20000, 'x') FROM json_each('[1,2,3,4,5,6,7,8,9,10]')",
    "INSERT INTO long SELECT 100 + id, hex(zeroblob(600000)) FROM long",
    "ANALYZE",
  ]

  /// Every row of every table with its rowid if it has one, as SQL literals, which tell types apart.
  static func contents(of path: String) async throws -> [String: [String]] {
    let file = try LocalFile(reading: path)
    let schema = try await SchemaReader(source: file).read()
    var result: [String: [String]] = [:]
    for table in schema.tables {
      let columns = (table.rowIDName.map { [$0] } ?? []) + table.columns
      let rows = try file.rows(of: .select(columns, from: .table(table.name)), [])
      result[table.name] = rows.map { row in
        row.map { value in
          if case .real(let real) = value { return "real \(real.bitPattern)" }
          return "\(value)"
        }.joined(separator: "|")
      }.sorted()
    }
    result["the schema"] =
      try file.rows(of: .select(["type", "name", "sql"], from: .table("sqlite_schema")), []).map { "\($0)" }.sorted()
    result["the header"] = ["\(schema.header)"]
    for table in schema.statistics {
      result[table] = try file.rows(of: Statistics.query(table), []).map { "\($0)" }.sorted()
    }
    if schema.hasSequence {
      result["the counters"] =
        try file.rows(of: .select(["name", "seq"], from: .table("sqlite_sequence")), []).map { "\($0)" }.sorted()
    }
    return result
  }

  func roundTrip(_ source: String) async throws -> Martlet.Outcome {
    let copy = folder.path + "/copy.sqlite"
    let imported = try Martlet.run(["import", url, source])
    try #require(imported.status == 0, "\(imported.complaint)")
    let exported = try Martlet.run(["export", url, copy])
    try #require(exported.status == 0, "\(exported.complaint)")
    #expect(exported.output == imported.output)
    let before = try await Self.contents(of: source)
    let after = try await Self.contents(of: copy)
    #expect(Set(before.keys) == Set(after.keys))
    for (table, rows) in before { #expect(after[table] == rows, "\(table)") }
    // The server's own file, too: a mistake made both ways would not show otherwise.
    let served = try await Self.contents(of: server.directory + "/copy.sqlite")
    for (table, rows) in before { #expect(served[table] == rows, "\(table)") }
    return imported
  }

  @Test func `a file with everything that makes copying hard comes out as it went in`() async throws {
    let source = folder.path + "/nasty.sqlite"
    do {
      let file = try LocalFile(making: source)
      for sql in Self.nasty { try file.execute(sql: sql) }
      try file.commit()
    }
    let outcome = try await roundTrip(source)
    #expect(outcome.output.contains("rows in 12 tables"))
    let search = try Martlet.run([
      "sql", url,
      "select rowid from search where search match 'lands'; select name from names where names match 'root'",
      "--format", "csv",
    ])
    #expect(search.output == "rowid\n7\nname\nroot\n", "\(search.complaint)")
    let header = try await Self.contents(of: source)["the header"]
    #expect(header == ["Header(userVersion: 5, applicationID: -7)"])
    #expect(try await Self.contents(of: source)["sqlite_stat1"]?.isEmpty == false)
    // The shell's own ways out and in are no others.
    let (dump, backup) = (folder.path + "/dump.sql", folder.path + "/backup.sqlite")
    #expect(try Martlet.run(["sql", url], input: ".output \(dump)\n.dump\n.output\n.backup \(backup)\n").status == 0)
    let again = server.url(database: "again")
    let script = try String(contentsOfFile: dump, encoding: .utf8)
    #expect(try Martlet.run(["sql", "--create", again], input: script).status == 0)
    for path in [backup, server.directory + "/again.sqlite"] {
      let contents = try await Self.contents(of: path)
      #expect(contents["the header"] == header, "\(path)")
      #expect(try await contents["sqlite_stat1"] == Self.contents(of: source)["sqlite_stat1"], "\(path)")
    }
  }

  @Test func `a schema of an old program, with texts in double quotes, is exported as it is`() async throws {
    let (served, copy) = (server.directory + "/old.sqlite", folder.path + "/old.sqlite")
    let file = try LocalFile(making: served)
    for sql in [
      "CREATE TABLE t(a CHECK (a <> \"none\"), b AS (a || \"!\"))", "CREATE VIEW v AS SELECT a, \"text\" AS b FROM t",
      "CREATE INDEX i ON t(a) WHERE a > \"c\"", "CREATE TABLE u(a)",
      "CREATE TRIGGER r AFTER INSERT ON u BEGIN INSERT INTO t VALUES (\"made\"); END",
      "INSERT INTO t VALUES ('a'), ('x')",
    ] { try file.execute(sql: sql) }
    try file.commit()
    let export = try Martlet.run(["export", server.url(database: "old"), copy])
    #expect(export.status == 0, "\(export.complaint)")
    #expect(try await Self.contents(of: copy) == Self.contents(of: served))
  }

  @Test func `a dump of SQL that ends in comments is loaded again`() async throws {
    let source = folder.path + "/comments.sqlite"
    let file = try LocalFile(making: source)
    for sql in [
      "CREATE TABLE t(a) -- the table", "CREATE VIEW v AS SELECT a FROM t -- c\n", "CREATE INDEX i ON t(a) /* open",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT '--'; END --", "CREATE TABLE \"--\"(a)",
    ] { try file.execute(sql: sql) }
    try file.commit()
    try #require(try Martlet.run(["import", url, source]).status == 0)
    let dump = try Martlet.run(["sql", url, ".dump"])
    let again = server.url(database: "again")
    let loaded = try Martlet.run(["sql", "--create", again], input: dump.output)
    #expect(loaded.status == 0, "\(loaded.complaint)")
    let names = try Martlet.run(["sql", again, "select name from sqlite_schema order by 1", "--format", "csv"])
    #expect(names.output == "name\n--\ni\nr\nt\nv\n", "\(names)")
  }

  @Test func `a name in a dump is no SQL, whatever it holds`() throws {
    let hostile = "f\nDELETE FROM victims;\nINSERT INTO victims VALUES('owned');--"
    let script = """
      CREATE TABLE victims(a); INSERT INTO victims VALUES ('precious');
      CREATE VIRTUAL TABLE "\(hostile)" USING fts5(a, content='');
      """
    try #require(try Martlet.run(["sql", "--create", url], input: script).status == 0)
    let dump = try Martlet.run(["sql", url, ".dump"])
    #expect(dump.output.contains("-- The rows of \"f\\nDELETE"), "\(dump.output)")
    // Within the quotes of the table's definition, and nowhere else.
    #expect(dump.output.components(separatedBy: "\nDELETE FROM victims;").count == 2)
    #expect(dump.output.contains("VALUES(1,'precious');"))
  }

  @Test func `a number that the database has already stays, and that is said`() throws {
    for (name, version) in [("first", 5), ("second", 6)] {
      let file = try LocalFile(making: folder.path + "/\(name).sqlite")
      try file.execute(sql: "CREATE TABLE \(name)(a)")
      try file.execute(sql: "PRAGMA user_version=\(version)")
      try file.commit()
      let run = try Martlet.run(["import", url, folder.path + "/\(name).sqlite"])
      #expect(run.status == 0, "\(run.complaint)")
      #expect(run.complaint.contains("keeps its user_version 5; that of the file is 6") == (version == 6))
    }
    let kept = try Martlet.run(["sql", url, "pragma user_version", "--format", "csv"])
    #expect(kept.output == "user_version\n5\n", "\(kept)")
  }

  @Test func `what is there already is not imported over`() throws {
    let source = folder.path + "/nasty.sqlite"
    let file = try LocalFile(making: source)
    for sql in Self.nasty { try file.execute(sql: sql) }
    try file.commit()
    try #require(try Martlet.run(["import", url, source]).status == 0)
    let again = try Martlet.run(["import", url, source])
    #expect(again.status == 1)
    #expect(again.complaint.contains("exists"))
    let unchanged = try Martlet.run(["sql", url, "select count(*) from tree", "--format", "csv"])
    #expect(unchanged.output == "count(*)\n3\n")
  }

  static let chinook: String? = {
    let file = BuildProducts.projectRoot.appending(path: "../shared/data/chinook.sqlite").standardized.path
    return FileManager.default.fileExists(atPath: file) ? file : nil
  }()

  @Test(.enabled(if: chinook != nil, "shared/data/chinook.sqlite is not beside the repository"))
  func `Chinook comes out as it went in`() async throws {
    let outcome = try await roundTrip(try #require(Self.chinook))
    #expect(outcome.output.contains("15,607 rows in 11 tables"))
  }

  @Test func `CSV goes in with the types that its fields have and comes out the same`() throws {
    let csv = "id,code,price,note\n1,007,1.5,\"a, \"\"b\"\"\"\n2,12,2.0,\n3,x,-0.5,\"\"\n"
    let path = folder.path + "/in.csv"
    try csv.write(toFile: path, atomically: true, encoding: .utf8)
    let imported = try Martlet.run(["import", url, path, "--table", "prices", "--create"])
    #expect(imported.status == 0, "\(imported.complaint)")
    #expect(imported.output.contains("3 rows in 1 table"))
    let types = try Martlet.run([
      "sql", url, "select typeof(id), typeof(code), typeof(price), typeof(note) from prices", "--format", "csv",
    ])
    #expect(types.lines.dropFirst() == ["integer,text,real,text", "integer,text,real,null", "integer,text,real,text"])
    let exported = try Martlet.run(["export", url, folder.path + "/out.csv", "--table", "prices"])
    #expect(exported.status == 0, "\(exported.complaint)")
    #expect(try String(contentsOfFile: folder.path + "/out.csv", encoding: .utf8) == csv)
    let again = try Martlet.run(["import", url, path, "--table", "prices"])
    #expect(again.status == 0, "\(again.complaint)")
    let json = try Martlet.run(["export", url, "-", "--table", "prices", "--format", "json"])
    let rows = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
    #expect(rows?.count == 6)
  }

  @Test func `text goes in from standard input, with other bytes between its fields, and replaces or is appended`()
    throws
  {
    let tsv = "id\tnote\tlevel\n1\ta;b\tNA\n2\t\"x\ty\"\t3\n"
    let made = try Martlet.run(["import", url, "-", "--table", "t", "--create", "--null", "NA"], input: tsv)
    #expect(made.status == 0, "\(made.complaint)")
    let added = try Martlet.run(["import", url, "-", "--table", "t", "--delimiter", ";"], input: "id;note\n3;c,d\n")
    #expect(added.status == 0, "\(added.complaint)")
    let rows = try Martlet.run([
      "sql", url, "select id, note, level, typeof(level) from t order by id", "--format", "jsonl",
    ])
    #expect(
      rows.output == """
        {"id":1,"note":"a;b","level":null,"typeof(level)":"null"}
        {"id":2,"note":"x\\ty","level":3,"typeof(level)":"integer"}
        {"id":3,"note":"c,d","level":null,"typeof(level)":"null"}

        """)
    let path = folder.path + "/new.tsv"
    try "id\tnote\n9\tz\n".write(toFile: path, atomically: true, encoding: .utf8)
    let replaced = try Martlet.run(["import", url, path, "--table", "t", "--replace"])
    #expect(replaced.status == 0, "\(replaced.complaint)")
    let exported = try Martlet.run(["export", url, folder.path + "/out.tsv", "--table", "t"])
    #expect(exported.status == 0, "\(exported.complaint)")
    #expect(try String(contentsOfFile: folder.path + "/out.tsv", encoding: .utf8) == "id\tnote\tlevel\n9\tz\t\n")
    // A replacement that fails leaves the rows that were there.
    try "id\tnope\n1\tz\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try Martlet.run(["import", url, path, "--table", "t", "--replace"]).status == 1)
    #expect(try Martlet.run(["sql", url, "select id from t", "--format", "csv"]).output == "id\n9\n")
  }

  @Test func `a mistake in a text file is told with its line and column`() throws {
    let outcome = try Martlet.run(["import", url, "-", "--table", "t", "--create"], input: "a,b\n1,\"x\"y\n")
    #expect(outcome.status == 1)
    #expect(outcome.complaint.contains("standard input, line 2, column 6"), "\(outcome.complaint)")
  }

  @Test func `a CSV file with a broken record leaves nothing behind`() throws {
    let path = folder.path + "/broken.csv"
    try "a,b\n1,2\n3\n".write(toFile: path, atomically: true, encoding: .utf8)
    let imported = try Martlet.run(["import", url, path, "--table", "t", "--create"])
    #expect(imported.status == 1)
    #expect(imported.complaint.contains("line 3"))
    let tables = try Martlet.run(["sql", url, ".tables"])
    #expect(tables.output.isEmpty)
  }

  @Test func `an export overwrites nothing`() throws {
    _ = try Martlet.run(["sql", "--create", url, "create table t(x)"])
    let path = folder.path + "/there"
    try "mine".write(toFile: path, atomically: true, encoding: .utf8)
    for arguments in [["export", url, path], ["export", url, path, "--table", "t", "--format", "csv"]] {
      let outcome = try Martlet.run(arguments)
      #expect(outcome.status == 1)
      #expect(outcome.complaint.contains(path))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }
}
