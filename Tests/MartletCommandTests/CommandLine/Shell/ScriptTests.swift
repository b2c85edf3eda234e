/// Scripts of SQL with transactions, and dumps, run by the executable: what is in the database afterwards, what is
/// said, and the exit status.
import Foundation
import MartletTestSupport
import Testing

// One after the other, because each blocks a thread of the pool that other tests need.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ScriptTests {
  let shop: ServedShop
  var folder: TemporaryFolder { shop.folder }
  var server: ServerProcess { shop.server }
  var url: String { shop.url }

  init() throws {
    shop = try ServedShop(making: "create table t(a integer primary key, b)")
  }

  func rows(_ sql: String = "select a from t order by a") throws -> [String] { try shop.rows(sql) }

  struct Script: Sendable {
    var text: String
    var rows: [String]
    var status: Int32 = 0
    var says: [String] = []
    var keepsGoing = false
  }

  @Test(arguments: [
    Script(text: "begin; insert into t values (1, 1); rollback;", rows: []),
    Script(text: "begin;\ninsert into t values (1, 1);\ncommit;\n", rows: ["1"]),
    Script(text: "BEGIN TRANSACTION; insert into t values (1, 1); select a from t; END", rows: ["1"]),
    Script(text: "savepoint a; insert into t values (1, 1); rollback to a; release a;", rows: []),
    Script(
      text: "begin;\ninsert into t values (1, 1);\ninsert into t values (1, 1);\ncommit;", rows: [], status: 1,
      says: ["line 3: ", "rolled back"]),
    Script(
      text: "begin;\ninsert into t values (1, 1);\ninsert into t values (1, 1);\ncommit;", rows: ["1"], status: 1,
      says: ["line 3: "], keepsGoing: true),
    Script(text: "begin; insert into t values (1, 1);", rows: [], status: 1, says: ["COMMIT", "rolled back"]),
    Script(text: "insert into t values (1, 1); rollback;", rows: ["1"], status: 1, says: ["No transaction"]),
    Script(text: "nonsense; insert into t values (2, 2);", rows: [], status: 1, says: ["nonsense"]),
    Script(
      text: "nonsense; insert into t values (2, 2);", rows: ["2"], status: 1, says: ["nonsense"], keepsGoing: true),
    Script(
      text: "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; insert into t values (3, 3);", rows: ["3"],
      says: ["journal_mode"]),
    // Outside of a write transaction these know no write, and 0 would be taken for an answer.
    Script(
      text: "insert into t values (5, 5); insert into t values (last_insert_rowid() + 1, 6);", rows: ["5"], status: 1,
      says: ["last_insert_rowid()", "BEGIN", "RETURNING"]),
    Script(
      text: "insert into t values (5, 5);\nselect Changes ( );", rows: ["5"], status: 1, says: ["line 2: changes()"]),
    Script(
      text: "begin; insert into t values (5, 5); insert into t values (last_insert_rowid() + 1, changes()); commit;",
      rows: ["5", "6"]),
    Script(text: "begin; select last_insert_rowid();", rows: [], status: 1, says: ["last_insert_rowid()"]),
    Script(
      text:
        "create view v as select changes() as a;\ninsert into t values (1, '-- changes()'), (2, 'total_changes()');",
      rows: ["1", "2"]),
    // A mark that some editors begin a file with.
    Script(text: "\u{FEFF}begin; insert into t values (1, 1); rollback;", rows: []),
    Script(
      text: "insert into t values (1, 1);\nselect '\0';", rows: ["1"], status: 1, says: ["line 2: ", "zero byte"]),
    // A migration by hand begins like a dump and is none.
    Script(
      text: """
        PRAGMA foreign_keys=OFF;
        BEGIN TRANSACTION;
        CREATE TABLE n(a integer primary key, b, c);
        INSERT INTO n SELECT a, b, 0 FROM t;
        INSERT INTO n VALUES (9, 9, 9);
        DROP TABLE t;
        ALTER TABLE n RENAME TO t;
        COMMIT;
        """, rows: ["9"], says: ["foreign_keys"]),
    Script(text: "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nINSERT INTO t VALUES(4,4);\nCOMMIT;\n", rows: ["4"]),
    Script(
      text: "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE u(a);\nINSERT INTO u VALUES(4);\n", rows: [],
      status: 1, says: ["rolled back"]),
  ])
  func `a script leaves behind`(script: Script) throws {
    let outcome = try Martlet.run(["sql", url] + (script.keepsGoing ? ["--keep-going"] : []), input: script.text)
    #expect(outcome.status == script.status, "\(outcome.complaint)")
    for words in script.says { #expect(outcome.complaint.contains(words), "\(outcome.complaint)") }
    #expect(try rows() == script.rows)
  }

  @Test func `a script on the command line and one in a file are the same`() throws {
    let file = folder.path + "/a.sql"
    try "begin;\ninsert into t values (1, 1);\nrollback;\nbegin; insert into t values (2, 2); commit;\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(try Martlet.run(["sql", url, text]).status == 0)
    #expect(try rows() == ["2"])
    #expect(try Martlet.run(["sql", url, "delete from t"]).status == 0)
    #expect(try Martlet.run(["sql", url], input: ".read \(file)\n").status == 0)
    #expect(try rows() == ["2"])
  }

  @Test func `an error names its file, and the line on which its statement begins`() throws {
    let inner = try shop.file("inner.sql", "select 1;\n\ninsert into\n t values (1, 2, 3);\n")
    let dump = "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE u(a);\n\nINSERT INTO u\n VALUES(1, 2);\n"
    for (input, place) in [
      ("selct;\n", "line 1: "), ("\n.frobnicate\n", "line 2: "),
      ("select 1;\n.read \(inner)\n", "\(inner), line 3: "), (dump + "COMMIT;\n", "line 5: "), (dump, "line 5: "),
    ] {
      for options in [[], ["--keep-going"]] {
        let outcome = try Martlet.run(["sql", url] + options, input: input)
        #expect(outcome.status == 1 && outcome.complaint.contains("Error: \(place)"), "\(outcome.complaint)")
        #expect(outcome.complaint.components(separatedBy: "line ").count == 2, "\(outcome.complaint)")
        try #require(try Martlet.run(["sql", url, "drop table if exists u"]).status == 0)
      }
    }
    // One line that somebody has just typed needs no number.
    let typed = try Martlet.run(["sql", url, "selct"])
    #expect(typed.status == 1 && !typed.complaint.contains("line 1"), "\(typed.complaint)")
  }

  @Test func `a script that is no text of UTF-8 is refused at the line, and changes nothing otherwise than it says`()
    throws
  {
    let latin = try shop.file("latin.sql", Array("insert into t values (1, 1);\n-- caf".utf8) + [0xE9, 0x0A])
    for isRead in [false, true] {
      let outcome =
        isRead
        ? try Martlet.run(["sql", url], input: ".read \(latin)\n") : try Martlet.run(["sql", url], inputPath: latin)
      #expect(outcome.status == 1)
      #expect(outcome.complaint.contains("line 2: This is no text of UTF-8."), "\(outcome.complaint)")
      #expect(try rows() == ["1"])
      #expect(try Martlet.run(["sql", url, "delete from t"]).status == 0)
    }
    // A dump is one script: nothing of it is there.
    let dump = try shop.file(
      "dump.sql",
      Array("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nINSERT INTO t VALUES(1,'caf".utf8) + [0xE9]
        + Array("');\nCOMMIT;\n".utf8))
    let outcome = try Martlet.run(["sql", url], inputPath: dump)
    #expect(outcome.status == 1 && outcome.complaint.contains("line 3: This is no text of UTF-8."), "\(outcome)")
    #expect(try rows().isEmpty)
  }

  @Test func `standard input that cannot be read is no empty script`() throws {
    let outcome = try Martlet.run(["sql", url], inputPath: folder.path)
    #expect(outcome.status == 1 && outcome.complaint.hasPrefix("Error: Standard input cannot be read: "), "\(outcome)")
  }

  @Test func `where rows go is a setting, and no output of its own`() throws {
    let (once, output) = (folder.path + "/once.txt", folder.path + "/output.txt")
    let script =
      ".mode list\n.headers off\n.once \(once)\n.output \(output)\nselect 'kept';\n.output\nselect 'shown';\n"
    let outcome = try Martlet.run(["sql", url], input: script)
    #expect(
      outcome.status == 0 && outcome.output.hasSuffix("shown\n") && !outcome.output.contains("kept"), "\(outcome)")
    #expect(try String(contentsOfFile: output, encoding: .utf8).contains("kept"))
  }

  @Test func `a file that reads itself comes to an end`() throws {
    let file = folder.path + "/loop.sql"
    try "insert into t(b) values (1);\n.read \(file)\n".write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try Martlet.run(["sql", url], input: ".read \(file)\n")
    #expect(outcome.status == 1)
    #expect(outcome.complaint.contains("may read itself"))
    #expect(try rows().count == 16)
  }

  @Test func `a foreign key may point forward inside of a script's transaction`() throws {
    let outcome = try Martlet.run(
      ["sql", url],
      input: """
        PRAGMA foreign_keys=OFF;
        BEGIN;
        CREATE TABLE kid(a REFERENCES t(a));
        UPDATE t SET b = 1;
        INSERT INTO kid VALUES (7);
        INSERT INTO t VALUES (7, 7);
        COMMIT;
        """)
    #expect(outcome.status == 0, "\(outcome.complaint)")
    #expect(try rows("select a from kid") == ["7"])
  }

  // MARK: - Dumps

  /// What the shell of SQLite says of a file or a script.
  static func sqlite(_ path: String, _ input: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = [path]
    let (into, out) = (Pipe(), Pipe())
    process.standardInput = into
    process.standardOutput = out
    try process.run()
    into.fileHandleForWriting.write(Data(input.utf8))
    try into.fileHandleForWriting.close()
    let data = out.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  static let hasShell = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  // To Swift a quote with an accent behind it is another character than a quote.
  @Test func `a name with a quote and an accent stays a name in a dump`() throws {
    let name = "a\"\"\u{308}; DROP TABLE bystander; --"
    let script = """
      create table bystander(x);
      create table "\(name)"(x, "y\"\"\u{301}, z");
      insert into "\(name)" values (1, 2);
      .dump
      """
    let dump = try Martlet.run(["sql", "--create", server.url(database: "accents")], input: script)
    #expect(dump.status == 0, "\(dump.complaint)")
    let copy = server.url(database: "accents-copy")
    let outcome = try Martlet.run(["sql", "--create", copy], input: dump.output)
    #expect(outcome.status == 0, "\(outcome.complaint)")
    let query = "select count(*) from bystander; select x, \"y\"\"\u{301}, z\" from \"\(name)\""
    #expect(try Martlet.run(["sql", copy, query, "--format", "csv"]).output.contains("1,2"))
  }

  @Test func `lines may end as on Windows, in an argument too`() throws {
    let script =
      "create table ends(a); -- one\r\ninsert into ends values (1);\r\n.mode csv\r\nselect a + 1 from ends;\r\n"
    for (name, outcome) in [
      ("given", try Martlet.run(["sql", "--create", server.url(database: "given"), script])),
      ("piped", try Martlet.run(["sql", "--create", server.url(database: "piped")], input: script)),
    ] {
      #expect(outcome.status == 0 && outcome.lines.last?.hasPrefix("2") == true, "\(name): \(outcome)")
    }
  }

  private func roundTrip(_ source: String) async throws {
    let dump = try Self.sqlite(source, ".dump")
    let copy = server.url(database: "dump")
    let outcome = try Martlet.run(["sql", "--create", copy], input: dump)
    try #require(outcome.status == 0, "\(outcome.complaint)")
    #expect(outcome.complaint.contains("The dump was imported"))
    let before = try await TransferTests.contents(of: source)
    let after = try await TransferTests.contents(of: server.directory + "/dump.sqlite")
    #expect(Set(before.keys) == Set(after.keys))
    for (table, rows) in before where table != "the schema" { #expect(after[table] == rows, "\(table)") }
    #expect(after["the schema"]?.count == before["the schema"]?.count)
  }

  @Test(.enabled(if: hasShell, "there is no sqlite3"))
  func `a dump with everything that makes dumping hard goes in whole`() async throws {
    let source = folder.path + "/hard.sqlite"
    _ = try Self.sqlite(
      source,
      """
      CREATE TABLE child(id INTEGER PRIMARY KEY, p REFERENCES parent(code));
      CREATE TABLE parent(id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT, body);
      CREATE UNIQUE INDEX parent_code ON parent(code);
      CREATE TABLE log(what);
      CREATE TRIGGER noted AFTER INSERT ON child BEGIN INSERT INTO log VALUES ('a; b'); DELETE FROM log WHERE 0; END;
      CREATE VIEW v AS SELECT 'x;y' AS "a;b";
      CREATE VIRTUAL TABLE search USING fts5(title, body);
      CREATE VIRTUAL TABLE box USING rtree(id, low, high);
      INSERT INTO parent(code, body) VALUES ('a', x'00ff'), ('b', 'line' || char(10) || 'feed;'), ('c', 1e308);
      DELETE FROM parent WHERE code = 'c';
      INSERT INTO child VALUES (1, 'a'), (2, 'b');
      INSERT INTO search(rowid, title, body) VALUES (7, 'swift; bird', 'it''s');
      INSERT INTO box VALUES (1, 2, 3);
      """)
    try await roundTrip(source)
    let found = try Martlet.run([
      "sql", server.url(database: "dump"), "select rowid from search where search match 'bird'", "--format", "csv",
    ])
    #expect(found.output == "rowid\n7\n")
    // The trigger was not there yet when the rows came.
    let noted = try Martlet.run(["sql", server.url(database: "dump"), "select count(*) from log", "--format", "csv"])
    #expect(noted.output == "count(*)\n2\n")
  }

  @Test(.enabled(if: hasShell && TransferTests.chinook != nil, "shared/data/chinook.sqlite or sqlite3 is not here"))
  func `a dump of Chinook goes in whole`() async throws {
    try await roundTrip(try #require(TransferTests.chinook))
  }

  @Test(.enabled(if: hasShell, "there is no sqlite3"))
  func `a dump for SQLite's shell keeps the ends of lines that are in texts`() throws {
    let texts = ["x\r\ny", "\r", "\\r\r\n", "a\rb\n"]
    let values = texts.enumerated().map { index, text in
      "(\(index), x'\(text.utf8.map { String(format: "%02x", $0) }.joined())')"
    }
    let sql = "insert into t values \(values.joined(separator: ", ")); update t set b = cast(b as text)"
    try #require(try Martlet.run(["sql", url, sql]).status == 0)
    let dump = try Martlet.run(["sql", url, ".dump"])
    let asked = dump.output + "select hex(b) from t order by a;\n"
    let expected = texts.map { $0.utf8.map { String(format: "%02X", $0) }.joined() + "\n" }.joined()
    #expect(try Self.sqlite(folder.path + "/back.sqlite", asked) == expected)
    // And this program reads it back.
    let copy = server.url(database: "copy")
    try #require(try Martlet.run(["sql", "--create", copy], input: dump.output).status == 0)
    let hex = try Martlet.run(["sql", copy, "select hex(b) from t order by a", "--format", "csv"])
    #expect(hex.output == "hex(b)\n" + expected)
  }

  @Test func `unistr of later dumps is understood`() throws {
    let copy = server.url(database: "escaped")
    let outcome = try Martlet.run(
      ["sql", "--create", copy],
      input: #"""
        PRAGMA foreign_keys=OFF;
        BEGIN TRANSACTION;
        CREATE TABLE t(a TEXT);
        INSERT INTO t VALUES(unistr('a\u000ab\\c\+01F600'));
        COMMIT;
        """#)
    #expect(outcome.status == 0, "\(outcome.complaint)")
    let json = try Martlet.run(["sql", copy, "select a from t", "--format", "json"])
    #expect(json.output == "[\n{\"a\":\"a\\nb\\\\c😀\"}\n]\n")
  }

  @Test func `a dump that makes a table only if it is missing adds its rows`() throws {
    func dump(_ name: String, _ rows: String) -> String {
      "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE u\(name)(a);\n"
        + "CREATE TABLE IF NOT EXISTS \"\(name)\" (a integer primary key, b);\n"
        + "INSERT INTO \"\(name)\" VALUES\(rows);\nCOMMIT;\n"
    }
    #expect(try Martlet.run(["sql", url], input: dump("T", "(7,8)")).status == 0)
    #expect(try rows() == ["7"])
    let taken = try Martlet.run(["sql", url], input: dump("t", "(8,8),(7,7)"))
    #expect(taken.status == 1 && taken.complaint.contains("line 3: "), "\(taken)")
    let again = try Martlet.run(["sql", url], input: dump("t", "(8,8),(7,7)").replacing("TABLE ut", with: "TABLE w"))
    #expect(again.status == 1 && again.complaint.contains("line 5: "), "\(again)")
    #expect(try rows() == ["7"])
    // Where it is missing the dump goes in as a whole.
    let whole = try Martlet.run(["sql", url], input: dump("n", "(1,1)"))
    #expect(whole.status == 0 && whole.complaint.contains("The dump was imported: 1 row in 2 tables."), "\(whole)")
  }

  @Test func `a dump that does not fit what is there changes nothing`() throws {
    let dump =
      "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE u(a);\nINSERT INTO u VALUES(1);\n"
      + "CREATE TABLE t(a);\nINSERT INTO t VALUES(1);\nCOMMIT;\n"
    let outcome = try Martlet.run(["sql", url], input: dump)
    #expect(outcome.status == 1)
    #expect(outcome.complaint.contains("lines 1 to 7: ") && outcome.complaint.contains("t already exists"))
    #expect(try rows("select name from sqlite_schema where name in ('t', 'u')") == ["t"])
  }
}
