/// Lines typed into the shell as the commands and statements that they make up.
import Testing

@testable import MartletCommand

struct ShellInputTests {
  @Test(arguments: [
    (["select 1;"], [ShellInput.Item.statement("select 1")]),
    (["select", "1", ";"], [.statement("select\n1")]),
    (["a; b; c", ";"], [.statement("a"), .statement("b"), .statement("c")]),
    ([".tables"], [.command(.tables(pattern: nil))]),
    (["  .schema  \"order items\" "], [.command(.schema(table: "order items"))]),
    ([".schema"], [.command(.schema(table: nil))]),
    ([".mode csv", ".timer off"], [.command(.mode(.csv)), .command(.timer(isOn: false))]),
    (["select '", ".tables", "';"], [.statement("select '\n.tables\n'")]),
    ([".exit"], [.command(.quit)]),
    ([".read a.sql"], [.command(.read(path: "a.sql"))]),
    (
      [".mode xml"],
      [.complaint(".mode takes table, line, csv, tsv, json, jsonl, list, markdown, insert, ascii or quote.")]
    ),
    ([".mode"], [.complaint(".mode takes \(OutputFormat.names).")]),
    ([".timer"], [.command(.timer(isOn: nil))]),
    ([".timer maybe"], [.complaint(".timer takes [on|off]; .help lists the commands.")]),
    (
      [".tab", ".sc items", ".q"],
      [.command(.tables(pattern: nil)), .command(.schema(table: "items")), .command(.quit)]
    ),
    ([".h"], [.complaint(".h may be .headers or .help.")]),
    ([".TABLES"], [.command(.tables(pattern: nil))]),
    ([".mode ascii", ".mode quote"], [.command(.mode(.ascii)), .command(.mode(.quote))]),
    ([".mode insert copies"], [.command(.mode(.insert, table: "copies"))]), ([".mode box"], [.command(.mode(.table))]),
    ([".nullvalue ''", ".once a.txt"], [.command(.nullText("")), .command(.once(path: "a.txt"))]),
    ([".print a  'b  c'"], [.command(.print("a b  c"))]),
    ([".shell echo 'a  b'"], [.command(.shell(command: "echo 'a  b'"))]),
    ([".system ls"], [.command(.shell(command: "ls"))]),
    ([".shell"], [.complaint(".shell takes COMMAND; .help lists the commands.")]),
    ([".import --csv a.txt t"], [.command(.importFile(path: "a.txt", table: "t", format: .csv))]),
    (
      [".import a.txt t --json;", ".import --tabs a.txt t"],
      [
        .command(.importFile(path: "a.txt", table: "t", format: .json)),
        .command(.importFile(path: "a.txt", table: "t", format: .tsv)),
      ]
    ),
    ([".import --xml a.txt t"], [.complaint(".import has no --xml: it takes --csv, --tsv, --json and --jsonl.")]),
    ([".import -v a.txt t"], [.complaint(".import has no -v: it takes --csv, --tsv, --json and --jsonl.")]),
    ([".import --csv --skip 2 a.txt t"], [.complaint(DotCommand.noSkip)]),
    ([".import a.txt t --skip"], [.complaint(DotCommand.noSkip)]),
    ([".import --csv a.txt"], [.complaint(".import takes FILE TABLE; .help lists the commands.")]),
    ([".lint fkey-indexes"], [.complaint("There is no command .lint. \(CommandHint.points[".lint"] ?? "")")]),
    ([".sha3sum"], [.complaint("There is no command .sha3sum. \(CommandHint.points[".sha3sum"] ?? "")")]),
    ([".separator ,"], [.complaint("There is no command .separator. \(CommandHint.points[".separator"] ?? "")")]),
    ([".shcema"], [.complaint("There is no command .shcema; .help lists the commands. Did you mean .schema?")]),
    ([".tables 'it%'"], [.command(.tables(pattern: "it%"))]), ([".indices t"], [.command(.indexes(table: "t"))]),
    ([".import 'a b.csv' t"], [.command(.importFile(path: "a b.csv", table: "t"))]),
    ([".width 10 0 -3"], [.command(.width([10, 0, 0]))]),
    ([".width x"], [.complaint(".width takes N …; .help lists the commands.")]),
    ([".output x.txt", ".output"], [.command(.output(path: "x.txt")), .command(.output(path: nil))]),
    ([".output |sort -r"], [.complaint(".output \(DotCommand.noProgram)")]),
    ([".once '|cat'"], [.complaint(".once \(DotCommand.noProgram)")]),
    ([".mode column"], [.command(.mode(.table))]), ([".dump"], [.command(.dump(tables: []))]),
    ([".dump a 'b c'"], [.command(.dump(tables: ["a", "b c"]))]), ([".version"], [.command(.version)]),
    (
      [".tables ;", ".tables;", ".schema items;", ".print a;"],
      [.command(.tables(pattern: nil)), .command(.tables(pattern: nil)), .command(.schema(table: "items"))]
        + [.command(.print("a;"))]
    ),
    ([".param set x 1"], [.complaint("There is no command .parameter. \(CommandHint.points[".parameter"] ?? "")")]),
    ([".databases x"], [.complaint(".databases takes nothing; .help lists the commands.")]),
    ([".nope"], [.complaint("There is no command .nope; .help lists the commands.")]),
    ([".schema a b"], [.complaint(".schema takes [TABLE]; .help lists the commands.")]),
    (["", "-- nothing"], []),
  ])
  func `lines become items`(lines: [String], items: [ShellInput.Item]) {
    var input = ShellInput()
    var seen: [ShellInput.Item] = []
    for line in lines { seen += input.lineReceived(line).map(\.item) }
    seen += input.inputEnded().map(\.item)
    #expect(seen == items)
  }

  @Test(
    arguments: [
      ("exit", .command(.quit)), ("QUIT;", .command(.quit)), ("exit()", .command(.quit)), ("help", .command(.help)),
      ("\\q", .command(.quit)),
      ("\\d", .command(.tables(pattern: nil))), ("\\du", .complaint(CommandHint.noUsers)),
      ("\\d items", .command(.columns(table: "items"))),
      ("\\d+ items;", .command(.schema(table: "items"))), ("\\dt it*", .command(.tables(pattern: "it%"))),
      ("\\dv", .command(.views)), ("\\timing", .command(.timer(isOn: nil))),
      ("\\timing off", .command(.timer(isOn: false))), ("\\! ls -l", .command(.shell(command: "ls -l"))),
      ("\\pset null '-'", .command(.nullText("-"))), ("\\echo a b", .command(.print("a b"))),
      ("show create table items;", .command(.schema(table: "items"))),
      ("\\dt", .command(.tables(pattern: nil))), ("show tables;", .command(.tables(pattern: nil))),
      ("describe items;", .command(.columns(table: "items"))), ("\\x", .command(.expanded)),
      ("\\x on", .command(.lines(isOn: true))), ("\\x off;", .command(.lines(isOn: false))),
      ("\\x auto", .command(.lines(isOn: false))),
      ("\\d \"Album\"", .command(.columns(table: "Album"))), ("\\d [my table];", .command(.columns(table: "my table"))),
      ("\\d+ \"Album\"", .command(.schema(table: "Album"))), ("\\di `a b`", .command(.indexes(table: "a b"))),
      ("\\dt \"my t*\"", .command(.tables(pattern: "my t%"))), ("\\i \"a b.sql\"", .command(.read(path: "a b.sql"))),
      ("describe `Album`", .command(.columns(table: "Album"))),
      ("desc \"a \"\"b\";", .command(.columns(table: "a \"b"))),
      ("describe \"my table\" ;", .command(.columns(table: "my table"))),
      ("show create table `my table`;", .command(.schema(table: "my table"))),
      ("source a.sql", .command(.read(path: "a.sql"))), ("\\. a.sql", .command(.read(path: "a.sql"))),
      ("connect other;", .command(.connect(database: "other"))), ("tee out.txt", .complaint(CommandHint.noTee)),
      ("abort;", .complaint("ROLLBACK; undoes the transaction.")),
      ("use \"my shop\"", .command(.connect(database: "my shop"))),
      ("\\c shop", .command(.connect(database: "shop"))),
      ("use shop;", .command(.connect(database: "shop"))), ("\\conninfo", .command(.databases)),
      ("\\o |cat", .complaint("\\o \(DotCommand.noProgram)")),
      ("\\copy a", .complaint(CommandHint.backslashes["\\copy"] ?? "")),
      ("\\d it*", .command(.tables(pattern: "it%"))), ("\\d+ it?ms", .command(.schema(table: "it_ms"))),
      ("\\c", .command(.databases)), ("\\l+;", .command(.databases)), ("\\t on", .command(.headers(isOn: false))),
      ("\\t", .complaint(".headers off leaves the names of the columns out.")),
      ("\\G", .complaint("A semicolon runs the statement; .mode line prints a value a line.")),
      ("\\gx", .complaint("A semicolon runs the statement; .mode line prints a value a line.")),
      ("\\i", .complaint(".read FILE is what \\i is elsewhere.")),
      ("\\zz", .complaint("Commands begin with a point here: .tables, .schema, .help.")),
    ] as [(String, ShellInput.Item)])
  func `habits from other shells are understood or answered`(line: String, item: ShellInput.Item) {
    var input = ShellInput()
    #expect(input.lineReceived(line, isInteractive: true).map(\.item) == [item])
    // Inside of a statement they are its text, and a script has no habits.
    var inside = ShellInput()
    #expect(inside.lineReceived("select '", isInteractive: true).isEmpty)
    #expect(inside.lineReceived(line + "'", isInteractive: true).isEmpty)
    var script = ShellInput()
    #expect(!script.lineReceived(line).map(\.item).contains(item))
  }

  @Test(arguments: ["exit", "quit;", "\\q", ".quit", ".exit 3", " BYE "])
  func `a word that leaves, within a statement, is answered with how to leave`(line: String) {
    let hint = ShellInput.Item.note(CommandHint.withinStatement)
    for begun in ["select 1,", "select '"] {
      var input = ShellInput()
      #expect(input.lineReceived(begun, isInteractive: true).isEmpty)
      #expect(input.lineReceived(line, isInteractive: true).first?.item == hint)
      // It is the statement's all the same.
      #expect(input.isInsideStatement || line.contains(";"))
      var script = ShellInput()
      #expect(script.lineReceived(begun).isEmpty && !script.lineReceived(line).map(\.item).contains(hint))
    }
    #expect(!hint.givesOutput)
    // Other lines of a statement are answered with nothing.
    var input = ShellInput()
    #expect(input.lineReceived("create trigger quit", isInteractive: true).isEmpty)
    for line in ["quitting", "exit, quit", "help", ".tables"] {
      #expect(input.lineReceived(line, isInteractive: true).isEmpty)
    }
  }

  @Test func `a command of psql's within a statement is answered with how to end that, but in a text it is the text's`()
  {
    for (line, note) in [
      ("\\d", CommandHint.commandWithinStatement), ("  \\dt items", CommandHint.commandWithinStatement),
      ("\\x", CommandHint.commandWithinStatement), ("\\G", CommandHint.backslash("\\G")),
    ] {
      var input = ShellInput()
      #expect(input.lineReceived("select 1", isInteractive: true).isEmpty)
      #expect(input.lineReceived(line, isInteractive: true).map(\.item) == [.note(note)] && input.isInsideStatement)
      for begun in ["select 'a", "select 1 /*"] {
        var text = ShellInput()
        #expect(text.lineReceived(begun, isInteractive: true).isEmpty)
        #expect(text.lineReceived(line, isInteractive: true).isEmpty)
      }
      var script = ShellInput()
      #expect(script.lineReceived("select 1").isEmpty && script.lineReceived(line).isEmpty)
    }
  }

  @Test func `an interrupt drops what was begun`() {
    var input = ShellInput()
    #expect(input.lineReceived("select 'a").isEmpty)
    #expect(input.isInsideStatement)
    input.interrupted()
    #expect(!input.isInsideStatement)
    #expect(input.lineReceived("select 2;").map(\.item) == [.statement("select 2")])
  }

  @Test func `an item knows the line that it begins on`() {
    var input = ShellInput()
    var seen: [ShellInput.Placed] = []
    for line in ["-- a", "select 1; select", "2;", "", ".tables", "", "/* b", "*/ select 3"] {
      seen += input.lineReceived(line)
    }
    seen += input.inputEnded()
    #expect(seen.map(\.line) == [2, 2, 5, 7])
  }
}
