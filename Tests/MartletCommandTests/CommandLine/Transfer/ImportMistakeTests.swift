/// Where a text file's mistakes are: those that are found in the file, and those that the database finds.
import Foundation
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ImportMistakeTests {
  let shop: ServedShop
  var folder: TemporaryFolder { shop.folder }
  var url: String { shop.url }

  init() throws {
    shop = try ServedShop(
      making: "create table strictly(a integer, b integer) strict; "
        + "create table few(id integer primary key, n integer check (n < 3), note); "
        + "create table named(id integer primary key, name text not null unique); "
        + "create table guarded(a); create trigger guard before insert on guarded when new.a = 'bad' "
        + "begin select raise(abort, 'nothing bad'); end")
  }

  private struct Mistake {
    var name: String
    var content: [UInt8]
    var options: [String]
    var told: String

    init(_ name: String, _ content: String, _ options: [String], _ told: String) {
      self.init(name, bytes: Array(content.utf8), options, told)
    }

    init(_ name: String, bytes: [UInt8], _ options: [String], _ told: String) {
      (self.name, content, self.options, self.told) = (name, bytes, options, told)
    }
  }

  private static let create = ["--table", "t", "--create"]

  @Test func `what is wrong with the file itself is told with its place, and nothing is made`() throws {
    for mistake in [
      Mistake(
        "a.csv", bytes: Array("n,bin\n1,ok\n2,\"x".utf8) + [0xFF, 0xFE] + Array("\"\n".utf8), Self.create,
        "a.csv, line 3, column 3: this text is not UTF-8 (row 2, \"bin\")"),
      // One byte of a character in each of two fields.
      Mistake(
        "b.csv", bytes: Array("a,b\n".utf8) + [0xC3, 0x2C, 0xA9, 0x0A], Self.create,
        "b.csv, line 2, column 1: this text"),
      Mistake("c.csv", "a,b,A\n1,2,3\n", Self.create, "c.csv, line 1, column 5: there is a column a already."),
      Mistake("d.csv", "a,,b\n1,2,3\n", Self.create, "d.csv, line 1, column 3: this column has no name."),
      Mistake(
        "e.csv", bytes: Array("a,b\n1,2\n".utf8).flatMap { [$0, 0] }, Self.create, "zero byte, as files in UTF-16 do"),
      Mistake("f.csv", bytes: [0xFF, 0xFE, 0x61, 0x00], Self.create, "f.csv is in UTF-16"),
      Mistake(
        "g.csv", bytes: [0x1F, 0x8B, 0x08, 0x00], Self.create, "g.csv is compressed with gzip. Pipe it, as in zcat FILE"
      ),
      Mistake("h.csv", "SQLite format 3\0", Self.create, "h.csv is a SQLite file. Leave --table out"),
      Mistake(
        "i.jsonl", "{\"a\":1}\n{\"b\":1,\"A\":2}\n", Self.create,
        "i.jsonl, line 2: of the name \"A\": there is a column a already."),
      Mistake("j.json", "[{\"\":1}]", Self.create, "j.json, line 1: of the name \"\": this column has no name."),
    ] {
      let run = try Martlet.run(["import", url, try shop.file(mistake.name, mistake.content)] + mistake.options)
      #expect(run.status == 1 && run.complaint.contains(mistake.told), "\(mistake.name): \(run.complaint)")
      #expect(try shop.count("t") == nil)
    }
  }

  @Test func `a row that the database does not take is told with its line, and its column where that is known`() throws
  {
    for mistake in [
      Mistake(
        "a.csv", "id,n,note\n1,1,x\n2,2,\"two\nlines\"\n3,3,y\n", ["--table", "few"],
        "a.csv, line 5: The CHECK constraint"),
      Mistake(
        "b.csv", "id,name\n1,x\n2,y\n3,z\n1,w\n", ["--table", "named"],
        "b.csv, line 5, column 1: A row with the same key"),
      Mistake(
        "c.csv", "name,id\nx,1\ny,2\nx,3\n", ["--table", "named"],
        "c.csv, line 4, column 1: A row with the same unique value"),
      Mistake("d.csv", "id,name\n1,x\n22,\n", ["--table", "named"], "d.csv, line 3, column 4: A value is missing"),
      Mistake(
        "e.csv", "a,b\n1,2\n3,four\n", ["--table", "strictly"],
        "e.csv, line 3, column 3: A value does not have the type"),
      Mistake(
        "h.csv", "name,id\nx,1\ny,zwei\n", ["--table", "named"],
        "h.csv, line 3, column 3: A value does not have the type that its place demands: datatype mismatch. The column "
          + "id is an INTEGER PRIMARY KEY"),
      Mistake("f.csv", "a\nfine\nbad\nfine\n", ["--table", "guarded"], "f.csv, line 3: nothing bad"),
      Mistake(
        "g.jsonl", "{\"id\":1,\"name\":\"x\"}\n{\"id\":2}\n", ["--table", "named"],
        "g.jsonl, line 2: A value is missing"),
    ] {
      let run = try Martlet.run(["import", url, try shop.file(mistake.name, mistake.content)] + mistake.options)
      #expect(run.status == 1 && run.complaint.contains(mistake.told), "\(mistake.name): \(run.complaint)")
      #expect(run.complaint.contains("Nothing was imported."), "\(mistake.name): \(run.complaint)")
      #expect(try shop.count(mistake.options[1]) == 0)
    }
  }

  @Test func `of a file with more columns than a list has the row at fault is told too`() throws {
    let names = (1...600).map { "c\($0)" }
    let declared = "create table wide(\(names.joined(separator: ", ")), check (cast(c600 as integer) < 3))"
    try #require(try Martlet.run(["sql", url, declared]).status == 0)
    let rows = (1...5).map { row in names.map { _ in "\(row)" }.joined(separator: ",") }
    let path = try shop.file("wide.csv", ([names.joined(separator: ",")] + rows).joined(separator: "\n") + "\n")
    let run = try Martlet.run(["import", url, path, "--table", "wide"])
    #expect(run.status == 1 && run.complaint.contains("wide.csv, line 4: The CHECK constraint"), "\(run.complaint)")
    #expect(try shop.count("wide") == 0)
  }

  @Test(.enabled(if: ScriptTests.hasShell, "there is no sqlite3"))
  func `a text of a SQLite file that is not UTF-8 is told with its row`() throws {
    let path = folder.path + "/bytes.sqlite"
    _ = try ScriptTests.sqlite(path, "create table b(x); insert into b values ('ok'), (cast(x'e9' as text));")
    let run = try Martlet.run(["import", shop.server.url(database: "bytes"), path])
    #expect(run.status == 1 && run.complaint.contains("b, row 2: A text is not UTF-8."), "\(run.complaint)")
  }

  @Test(.enabled(if: ScriptTests.hasShell, "there is no sqlite3"))
  func `of a copy of a file in the middle of a transaction it is said what undoes it`() throws {
    let (path, copy) = (folder.path + "/used.sqlite", folder.path + "/copy.sqlite")
    // A cache of a few pages, so that some of the transaction's are in the file already.
    _ = try ScriptTests.sqlite(
      path,
      """
      pragma cache_size = 5;
      create table b(x);
      with n(i) as (select 1 union all select i + 1 from n where i < 600)
      insert into b select hex(randomblob(500)) from n;
      begin immediate;
      update b set x = x || 'y';
      .shell cp \(path) \(copy)
      .shell cp \(path)-journal \(copy)-journal
      rollback;
      """)
    let target = shop.server.url(database: "copy")
    let run = try Martlet.run(["import", target, copy])
    #expect(
      run.status == 1 && run.complaint.contains("ended in the middle of a transaction, which has to be undone first"),
      "\(run.complaint)")
    _ = try ScriptTests.sqlite(copy, ".tables")
    #expect(try Martlet.run(["import", target, copy]).status == 0)
  }

  @Test func `the row is found among many`() throws {
    var text = "id,name\n"
    for id in 1...30_000 { text += "\(id),name \(id == 20_001 ? 20_000 : id)\n" }
    let run = try Martlet.run(["import", url, try shop.file("many.csv", Array(text.utf8)), "--table", "named"])
    #expect(
      run.status == 1 && run.complaint.contains("many.csv, line 20002, column 7: A row with the same unique"),
      "\(run.complaint)")
  }

  @Test func `of a large file that replaces rows an error says that the former ones are gone`() throws {
    try #require(try Martlet.run(["sql", url, "insert into named values (1, 'former')"]).status == 0)
    var text = "id,name\n"
    let filler = String(repeating: "n", count: 240)
    for id in 1...140_000 { text += "\(id),\(filler)\(id)\n" }
    text += "5,again\n"
    try #require(text.utf8.count > 33 << 20)
    let run = try Martlet.run(["import", url, try shop.file("large.csv", text), "--table", "named", "--replace"])
    #expect(run.status == 1)
    #expect(
      run.complaint.contains("large.csv, line 140002, column 1:")
        && run.complaint.contains("The rows that were there before are gone."), "\(run.complaint)")
  }

  @Test func `a name that does not say what is in the file needs the format`() throws {
    for name in ["x.txt", "x.parquet", "x"] {
      let path = try shop.file(name, Array("a\n1\n".utf8))
      for arguments in [
        ["import", url, path, "--table", "t", "--create"], ["export", url, path + "2", "--table", "few"],
      ] {
        let run = try Martlet.run(arguments)
        #expect(run.status == 64 && run.complaint.contains("--format csv, tsv, json or jsonl"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: path + "2"))
      }
      let shell = try Martlet.run(["sql", url], input: ".import \(path) t\n")
      #expect(
        shell.status == 1 && shell.complaint.contains("Say --csv, --tsv, --json or --jsonl before it"), "\(shell)")
    }
    // What is in the file says more.
    for (beginning, words) in [
      (Array("SQLite format 3\0".utf8), "x.db is a SQLite file. Leave --table out"),
      ([0x1F, 0x8B], "x.db is compressed with gzip"),
    ] {
      let path = try shop.file("x.db", beginning)
      let run = try Martlet.run(["import", url, path, "--table", "t", "--create"])
      #expect(run.status == 64 && run.complaint.contains(words), "\(run)")
      let shell = try Martlet.run(["sql", url], input: ".import \(path) t\n")
      #expect(shell.status == 1 && shell.complaint.contains(words), "\(shell)")
    }
    let named = try Martlet.run(["import", url, folder.path + "/x.txt", "--table", "t", "--create", "--format", "csv"])
    #expect(named.status == 0, "\(named.complaint)")
    let given = try Martlet.run(
      ["sql", url], input: ".import --csv \(folder.path)/x.parquet t\nselect count(*) from t;")
    #expect(given.status == 0 && given.lines.last == "       2", "\(given)")
  }
}
