/// `martlet sql` against a server: what it prints, and how it ends.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletCommand

struct SQLCommandTests {
  let shop: ServedShop
  var server: ServerProcess { shop.server }
  var url: String { shop.url }

  init() throws {
    shop = try ServedShop(making: "create table items(id integer primary key, title text, price real)")
  }

  @Test(arguments: [
    (["sql", "u", "-- c\nselect 1", "--format", "csv"], ["sql", "u", "--format", "csv", "--", "-- c\nselect 1"]),
    (["sql", "u", "--\nselect 1"], ["sql", "u", "--", "--\nselect 1"]),
    (["sql", "u", "--", "-- c"], ["sql", "u", "--", "-- c"]), (["sql", "u", "--create"], ["sql", "u", "--create"]),
    (["sql", "u", "--c\nselect 1"], ["sql", "u", "--", "--c\nselect 1"]),
    (["sql", "u", "--format=x y", "z"], ["sql", "u", "--format=x y", "z"]),
    (["import", "u", "-- c"], ["import", "u", "-- c"]), ([], []),
  ])
  func `a text that begins with a comment is no option`(words: [String], parsed: [String]) {
    #expect(SQLCommand.withTextLast(words) == parsed)
  }

  @Test func `statements run in their order and rows come in the format that was asked for`() throws {
    let sql = "insert into items values (1, 'Tea', 4.5), (2, null, 6); select * from items order by id"
    let table = try Martlet.run(["sql", url, sql])
    #expect(table.output == "id  title  price\n--  -----  -----\n 1  Tea      4.5\n 2  NULL     6.0\n")
    let csv = try Martlet.run(["sql", url, "select * from items order by id", "--format", "csv"])
    #expect(csv.output == "id,title,price\n1,Tea,4.5\n2,,6.0\n")
    let json = try Martlet.run(["sql", url, "select * from items order by id", "--format", "json"])
    let rows = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
    #expect(rows?.count == 2)
    #expect(rows?[0]["title"] as? String == "Tea")
    #expect(rows?[1]["title"] is NSNull)
  }

  @Test func `where the reader of the output leaves, the exit code is that of SIGPIPE and nothing is said`() throws {
    let numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000)"
    let make = "\(numbers) insert into items(title) select 'number ' || i from n"
    try #require(try Martlet.run(["sql", url, make]).status == 0)
    let script = try shop.file("rows.sql", "select * from items;\n")
    for words in [
      ["sql", url, "select * from items"], ["sql", url, ".read \(script)"], ["sql", "--keep-going", url, ".dump"],
      ["export", url, "-", "--table", "items", "--format", "json"],
    ] {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "{ \"$0\" \"$@\"; echo $? >&2; } | head -1"]
      process.arguments? += [try ServerProcess.program()] + words
      let (output, complaint) = (Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = complaint
      try process.run()
      let said = try complaint.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(String(decoding: said, as: UTF8.self) == "141\n", "\(words)")
    }
  }

  @Test func `a list is what SQLite's shell prints, with a header if it is asked for`() throws {
    let sql = "select 1 as a, 'x' || char(9, 10) || 'y' as b, null as c"
    #expect(try Martlet.run(["sql", url, sql, "--format", "list"]).output == "1|x\t\ny|\n")
    #expect(try Martlet.run(["sql", url, sql, "--format", "list", "--headers"]).output == "a|b|c\n1|x\t\ny|\n")
    #expect(try Martlet.run(["sql", url, sql, "--format", "quote"]).output == "1,'x\t\ny',NULL\n")
    #expect(try Martlet.run(["sql", url, sql, "--format", "csv", "--no-headers"]).output == "1,\"x\t\ny\",\n")
    let script = try Martlet.run(["sql", url], input: ".mode list\n.headers on\nselect 1 as a, 2 as b;\n")
    #expect(script.output == "a|b\n1|2\n", "\(script)")
  }

  @Test func `a script on standard input stops at its first error`() throws {
    let script = """
      -- a script
      insert into items(title) values ('a; b');
      insert into nowhere values (1);
      insert into items(title) values ('never');
      """
    let outcome = try Martlet.run(["sql", url], input: script)
    #expect(outcome.status == 1)
    #expect(outcome.complaint.hasPrefix("Error: "))
    #expect(outcome.complaint.contains("nowhere"))
    let titles = try Martlet.run(["sql", url, "select title from items", "--format", "csv"])
    #expect(titles.output == "title\na; b\n")
  }

  @Test func `the shell's commands work in scripts`() throws {
    let outcome = try Martlet.run(
      ["sql", url], input: ".tables\n.mode csv\nselect 1 as one;\n.schema items\n.quit\nnonsense")
    #expect(outcome.status == 0)
    #expect(
      outcome.output
        == "items\none\n1\nCREATE TABLE items(id integer primary key, title text, price real);\n")
  }

  @Test func `some tables are dumped, and a table that is not there is told with its name`() throws {
    try #require(
      try Martlet.run(["sql", url, "create table a(x); create table b(x); insert into b values (1)"]).status == 0)
    let dump = try Martlet.run(["sql", url, ".dump a B;"])
    #expect(dump.output.contains("TABLE a") && dump.output.contains("INTO \"b\"") && !dump.output.contains("items"))
    for command in [".dump a itms", ".indexes itms", ".schema itms"] {
      let outcome = try Martlet.run(["sql", url, command])
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.complaint.contains("There is no table itms. Did you mean items?"), "\(outcome.complaint)")
    }
    #expect(
      try Martlet.run(["sql", url, ".version"]).output.hasPrefix("martlet \(ProgramVersion.text), with SQLite 3."))
  }

  @Test func `an error shows the place in the statement`() throws {
    let outcome = try Martlet.run(["sql", url, "select id,\n  nope from items"])
    #expect(outcome.status == 1)
    #expect(outcome.complaint.contains("nope"))
    #expect(outcome.complaint.contains("\n    nope from items\n    ^"))
    #expect(outcome.output.isEmpty)
  }

  @Test func `a large result streams`() throws {
    let sql = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000) select i from n"
    let outcome = try Martlet.run(["sql", url, sql, "--format", "csv"])
    #expect(outcome.status == 0, "\(outcome.complaint)")
    #expect(outcome.lines.count == 300_001)
    #expect(outcome.lines.last == "300000")
  }

  @Test func `a database that is not there is a sentence`() throws {
    let outcome = try Martlet.run(["sql", server.url(database: "missing"), "select 1"])
    #expect(outcome.status == 1)
    #expect(outcome.complaint.split(separator: "\n").count == 1)
    #expect(
      outcome.complaint.contains(
        "called missing here. Name another, or make it: --create, or martlet databases create."),
      "\(outcome.complaint)")
    // These have no --create that makes a database, and are no program.
    let url = server.url(database: "missing")
    for arguments in [
      ["databases", "drop", "--yes", url], ["export", url, shop.folder.path + "/copy"], ["check", url],
    ] {
      let other = try Martlet.run(arguments)
      #expect(
        other.status == 1 && other.complaint.contains("make it: martlet databases create.")
          && !other.complaint.contains("createsDatabase"), "\(other.complaint)")
    }
    let connected = try Martlet.run(["sql", self.url], input: ".connect missing\n")
    #expect(connected.complaint.contains("make it: martlet databases create."), "\(connected.complaint)")
  }

  @Test func `names of SQLite's for formats are known on the command line as in the shell`() throws {
    let sql = "select 1 as a, 2 as b"
    for (name, output) in [("box", "a  b\n-  -\n1  2\n"), ("column", "a  b\n-  -\n1  2\n"), ("tabs", "a\tb\n1\t2\n")] {
      let run = try Martlet.run(["sql", url, sql, "--format", name])
      #expect(run.status == 0 && run.output == output, "\(run)")
      #expect(try Martlet.run(["sql", url], input: ".mode \(name)\n\(sql);\n").output == output)
    }
    let unknown = try Martlet.run(["sql", url, sql, "--format", "html"])
    #expect(unknown.status == 64 && unknown.complaint.contains("- table\n"), "\(unknown)")
    let file = shop.folder.path + "/items"
    try #require(try Martlet.run(["sql", url, "insert into items values (1, 'Tea', 2)"]).status == 0)
    #expect(try Martlet.run(["export", url, file, "--table", "items", "--format", "tabs"]).status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "id\ttitle\tprice\n1\tTea\t2.0\n")
  }

  @Test func `a value that nobody can bind is told so`() throws {
    let outcome = try Martlet.run(["sql", url, "select ?1"])
    #expect(outcome.status == 1)
    #expect(outcome.complaint.contains("takes 1 parameter, and none came with it"), "\(outcome.complaint)")
    #expect(outcome.complaint.contains("A shell binds nothing. Write the values"), "\(outcome.complaint)")
  }

  @Test func `what is refused has its name`() throws {
    let function = try Martlet.run(["sql", url, "select load_extension('x')"])
    #expect(function.complaint.contains("call the function load_extension."), "\(function.complaint)")
    let module = try Martlet.run(["sql", url, "create virtual table v using dbstat"])
    #expect(module.complaint.contains("use the table module dbstat."), "\(module.complaint)")
  }

  @Test func `a query has the time that --timeout says`() throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data")
    let url = server.url(database: "a")
    let endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    let late = try Martlet.run(["sql", "--create", url, "--timeout", "0.2", endless])
    #expect(late.status == 1 && late.complaint.contains("--timeout says how long it may take."), "\(late)")
    let inTime = try Martlet.run(["sql", "--create", url, "--timeout", "60", "select 1 as one", "--format", "csv"])
    #expect(inTime.output == "one\n1\n", "\(inTime)")
    // In a database that the shell has gone over to, too.
    try #require(try Martlet.run(["sql", "--create", server.url(database: "other"), "select 1"]).status == 0)
    let elsewhere = try Martlet.run(["sql", url, "--timeout", "0.2"], input: ".connect other\n\(endless);\n")
    #expect(elsewhere.status == 1 && elsewhere.complaint.contains("--timeout says"), "\(elsewhere)")
    for wrong in ["0", "-1", "nan", "x"] {
      #expect(try Martlet.run(["sql", url, "--timeout=\(wrong)", "select 1"]).status == 64, "\(wrong)")
    }
  }

  @Test func `a file with errors does not end the script that reads it, if that goes on after errors`() throws {
    let inner = try shop.file("inner.sql", "select 7;\nselct;\nselect 8;\n")
    let rows = try Martlet.run(
      ["sql", url, "--keep-going", "--format", "csv"],
      input: "begin;\ninsert into items(title) values ('Cup');\n.read \(inner)\ncommit;\nselect title from items;\n")
    #expect(rows.status == 1)
    #expect(rows.output == "7\n7\n8\n8\ntitle\nCup\n", "\(rows.output) \(rows.complaint)")
    let strict = try Martlet.run(["sql", url, "--format", "csv"], input: ".read \(inner)\nselect 9;\n")
    #expect(strict.status == 1 && strict.output == "7\n7\n", "\(strict.output)")
  }

  @Test func `what scripts of SQLite's shell begin and end with means the same`() throws {
    for (script, status, output) in [
      (".bail on\n.echo off\n.changes off\nselect 1 as a;\n", 0, "a\n1\n"), (".exit 3\nselect 1;\n", 3, ""),
      ("select 1 as a;\n.quit 4\n", 4, "a\n1\n"), (".exit\n", 0, ""), (".bail off\n", 1, ""), (".exit x\n", 1, ""),
    ] as [(String, Int32, String)] {
      let outcome = try Martlet.run(["sql", url, "--format", "csv"], input: script)
      #expect(outcome.status == status && outcome.output == output, "\(script): \(outcome.output) \(outcome.complaint)")
    }
  }

  @Test func `a file that leaves with a status ends the script that reads it, too`() throws {
    let guardFile = try shop.file("guard.sql", "select 7 as a;\n.exit 3\nselect 8;\n")
    for options in [[], ["--keep-going"]] {
      let outcome = try Martlet.run(
        ["sql", url, "--format", "csv"] + options,
        input: "begin;\ninsert into items(title) values ('never');\n.read \(guardFile)\ncommit;\n")
      #expect(outcome.status == 3 && outcome.output == "a\n7\n", "\(outcome.output) \(outcome.complaint)")
    }
    #expect(try Martlet.run(["sql", url, "select title from items", "--format", "csv"]).output == "title\n")
  }

  @Test func `a name that no database can have is an error with its line`() throws {
    let outcome = try Martlet.run(
      ["sql", url, "--keep-going", "--format", "csv"], input: "\n.open x.db\nselect 1 as a;\n")
    #expect(outcome.status == 1 && outcome.output == "a\n1\n", "\(outcome.output)")
    #expect(outcome.complaint.contains("line 2: ") && outcome.complaint.contains("1 to 64"), "\(outcome.complaint)")
    #expect(!outcome.complaint.contains("Usage"))
  }

  @Test func `a copy is not made inside of a transaction whose changes it would not have`() throws {
    let path = shop.folder.path + "/copy.sqlite"
    let outcome = try Martlet.run(
      ["sql", url], input: "begin;\ninsert into items(title) values ('Cup');\n.backup \(path)\ncommit;\n")
    #expect(outcome.status == 1 && outcome.complaint.contains("COMMIT or ROLLBACK first"), "\(outcome.complaint)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
