/// Twenty things that people who know psql and sqlite3 do on any day, typed as they would type them there.
import Foundation
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct EverydayTests {
  let shop: ServedShop
  var folder: TemporaryFolder { shop.folder }
  var server: ServerProcess { shop.server }

  init() throws {
    shop = try ServedShop(making: "create table items(id integer primary key, title text)")
    try #require(try Martlet.run(["sql", "--create", server.url(database: "other"), "select 1"]).status == 0)
    try shop.file("prices.csv", "title;price\nTea;2.5\nCup;3\n")
    try shop.file("more.sql", "insert into items(title) values ('Read');\n")
  }

  private struct Task: CustomTestStringConvertible {
    var keys: String
    var shows: String
    var testDescription: String { keys }
  }

  @Test func `behind lines the rows come in the mode of before, and on and off are no toggles`() throws {
    try run([
      Task(keys: ".mode json", shows: "martlet> "), Task(keys: "\\x on", shows: "in mode line."),
      Task(keys: "\\x on", shows: "in mode line."), Task(keys: "\\x off", shows: "in mode json."),
      Task(keys: "\\x off", shows: "in mode json."), Task(keys: "\\x", shows: "in mode line."),
      Task(keys: "\\x", shows: "in mode json."), Task(keys: "\\x auto", shows: "in mode json."),
    ])
  }

  @Test func `names stand in quotes and behind their schema`() throws {
    try run([
      Task(keys: "create table \"two words\"(first_column INTEGER);", shows: "done"),
      Task(keys: "\\d \"two words\"", shows: "first_column  INTEGER"),
      Task(keys: "describe `two words`", shows: "first_column  INTEGER"),
      Task(keys: "show create table [two words];", shows: "CREATE TABLE \"two words\""),
      Task(keys: "\\d main.items", shows: "id      INTEGER"), Task(keys: "\\d public.items", shows: "id      INTEGER"),
      Task(keys: ".columns main.items", shows: "id      INTEGER"),
      Task(keys: ".schema main.items", shows: "CREATE TABLE items"), Task(keys: "\\dt main.tw*", shows: "two words"),
    ])
  }

  @Test func `twenty tasks work without the manual`() throws {
    let files = folder.path
    try run([
      Task(keys: "\\l", shows: "other"), Task(keys: "\\dt", shows: "items"),
      Task(keys: "\\d items", shows: "id      INTEGER"),
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
      Task(keys: "create index by_title on items(title);", shows: "done"),
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
    ])
    #expect(try String(contentsOfFile: files + "/out.csv", encoding: .utf8) == "title\nTea\nCoffee\nRead\n")
    #expect(FileManager.default.fileExists(atPath: files + "/copy.sqlite"))
  }

  @Test func `what a person mistypes or knows from elsewhere is answered with what to type`() throws {
    let files = folder.path
    try run([
      Task(
        keys: "create table notes(id integer primary key, item int references items(id), note text);", shows: "done"),
      Task(keys: "create view dear as select * from items where id > 1;", shows: "done"),
      Task(keys: "\\d notes", shows: "item refers to items (id)"), Task(keys: "\\dv", shows: "dear"),
      Task(keys: "\\d itmes", shows: "There is no table itmes. Did you mean items?"),
      Task(keys: ".schema notse", shows: "Did you mean notes?"),
      Task(keys: "select * from itesm;", shows: "Did you mean items?"),
      Task(keys: "select titel from items;", shows: "Did you mean title?"),
      Task(keys: "selct * from items;", shows: "Did you mean SELECT?"),
      Task(keys: "insert into items(title) values (\"Tea\");", shows: "A text stands in single quotes: 'Tea'."),
      Task(keys: "truncate table items;", shows: "DELETE FROM the table"),
      Task(keys: "select now();", shows: "datetime('now') is the time"),
      Task(keys: "select '1'::int;", shows: "CAST(x AS INTEGER)"),
      Task(keys: "select top 3 * from items;", shows: "LIMIT n"),
      Task(keys: "show create table notes;", shows: "CREATE TABLE notes"),
      Task(keys: "create database more;", shows: "martlet databases"),
      Task(keys: "explain analyze select 1;", shows: "EXPLAIN QUERY PLAN"),
      Task(keys: "\\pset null -", shows: "martlet> "), Task(keys: "select null as n;", shows: "-\r\n"),
      Task(keys: ".nullvalue NULL", shows: "martlet> "), Task(keys: "\\timing", shows: "not shown"),
      Task(keys: ".timer", shows: "are shown"),
      // What is only a setting does not count as what comes next.
      Task(keys: ".once \(files)/once.md", shows: "martlet> "), Task(keys: ".mode markdown", shows: "martlet> "),
      Task(keys: ".headers on", shows: "martlet> "), Task(keys: "select 1 as a, '|' as b;", shows: "1 row"),
      Task(keys: "select 2 as c;", shows: "| c |"), Task(keys: ".mode insert items", shows: "martlet> "),
      Task(keys: "select 7, 'it''s';", shows: "INSERT INTO \"items\" VALUES(7,'it''s');"),
      Task(keys: ".mode list", shows: "martlet> "), Task(keys: "select 1, 2;", shows: "1|2"),
      Task(keys: ".show", shows: ".mode       list"), Task(keys: ".shell echo here", shows: "here"),
      Task(keys: "\\! exit 3", shows: "ended with 3"), Task(keys: ".print done", shows: "done"),
      Task(keys: ".separator ;", shows: ".mode list"), Task(keys: "\\du", shows: "There are no users here"),
      Task(keys: ".import \(files)/nosuch.csv t", shows: "No such file"),
      Task(keys: "select 'a',", shows: "...> "),
      Task(keys: "exit", shows: "a semicolon ends it, and Control-C drops it"),
      Task(keys: "1;", shows: "syntax error"),
      Task(keys: ".import --json \(files)/prices.csv t", shows: "line 1, column 1"),
    ])
    #expect(
      try String(contentsOfFile: files + "/once.md", encoding: .utf8) == "| a | b |\n| --- | --- |\n| 1 | \\| |\n")
    // Nobody but a person at a terminal runs commands of this machine.
    let script = try Martlet.run(["sql", server.url(database: "shop")], input: ".shell touch \(files)/made\n")
    #expect(script.status == 1 && script.complaint.contains("at a terminal only"), "\(script)")
    #expect(!FileManager.default.fileExists(atPath: files + "/made"))
  }

  private func run(_ tasks: [Task]) throws {
    let terminal = try shop.shell(columns: 100)
    for task in tasks {
      terminal.type(task.keys + "\r")
      // What the person typed is echoed up to the line's end, and does not count.
      try terminal.wait(for: "\r\n")
      try terminal.wait(for: task.shows)
      if !task.shows.hasSuffix("> ") { try terminal.wait(for: "> ") }
    }
    terminal.type("\\q\r")
    #expect(terminal.end() == 0)
  }
}
