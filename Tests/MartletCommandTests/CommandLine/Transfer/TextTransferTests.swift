/// Text in and out with the built program: JSON, CSV that comes back value for value, results that are paged.
import Foundation
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct TextTransferTests {
  let shop: ServedShop
  var folder: TemporaryFolder { shop.folder }
  var url: String { shop.url }

  init() throws { shop = try ServedShop(making: "select 1") }

  @Test func `JSON and JSON lines become a table with the columns of all records`() throws {
    let text = """
      {"name":"Tea","price":2.5}
      {"name":"Cup","tags":["a",{"b":1}],"stock":3}
      {"stock":true}

      """
    for (name, content) in [
      ("a.jsonl", text), ("b.json", "[" + text.split(separator: "\n").joined(separator: ",\n") + "]"),
    ] {
      let table = String(name.prefix(1))
      let run = try Martlet.run(["import", url, try shop.file(name, content), "--table", table, "--create"])
      #expect(run.status == 0, "\(run)")
      #expect(
        try shop.rows("select name, price, tags, stock, typeof(price), typeof(stock) from \(table)") == [
          "Tea,2.5,,,real,null", #"Cup,,"[""a"",{""b"":1}]",3,null,integer"#, ",,,1,null,integer",
        ])
    }
    // A mistake is told with its place, and nothing is there.
    let broken = try Martlet.run([
      "import", url, try shop.file("c.jsonl", "{\"a\":1}\n{\"a\":}\n"), "--table", "c", "--create",
    ])
    #expect(broken.status == 1 && broken.complaint.contains("c.jsonl, line 2, column 6"), "\(broken)")
    #expect(try shop.rows("select count(*) from sqlite_schema where name = 'c'") == ["0"])
    // What export writes comes back, and goes on behind what is there.
    let out = folder.path + "/out.jsonl"
    #expect(try Martlet.run(["export", url, out, "--table", "a"]).status == 0)
    #expect(try Martlet.run(["import", url, out, "--table", "a"]).status == 0)
    #expect(try shop.rows("select count(*), count(tags), sum(stock) from a") == ["6,2,8"])
    #expect(try Martlet.run(["import", url, out, "--table", "a", "--replace"]).status == 0)
    #expect(try shop.rows("select count(*) from a") == ["3"])
  }

  @Test func `a pipe and an open file take the rows as they come, and no file is made beside them`() throws {
    try #require(try Martlet.run(["sql", url, "create table p(a); insert into p values (1), (2)"]).status == 0)
    let pipe = folder.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let (reader, read) = (Process(), Pipe())
    reader.executableURL = URL(filePath: "/bin/cat")
    reader.arguments = [pipe]
    reader.standardOutput = read
    try reader.run()
    let run = try Martlet.run(["export", url, pipe, "--table", "p", "--format", "csv"])
    #expect(run.status == 0 && run.output.isEmpty, "\(run)")
    #expect(String(decoding: read.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == "a\n1\n2\n")
    reader.waitUntilExit()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("pipe") } == ["pipe"])
    for path in ["/dev/stdout", "-", "/dev/fd/1"] {
      let run = try Martlet.run(["export", url, path, "--table", "p", "--format", "csv"])
      #expect(run.status == 0 && run.output == "a\n1\n2\n", "\(run)")
    }
    let whole = try Martlet.run(["export", url, pipe])
    #expect(whole.status == 1 && whole.complaint.contains("\(pipe) is no ordinary file"), "\(whole)")
  }

  @Test func `every value comes back through exact CSV and TSV`() throws {
    let made = try Martlet.run([
      "sql", url,
      "create table v(id integer primary key, x); insert into v(x) values (null), (''), ('NULL'), ('1'), (1), (1.0), "
        + "(-0.5), (x''), (x'00ff0a22'), ('X''00'''), ('a,\"b\"'), ('line' || char(10) || 'two'), (9e999), "
        + "(9223372036854775807), (' x '), ('\\N'), ('é音')",
    ])
    try #require(made.status == 0, "\(made)")
    let all = "select group_concat(id || typeof(x) || quote(x), '|') from"
    let wanted = try shop.rows("\(all) v")
    for (ending, options) in [("csv", []), ("tsv", []), ("csv", ["--null", "\\N"])] as [(String, [String])] {
      let path = folder.path + "/v\(options.count).\(ending)"
      let out = try Martlet.run(["export", url, path, "--table", "v", "--exact"] + options)
      #expect(out.status == 0, "\(out)")
      let back = try Martlet.run(["import", url, path, "--table", "w", "--create", "--exact"] + options)
      #expect(back.status == 0, "\(back)")
      #expect(try shop.rows("\(all) w") == wanted, "\(ending) \(options)")
      try #require(try Martlet.run(["sql", url, "drop table w"]).status == 0)
    }
    let wrong = try Martlet.run([
      "import", url, try shop.file("x.csv", "a,b\n1,2\n3,four\n"), "--table", "x", "--create", "--exact",
    ])
    #expect(wrong.status == 1 && wrong.complaint.contains("x.csv, line 3, column 3"), "\(wrong)")
  }

  @Test(arguments: [["--exact"], []])
  func `a file of one column keeps its empty lines, which are NULL`(options: [String]) throws {
    try #require(
      try Martlet.run(["sql", url, "create table o(x); insert into o values (1), (null), (2), (null), (null)"]).status
        == 0)
    for ending in ["csv", "tsv"] {
      let path = folder.path + "/o.\(ending)"
      #expect(try Martlet.run(["export", url, path, "--table", "o"] + options).status == 0)
      let back = try Martlet.run(["import", url, path, "--table", ending, "--create"] + options)
      #expect(back.status == 0 && back.output.contains("5 rows"), "\(back)")
      #expect(try shop.rows("select count(*), count(x), typeof(max(x)) from \(ending)") == ["5,2,integer"])
    }
  }

  @Test(arguments: ["csv", "tsv", "json", "jsonl"])
  func `infinite numbers come back from text, into a column that is made for them`(ending: String) throws {
    let make =
      "create table o(id integer primary key, x real); insert into o(x) values (9e999), (-9e999), (1.5), (null)"
    try #require(try Martlet.run(["sql", url, make]).status == 0)
    let path = folder.path + "/o." + ending
    #expect(try Martlet.run(["export", url, path, "--table", "o"]).status == 0)
    let back = try Martlet.run(["import", url, path, "--table", "back", "--create"])
    #expect(back.status == 0, "\(back.complaint)")
    let query =
      "select group_concat(typeof(x) || (x = 9e999) || (x = -9e999), ' ') from (select x from back order by id)"
    #expect(try shop.rows(query) == ["real10 real01 real00"])
    #expect(try shop.rows("select type from pragma_table_info('back') where name = 'x'") == ["REAL"])
  }

  @Test func `values of several types under one name of JSON stay what they are`() throws {
    let text = """
      {"n":1,"m":0.1,"h":1e400,"b":true,"w":0.5}
      {"n":"x","m":1,"h":1,"b":"no","w":9007199254740993}
      {"n":null,"m":18446744073709551616,"h":null,"b":2.5,"w":1}

      """
    let run = try Martlet.run(["import", url, try shop.file("mixed.jsonl", text), "--table", "mixed", "--create"])
    #expect(run.status == 0, "\(run)")
    #expect(
      try shop.rows("select typeof(n), n, typeof(m), m, typeof(h), h, typeof(b), b, typeof(w), w from mixed") == [
        "integer,1,real,0.1,text,1e400,integer,1,real,0.5",
        "text,x,integer,1,integer,1,text,no,integer,9007199254740993",
        "null,,text,18446744073709551616,null,,real,2.5,integer,1",
      ])
  }

  @Test func `a file without records adds none, replaces all, and makes no table`() throws {
    try #require(try Martlet.run(["sql", url, "create table none(a)"]).status == 0)
    for name in ["none.json", "none.jsonl"] {
      let path = folder.path + "/" + name
      try #require(try Martlet.run(["export", url, path, "--table", "none"]).status == 0)
      try #require(try Martlet.run(["sql", url, "insert into none values (1), (2)"]).status == 0)
      let added = try Martlet.run(["import", url, path, "--table", "none", "--append"])
      #expect(added.status == 0, "\(added)")
      #expect(try shop.count("none") == 2)
      let replaced = try Martlet.run(["import", url, path, "--table", "none", "--replace"])
      #expect(replaced.status == 0, "\(replaced)")
      #expect(try shop.count("none") == 0)
      let made = try Martlet.run(["import", url, path, "--table", "made", "--create"])
      #expect(made.status == 1 && made.complaint.contains("\(name) holds no record with a value."), "\(made)")
      #expect(try shop.count("made") == nil)
    }
    // A file that is cut to nothing is no array, and records without a name are no rows.
    try #require(try Martlet.run(["sql", url, "insert into none values (1)"]).status == 0)
    for (name, content) in [("cut.json", ""), ("nameless.json", "[{}]"), ("nameless.jsonl", "{}\n")] {
      let run = try Martlet.run(["import", url, try shop.file(name, content), "--table", "none", "--replace"])
      #expect(run.status == 1 && run.complaint.contains("holds no record with a value."), "\(run)")
      #expect(try shop.count("none") == 1)
    }
  }

  @Test func `a header without records goes into a table that is there and has its columns, and into no other`() throws
  {
    try #require(try Martlet.run(["sql", url, "create table none(a, b)"]).status == 0)
    func add(_ header: String, to table: String, _ option: String) throws -> Martlet.Outcome {
      try Martlet.run(["import", url, try shop.file("header.csv", header + "\n"), "--table", table, option])
    }
    for option in ["--append", "--replace"] {
      #expect(try add("b,a", to: "none", option).status == 0)
      let missing = try add("a,b", to: "nowhere", option)
      #expect(missing.status == 1 && missing.complaint.contains("No such table: nowhere."), "\(missing)")
      let other = try add("a,c", to: "none", option)
      #expect(other.status == 1 && other.complaint.contains("no column named c"), "\(other)")
    }
    #expect(try add("a,b", to: "made", "--create").status == 0)
    #expect(try shop.count("made") == 0)
  }

  @Test(arguments: ["csv", "tsv", "json", "jsonl"])
  func `an export of a table with generated columns goes in again, without their values`(format: String) throws {
    let sql =
      "create table g(a, b as (a * 2) stored, c text as ('v' || a), d); insert into g(a, d) values (1, 'x'), (2, null)"
    try #require(try Martlet.run(["sql", "--create", url, sql]).status == 0)
    let before = try shop.rows("select * from g")
    let path = shop.folder.path + "/g." + format
    try #require(try Martlet.run(["export", url, path, "--table", "g"]).status == 0)
    let run = try Martlet.run(["import", url, path, "--table", "G", "--replace"])
    #expect(run.status == 0, "\(run)")
    for name in ["b", "c"] {
      #expect(
        run.complaint.contains("Note: The column \(name) is generated, so the file's values of it were left out."),
        "\(run.complaint)")
    }
    #expect(try shop.rows("select * from g") == before)
    let alone = try Martlet.run(["import", url, try shop.file("b.csv", "b\n1\n"), "--table", "g"])
    #expect(alone.status == 1 && alone.complaint.contains("annot INSERT into generated column"), "\(alone)")
  }

  @Test(arguments: [512, 513, 2_000])
  func `a file has as many columns as a table may have`(width: Int) throws {
    let names = (1...width).map { "c\($0)" }.joined(separator: ",")
    let rows = (1...5).map { row in (1...width).map { "\(row * $0)" }.joined(separator: ",") }
    let path = try shop.file("wide\(width).csv", ([names] + rows).joined(separator: "\n") + "\n")
    let run = try Martlet.run(["import", url, path, "--table", "wide\(width)", "--create"])
    #expect(run.status == 0 && run.output.contains("5 rows"), "\(run)")
    #expect(
      try shop.rows("select count(*), sum(c1), sum(c\(width)), typeof(c\(width)) from wide\(width)")
        == ["5,15,\(15 * width),integer"])
  }

  @Test func `options that do not fit the format are refused`() throws {
    let path = try shop.file("a.json", "[]")
    for arguments in [
      ["import", url, path, "--table", "t", "--exact"], ["import", url, path, "--table", "t", "--null", "x"],
      ["import", url, path, "--format", "json"], ["export", url, "t.json", "--table", "t", "--exact"],
      ["export", url, "t.csv", "--table", "t", "--null", "a,b"],
      ["export", url, "t.csv", "--table", "t", "--null", "-1"],
      ["export", url, "t.csv", "--table", "t", "--null", "1e3"],
      ["export", url, "t.sqlite", "--exact"],
    ] {
      let run = try Martlet.run(arguments)
      #expect(run.status == 64, "\(arguments): \(run)")
    }
  }

  @Test func `a table that is not there, or there already, is told with the option that was meant`() throws {
    let path = try shop.file("z.csv", "a,b\n1,2\n")
    let missing = try Martlet.run(["import", url, path, "--table", "z"])
    #expect(missing.status == 1 && missing.complaint.contains("--create makes the table."), "\(missing)")
    try #require(try Martlet.run(["import", url, path, "--table", "z", "--create"]).status == 0)
    let again = try Martlet.run(["import", url, path, "--table", "z", "--create"])
    #expect(again.status == 1 && again.complaint.contains("--append adds to it"), "\(again)")
    #expect(try shop.rows("select count(*) from z") == ["1"])
  }

  @Test func `a file with fewer fields is told with line and column`() throws {
    let path = try shop.file("y.csv", "a,b,c\n1,2,3\n1,2\n")
    let run = try Martlet.run(["import", url, path, "--table", "y", "--create"])
    #expect(run.status == 1 && run.complaint.contains("line 3, column"), "\(run)")
  }

  @Test func `a long result goes through the pager, and a short one does not`() throws {
    let terminal = try PseudoTerminal(
      ["sql", url], environment: ["MARTLET_HISTORY": folder.path + "/history", "MARTLET_PAGER": "sed 's/^/> /'"])
    try terminal.wait(for: "martlet> ")
    terminal.type("select 'short';\r")
    try terminal.wait(for: "\nshort")
    let series = "with recursive c(i) as (select 1 union all select i + 1 from c where i < "
    terminal.type(series + "100) select i from c;\r")
    try terminal.wait(for: "> 100")
    try terminal.wait(for: "martlet> ")
    terminal.type(".pager off\r" + series + "100) select i from c;\r")
    try terminal.wait(for: "\n100")
    terminal.type(".pager head -n 3\r")
    try terminal.wait(for: "martlet> ")
    // Whoever leaves the pager has the prompt again, and the connection goes on; what was not read is not counted.
    terminal.type(series + "3000000) select i from c;\r")
    try terminal.wait(for: "(stopped after ")
    #expect(try !terminal.wait(for: " rows, ").contains("3,000,000"))
    terminal.type("select 'still' || ' here';\r")
    try terminal.wait(for: "still here")
    // Between two prompts the terminal itself takes Control-D, for whoever reads it then.
    try terminal.wait(for: "martlet> ")
    terminal.type("\u{4}")
    #expect(terminal.end() == 0)
  }
}
