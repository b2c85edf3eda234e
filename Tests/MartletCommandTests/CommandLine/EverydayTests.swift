/// Twenty things that people who know psql and sqlite3 do on any day, typed as they would type them there.
import Foundation
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct EverydayTests {
  let folder: TemporaryFolder
  let server: ServerProcess

  init() throws {
    folder = try TemporaryFolder()
    server = try ServerProcess(directory: folder.path + "/data")
    for (name, sql) in [("shop", "create table items(id integer primary key, title text)"), ("other", "select 1")] {
      try #require(try Martlet.run(["sql", "--create", server.url(database: name), sql]).status == 0)
    }
    try Data("title;price\nTea;2.5\nCup;3\n".utf8).write(to: URL(filePath: folder.path + "/prices.csv"))
    try Data("insert into items(title) values ('Read');\n".utf8).write(to: URL(filePath: folder.path + "/more.sql"))
  }

  private struct Task: CustomTestStringConvertible {
    var keys: String
    var shows: String
    var testDescription: String { keys }
  }

  @Test func `twenty tasks work without the manual`() throws {
    let files = folder.path
    let tasks: [Task] = [
      Task(keys: "\\l", shows: "other"), Task(keys: "\\dt", shows: "items"),
      Task(keys: "\\d items", shows: "id integer primary key"),
      Task(keys: "insert into items(title) values ('Tea'), ('Coffee');", shows: "2 rows changed"),
      Task(keys: "select * from items;", shows: " 2  Coffee"),
      Task(keys: "\\x", shows: "martlet> "), Task(keys: "select * from items where id = 1;", shows: "title"),
      Task(keys: "\\x", shows: "martlet> "), Task(keys: ".mode json", shows: "martlet> "),
      Task(keys: "select title from items where id = 1;", shows: "{\"title\":\"Tea\"}"),
      Task(keys: ".mode column", shows: "martlet> "), Task(keys: ".headers on", shows: "martlet> "),
      Task(keys: ".import \(files)/prices.csv prices", shows: "2 rows in 1 table"),
      Task(keys: "select sum(price) from prices;", shows: "5.5"),
      Task(keys: ".read \(files)/more.sql", shows: "martlet> "),
      Task(keys: "select count(*) as n from items;", shows: "3\r\n"),
      Task(keys: ".schema prices", shows: "\"price\" REAL"),
      Task(keys: ".output \(files)/out.csv", shows: "martlet> "), Task(keys: ".mode csv", shows: "martlet> "),
      Task(keys: "select title from items order by id;", shows: "3 rows"), Task(keys: ".output", shows: "martlet> "),
      Task(keys: ".mode table", shows: "martlet> "),
      Task(keys: "begin;", shows: "martlet*> "), Task(keys: "delete from items;", shows: "3 rows changed"),
      Task(keys: "rollback;", shows: "martlet> "), Task(keys: "select count(*) as n frm items;", shows: "syntax error"),
      Task(keys: "select count(*) as kept from items;", shows: "3\r\n"),
      Task(keys: "explain query plan select * from items where id = 1;", shows: "SEARCH items"),
      Task(keys: "create index by_title on items(title);", shows: "changed"),
      Task(keys: "\\di items", shows: "by_title"),
      Task(keys: "pragma table_info(items);", shows: "title"),
      Task(keys: "select nosuch from items;", shows: "No such column"),
      Task(keys: "\\timing", shows: "martlet> "), Task(keys: "show tables;", shows: "prices"),
      Task(keys: ".dump prices", shows: "INSERT INTO"), Task(keys: "\\c other", shows: "/other"),
      Task(keys: ".tables", shows: "martlet> "), Task(keys: "use shop;", shows: "/shop"),
      Task(keys: "\\c nowhere", shows: "no database called nowhere"),
      Task(keys: "select 'on ' || 'shop' as s;", shows: "on shop"),
      Task(keys: ".backup \(files)/copy.sqlite", shows: "copied"), Task(keys: ".frobnicate", shows: ".help lists"),
      Task(keys: "help", shows: ".connect"),
    ]
    let terminal = try PseudoTerminal(
      ["sql", "--no-pager", server.url(database: "shop")], columns: 100,
      environment: ["MARTLET_HISTORY": folder.path + "/history"])
    try terminal.wait(for: "martlet> ")
    for task in tasks {
      terminal.type(task.keys + "\r")
      // What the person typed is echoed up to the line's end, and does not count.
      try terminal.wait(for: "\r\n")
      try terminal.wait(for: task.shows)
      if !task.shows.hasSuffix("> ") { try terminal.wait(for: "> ") }
    }
    terminal.type("\\q\r")
    #expect(terminal.end() == 0)
    #expect(try String(contentsOfFile: files + "/out.csv", encoding: .utf8) == "title\nTea\nCoffee\nRead\n")
    #expect(FileManager.default.fileExists(atPath: files + "/copy.sqlite"))
  }
}
