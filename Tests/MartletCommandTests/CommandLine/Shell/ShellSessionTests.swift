/// The shell at a terminal, as a person uses it who knows other shells.
import Foundation
import MartletTestSupport
import Testing

// One after the other, because each blocks a thread of the pool that other tests need.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ShellSessionTests {
  let shop: ServedShop
  var folder: TemporaryFolder { shop.folder }
  var server: ServerProcess { shop.server }
  var url: String { shop.url }

  init() throws {
    shop = try ServedShop(
      making: "create table items(id integer primary key, title text); create index by_title on items(title); "
        + "insert into items values (1, 'Tea'), (2, '\(String(repeating: "long ", count: 30))')")
  }

  private func shell(columns: UInt16 = 80, history: String = "") throws -> PseudoTerminal {
    try shop.file("history", history)
    return try shop.shell(columns: columns)
  }

  @Test func `the prompt shows that a transaction is open, and what is rolled back is gone`() throws {
    let terminal = try shell()
    terminal.type("begin;\r")
    try terminal.wait(for: "martlet*> ")
    terminal.type("insert into items values (3, 'Cup');\r")
    try terminal.wait(for: "1 row changed")
    try terminal.wait(for: "martlet*> ")
    terminal.type("insert into items values (3, 'Cup');\r")
    try terminal.wait(for: "Error: ")
    try terminal.wait(for: "martlet*> ")
    terminal.type("select count(*) from items;\r")
    try terminal.wait(for: "\n       3")
    terminal.type("rollback;\r")
    try terminal.wait(for: "martlet> ")
    terminal.type("select count(*) from items;\r")
    try terminal.wait(for: "\n       2")
    terminal.type("begin; delete from items;\r")
    try terminal.wait(for: "martlet*> ")
    terminal.type("\u{4}")
    try terminal.wait(for: "The open transaction was rolled back.")
    #expect(terminal.end() == 0)
    #expect(try Martlet.run(["sql", url, "select count(*) from items", "--format", "csv"]).output == "count(*)\n2\n")
  }

  @Test func `a table fits the terminal, and where it cannot each value has its line`() throws {
    let terminal = try shell(columns: 40)
    terminal.type("select * from items;\r")
    try terminal.wait(for: "--  ------------------------------------\r\n")
    try terminal.wait(for: "long …\r\n")
    terminal.type("select title a, title b, title c, title d, title e from items;\r")
    try terminal.wait(for: "a = Tea\r\n")
    terminal.type(".mode line\rselect * from items where id = 1;\r")
    try terminal.wait(for: "   id = 1\r\ntitle = Tea\r\n")
    terminal.type("quit\r")
    #expect(terminal.end() == 0)
  }

  @Test func `Tab completes, Control-R finds, and habits are understood`() throws {
    let terminal = try shell(history: "select 'found it';\nselect 2;\n")
    terminal.type("sel\t")
    try terminal.wait(for: "select ")
    terminal.type("title from it\t")
    try terminal.wait(for: "items ")
    terminal.type("where id = 1;\r")
    try terminal.wait(for: "Tea\r\n")
    // Until the next prompt the terminal itself takes what is typed, and Control-R would be its own.
    try terminal.wait(for: "martlet> ")
    terminal.type("\u{12}found")
    try terminal.wait(for: "(search)`found': select 'found it';")
    terminal.type("\r")
    try terminal.wait(for: "found it\r\n")
    terminal.type("\\d\r")
    try terminal.wait(for: "items\r\n")
    terminal.type("\\d items\r")
    try terminal.wait(for: "index by_title (title)")
    terminal.type("\\d+ items\r")
    try terminal.wait(for: "CREATE INDEX by_title")
    terminal.type(".indexes\r")
    try terminal.wait(for: "by_title\r\n")
    terminal.type("\\copy\r")
    try terminal.wait(for: ".import FILE TABLE copies a file in")
    terminal.type("explain query plan select * from items where title = 'x';\r")
    try terminal.wait(for: "QUERY PLAN\r\n`--SEARCH items USING")
    terminal.type("exit\r")
    #expect(terminal.end() == 0)
  }

  @Test func `rows go to a file, and a dump and a backup come back as they were`() throws {
    let terminal = try shell()
    let (rows, dump, copy) = (folder.path + "/rows.csv", folder.path + "/dump.sql", folder.path + "/copy.sqlite")
    terminal.type(
      ".mode csv\r.output \(rows)\rselect id from items;\r.output \(dump)\r.dump\r.output\r.backup \(copy)\r")
    try terminal.wait(for: "copied to")
    terminal.type(".quit\r")
    #expect(terminal.end() == 0)
    #expect(try String(contentsOfFile: rows, encoding: .utf8) == "id\n1\n2\n")
    let again = server.url(database: "again")
    let read = try Martlet.run(["sql", "--create", again], input: try String(contentsOfFile: dump, encoding: .utf8))
    #expect(read.status == 0, "\(read.complaint)")
    for database in [url, again] {
      let found = try Martlet.run([
        "sql", database, "select count(*), sum(length(title)) from items", "--format", "csv",
      ])
      #expect(found.lines.last == "2,153")
    }
    #expect(FileManager.default.fileExists(atPath: copy))
  }

  @Test func `a file of CSV goes into a table that is made for it`() throws {
    let path = folder.path + "/a.csv"
    try "n;m\n1;x\n2;y\n".write(toFile: path, atomically: true, encoding: .utf8)
    let outcome = try Martlet.run(
      ["sql", url], input: ".import \(path) pairs\n.import \(path) pairs\nselect sum(n) from pairs;")
    #expect(outcome.status == 0, "\(outcome.complaint)")
    #expect(outcome.lines.last == "     6")
    let script = "create table doubled(n, m, d as (n * 2));\n.import --csv \(path) doubled\n"
    try "n,m,d\n1,x,2\n".write(toFile: path, atomically: true, encoding: .utf8)
    let noted = try Martlet.run(["sql", url], input: script)
    #expect(noted.complaint.contains("Note: The column d is generated, so the file's values of it were left out."))
  }

  @Test func `what is pasted is what arrives, tabs and lines included`() throws {
    let path = folder.path + "/history"
    let terminal = try PseudoTerminal(
      ["sql", "--no-pager", url], environment: ["MARTLET_HISTORY": path, "TERM": "xterm"])
    // A terminal that marks what is pasted is asked to.
    try terminal.wait(for: "\u{1B}[?2004h")
    try terminal.wait(for: "martlet> ")
    terminal.type("\u{1B}[200~select hex('a\tb\r\nc') as h,\r\n\t1;\u{1B}[201~\r")
    try terminal.wait(for: "6109620A63")
    try terminal.wait(for: "martlet> ")
    // One that does not sends it all at once.
    terminal.type("insert into items values (7, 'tab\there');\r")
    try terminal.wait(for: "1 row changed")
    // Before the prompt the terminal itself takes Control-C.
    try terminal.wait(for: "martlet> ")
    // What has control characters in a paste types nothing, and the statement is one entry of the history.
    terminal.type("\u{1B}[200~select 4\u{4}\u{3}2;\u{1B}[201~\r")
    try terminal.wait(for: "42")
    try terminal.wait(for: "martlet> ")
    terminal.type("\u{1B}[A\u{1B}[A\u{1B}[A\r")
    try terminal.wait(for: "select hex('a⇥b↵c') as h,↵⇥1;")
    try terminal.wait(for: "6109620A63")
    terminal.type(".quit\r")
    #expect(terminal.end() == 0)
    #expect(
      try Martlet.run(["sql", url, "select hex(title) from items where id = 7", "--format", "csv"]).lines.last
        == "7461620968657265")
  }

  @Test func `a narrow terminal breaks no words, and a long list of commands is paged`() throws {
    let terminal = try PseudoTerminal(
      ["sql", url], columns: 40, environment: ["MARTLET_HISTORY": folder.path + "/h", "MARTLET_PAGER": "sed 's/^/> /'"])
    try terminal.wait(for: ".help for help.")
    try terminal.wait(for: "martlet> ")
    terminal.type("pragma cache_size = 7;\r")
    try terminal.wait(for: "\r\n")
    let told = try terminal.wait(for: "martlet> ")
    let lines = told.split(whereSeparator: \.isNewline).dropLast()
    #expect(lines.first?.hasPrefix("Note: PRAGMA cache_size was skipped:") == true, "\(told)")
    #expect(lines.allSatisfy { $0.count < 40 || $0.hasPrefix("  ") }, "\(told)")
    terminal.type(".help\r")
    try terminal.wait(for: "> .backup FILE")
    try terminal.wait(for: "martlet> ")
    terminal.type(".quit\r")
    #expect(terminal.end() == 0)
  }

  @Test func `a pager that is not there is told of, and results are printed at once`() throws {
    let terminal = try PseudoTerminal(
      ["sql", url], environment: ["MARTLET_HISTORY": folder.path + "/h", "MARTLET_PAGER": "nosuchpager -x"])
    try terminal.wait(for: "Note: The pager nosuchpager -x is not there")
    try terminal.wait(for: "martlet> ")
    terminal.type("with recursive n(i) as (select 1 union all select i + 1 from n where i < 99) select i from n;\r")
    try terminal.wait(for: "98\r\n99\r\n")
    terminal.type(".pager nosuch2\r")
    try terminal.wait(for: "Error: The pager nosuch2 is not there, so results are printed at once")
    try terminal.wait(for: "martlet> ")
    // The one that is there stays.
    terminal.type(".pager sh -c cat\r")
    try terminal.wait(for: "martlet> ")
    terminal.type(".pager nosuch3\r")
    try terminal.wait(for: "Error: The pager nosuch3 is not there, so the pager stays sh -c cat.")
    terminal.type(".quit\r")
    #expect(terminal.end() == 0)
  }

  @Test func `a line that is longer than the terminal takes several rows, and runs as it was typed`() throws {
    let terminal = try PseudoTerminal(
      ["sql", "--no-pager", url], columns: 40, environment: ["MARTLET_HISTORY": folder.path + "/h", "TERM": "xterm"])
    try terminal.wait(for: "martlet> ")
    terminal.type("select length('\(String(repeating: "abcdefghij", count: 6))');")
    try terminal.wait(for: "martlet> select length('abcdefghijabcde\r")
    try terminal.wait(for: "\nfghijabcdefghij")
    terminal.type("\r")
    try terminal.wait(for: "60\r\n")
    terminal.type(".quit\r")
    #expect(terminal.end() == 0)
  }

  @Test func `Control-C stops a statement and the shell goes on`() throws {
    let terminal = try shell()
    terminal.type("with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n;\r")
    try terminal.wait(for: "running for")
    terminal.interrupt()
    try terminal.wait(for: "Error: It was interrupted.")
    terminal.type("select 41 + 1;\r")
    try terminal.wait(for: "42")
    terminal.type(".quit\r")
    #expect(terminal.end() == 0)
  }
}
