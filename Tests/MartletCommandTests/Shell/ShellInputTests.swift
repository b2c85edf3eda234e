/// Lines typed into the shell as the commands and statements that they make up.
import Testing

@testable import MartletCommand

struct ShellInputTests {
  @Test(arguments: [
    (["select 1;"], [ShellInput.Item.statement("select 1")]),
    (["select", "1", ";"], [.statement("select\n1")]),
    (["a; b; c", ";"], [.statement("a"), .statement("b"), .statement("c")]),
    ([".tables"], [.command(.tables)]),
    (["  .schema  \"order items\" "], [.command(.schema(table: "order items"))]),
    ([".schema"], [.command(.schema(table: nil))]),
    ([".mode csv", ".timer off"], [.command(.mode(.csv)), .command(.timer(isOn: false))]),
    (["select '", ".tables", "';"], [.statement("select '\n.tables\n'")]),
    ([".exit"], [.command(.quit)]),
    ([".read a.sql"], [.command(.read(path: "a.sql"))]),
    ([".mode xml"], [.complaint(".mode takes table, json or csv.")]),
    ([".timer"], [.complaint(".timer takes on or off.")]),
    ([".nope"], [.complaint("There is no command .nope as it stands; .help lists the commands.")]),
    ([".schema a b"], [.complaint(".schema takes at most one argument; .help lists the commands.")]),
    (["", "-- nothing"], []),
  ])
  func `lines become items`(lines: [String], items: [ShellInput.Item]) {
    var input = ShellInput()
    var seen: [ShellInput.Item] = []
    for line in lines { seen += input.lineReceived(line) }
    seen += input.inputEnded()
    #expect(seen == items)
  }

  @Test func `an interrupt drops what was begun`() {
    var input = ShellInput()
    #expect(input.lineReceived("select 'a").isEmpty)
    #expect(input.isInsideStatement)
    input.interrupted()
    #expect(!input.isInsideStatement)
    #expect(input.lineReceived("select 2;") == [.statement("select 2")])
  }
}
