/// A person's transaction in the shell, while others write and while the person thinks.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PersonsTransactionTests {
  let shop: ServedShop
  var url: String { shop.url }
  var server: ServerProcess { shop.server }

  init() throws {
    shop = try ServedShop(
      making: "create table items(id integer primary key, title text unique); create table notes(note); "
        + "insert into items values (1, 'Tea')")
  }

  private func type(_ keys: String, in terminal: PseudoTerminal, until shown: String) throws {
    terminal.type(keys + "\r")
    // The echo of what was typed does not count.
    try terminal.wait(for: "\r\n")
    try terminal.wait(for: shown)
  }

  /// Somebody else's write, which waits for the person's transaction until the server has ended that.
  private func write(_ sql: String) throws {
    let run = try Martlet.run(["sql", url, sql])
    #expect(run.status == 0, "\(run.complaint)")
  }

  private let again = "ran again in another one, and showed the same."

  @Test func `what a person did goes on after others have written, and is committed`() throws {
    let terminal = try shop.shell(columns: 200)
    try type("begin immediate;", in: terminal, until: "martlet*> ")
    try type("insert into items values (2, 'Cup');", in: terminal, until: "martlet*> ")
    try type("select count(*) as n from items;", in: terminal, until: "martlet*> ")
    try write("insert into notes values ('theirs')")
    try type("commit;", in: terminal, until: again)
    try terminal.wait(for: "martlet> ")
    #expect(try shop.rows("select count(*) from items") == ["2"])
    // As often as it takes, in savepoints too; what was undone is not done again.
    try type("savepoint a;", in: terminal, until: "martlet*> ")
    try type("insert into items values (3, 'Pot');", in: terminal, until: "martlet*> ")
    try type("savepoint b;", in: terminal, until: "martlet*> ")
    try type("delete from items;", in: terminal, until: "martlet*> ")
    try type("rollback to b;", in: terminal, until: "martlet*> ")
    for note in ["one", "two"] {
      try write("insert into notes values ('\(note)')")
      try type("insert into notes values ('mine');", in: terminal, until: again)
      try terminal.wait(for: "martlet*> ")
    }
    // The shell's own questions find it, too.
    try write("insert into notes values ('three')")
    try type(".tables", in: terminal, until: again)
    try terminal.wait(for: "martlet*> ")
    try type("release a;", in: terminal, until: "martlet> ")
    #expect(try shop.rows("select (select count(*) from items), (select count(*) from notes)") == ["3,6"])
    terminal.type(".quit\r")
    #expect(terminal.end() == 0)
  }

  @Test func `a deferred transaction that read and then writes goes on if it would read the same`() throws {
    let terminal = try shop.shell(columns: 200)
    try type("begin;", in: terminal, until: "martlet*> ")
    try type("select title from items;", in: terminal, until: "martlet*> ")
    try write("insert into notes values ('theirs')")
    try type("insert into items values (2, 'Cup');", in: terminal, until: again)
    try type("commit;", in: terminal, until: "martlet> ")
    #expect(try shop.rows("select count(*) from items") == ["2"])
    terminal.type(".quit\r")
    #expect(terminal.end() == 0)
  }

  @Test func `where others changed what the person saw the transaction is lost, and nothing of it is kept`() throws {
    let terminal = try shop.shell(columns: 200)
    try type("begin immediate;", in: terminal, until: "martlet*> ")
    try type("select count(*) as n from items;", in: terminal, until: "martlet*> ")
    try type("insert into notes values ('mine');", in: terminal, until: "martlet*> ")
    try write("insert into items values (9, 'Jug')")
    terminal.type("commit;\r")
    let told = try terminal.wait(for: "martlet!> ")
    for words in [
      "nothing of it was kept", "other writes waited for it",
      "It could not be run again, because somebody has changed what «select count(*) as n from items» showed.",
    ] {
      #expect(told.replacing("\r\n", with: " ").contains(words), "\(told)")
    }
    // Nothing runs before ROLLBACK.
    try type("insert into notes values ('alone');", in: terminal, until: "martlet!> ")
    try type("rollback;", in: terminal, until: "martlet> ")
    #expect(try shop.rows("select count(*) from notes") == ["0"])

    // A statement that fails now is told by its name, too.
    try type("begin immediate;", in: terminal, until: "martlet*> ")
    try type("insert into items values (20, 'Lid');", in: terminal, until: "martlet*> ")
    try write("insert into items values (21, 'Lid')")
    terminal.type("commit;\r")
    let failed = try terminal.wait(for: "martlet!> ")
    #expect(
      failed.replacing("\r\n", with: " ").contains("«insert into items values (20, 'Lid')» fails now: A row"),
      "\(failed)")
    terminal.type("rollback;\r.quit\r")
    #expect(terminal.end() == 0)
  }

  @Test func `a write that failed is done again with the rest, whatever it has written`() throws {
    let terminal = try shop.shell(columns: 200)
    try type("begin immediate;", in: terminal, until: "martlet*> ")
    try type("insert or fail into items values (2, 'Cup'), (3, 'Tea');", in: terminal, until: "martlet*> ")
    try type("select count(*) as n from items;", in: terminal, until: "martlet*> ")
    try write("insert into notes values ('theirs')")
    try type("commit;", in: terminal, until: again)
    try terminal.wait(for: "martlet> ")
    // The row that was refused is not there any more: what failed runs now, and that is something else.
    try type("begin immediate;", in: terminal, until: "martlet*> ")
    try type("insert into items values (3, 'Tea');", in: terminal, until: "martlet*> ")
    try write("delete from items")
    terminal.type("commit;\r")
    let told = try terminal.wait(for: "martlet!> ").replacing("\r\n", with: " ")
    #expect(told.contains("«insert into items values (3, 'Tea')» failed, and does not now"), "\(told)")
    terminal.type("rollback;\r.quit\r")
    #expect(terminal.end() == 0)
    #expect(try shop.rows("select count(*) from items") == ["0"])
  }

  @Test func `rows that were shown until Control-C cannot be compared`() throws {
    let terminal = try shop.shell(columns: 200)
    try type("begin immediate;", in: terminal, until: "martlet*> ")
    try type("insert into notes values ('mine');", in: terminal, until: "martlet*> ")
    let endless = "with recursive n(i) as (values(1) union all select i + 1 from n) select 'row ' || i as i from n;"
    try type(endless, in: terminal, until: "row 2000")
    terminal.interrupt()
    try terminal.wait(for: "martlet*> ")
    try write("insert into notes values ('theirs')")
    terminal.type("commit;\r")
    let told = try terminal.wait(for: "martlet!> ").replacing("\r\n", with: " ")
    #expect(told.contains("because a result was not read to its end."), "\(told)")
    terminal.type("rollback;\r.quit\r")
    #expect(terminal.end() == 0)
    #expect(try shop.rows("select note from notes") == ["theirs"])
  }

  @Test func `Control-C while it runs again leaves nothing of it to commit`() throws {
    let terminal = try shop.shell(columns: 200)
    try type("begin immediate;", in: terminal, until: "martlet*> ")
    try type("insert into notes values ('mine');", in: terminal, until: "martlet*> ")
    let slow = "with recursive n(i) as (values(1) union all select i + 1 from n limit 20000000) select count(*) from n;"
    try type(slow, in: terminal, until: "martlet*> ")
    try type("insert into notes values ('also mine');", in: terminal, until: "martlet*> ")
    try write("insert into notes values ('theirs')")
    terminal.type("commit;\r")
    try waitUntil { isHeld() }
    terminal.interrupt()
    try terminal.wait(for: "martlet!> ")
    try type("commit;", in: terminal, until: "There is nothing to commit.")
    try terminal.wait(for: "martlet> ")
    #expect(try shop.rows("select note from notes") == ["theirs"])
    terminal.type(".quit\r")
    #expect(terminal.end() == 0)
  }

  @Test func `a program's transaction is not begun again behind its back`() throws {
    let writer = Process()
    writer.executableURL = URL(filePath: try ServerProcess.program())
    writer.arguments = ["sql", url]
    let (input, complaint) = (Pipe(), Pipe())
    (writer.standardInput, writer.standardError, writer.standardOutput) = (input, complaint, Pipe())
    try writer.run()
    try input.fileHandleForWriting.write(contentsOf: Data("begin immediate; insert into notes values ('mine');\n".utf8))
    // It holds the writer now: whoever writes waits for it, and the server ends it.
    try waitUntil { try !shop.rows("select 1").isEmpty && isHeld() }
    try write("insert into notes values ('theirs')")
    try input.fileHandleForWriting.write(contentsOf: Data("commit;\n".utf8))
    try input.fileHandleForWriting.close()
    writer.waitUntilExit()
    let text = String(decoding: complaint.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(writer.terminationStatus == 1 && text.contains("other writes waited for it"), "\(text)")
    #expect(try shop.rows("select note from notes") == ["theirs"])
  }

  private func isHeld() -> Bool {
    let run = try? Martlet.run(["status", server.url, "--once", "--interval", "0.1", "--json"])
    guard let run, let object = try? JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
      let counters = object["counters"] as? [String: Any]
    else { return false }
    return counters["open_write_transactions"] as? Int == 1
  }
}
