/// Keys typed into the shell, as scripts: what the line becomes and what the shell is told to do.
import Testing

@testable import MartletCommand

struct LineEditorTests {
  /// Types bytes as a terminal sends them and gives the line with `|` at the cursor, and the last action.
  func type(
    _ bytes: String, history: [String] = [], words: CompletionWords = CompletionWords()
  ) -> (line: String, action: LineEditor.Action) {
    var decoder = KeyDecoder()
    var editor = LineEditor(history: history, words: words)
    var action = LineEditor.Action.none
    for byte in bytes.utf8 {
      for key in decoder.byteReceived(byte) { action = editor.keyPressed(key) }
    }
    let line = String(editor.line[..<editor.cursor]) + "|" + String(editor.line[editor.cursor...])
    return (line, action)
  }

  @Test(arguments: [
    ("abc", "abc|"),
    ("abc\u{1B}[D\u{1B}[DX", "aX|bc"),
    ("abc\u{1}X\u{5}Y", "XabcY|"),
    ("abc\u{1B}[H\u{1B}[3~", "|bc"),
    ("abc\u{7F}\u{8}", "a|"),
    ("one two\u{17}X", "one X|"),
    ("one two\u{1B}b\u{B}\u{1}\u{19}", "two|one "),
    ("one two\u{1B}[1;5D\u{15}", "|two"),
    ("ab\u{1}\u{4}", "|b"),
    ("é日👍🏽\u{7F}", "é日|"),
    ("e\u{301}\u{1B}[D", "|e\u{301}"),
    ("a\u{1B}[200~b\u{1B}[99;99Zc", "abc|"),
    ("a\u{1B}OD\u{1B}OCb", "ab|"),
    ("\tx", "\tx|"), ("ab\u{1B}[201~c", "abc|"),
  ])
  func `keys edit the line`(keys: String, line: String) {
    #expect(type(keys).line == line)
  }

  @Test(arguments: [
    ("ab\r", LineEditor.Action.accept("ab")), ("ab\u{3}", .interrupt), ("\u{4}", .endOfInput), ("\u{C}", .clearScreen),
    ("\u{7F}", .none), ("a", .redraw), ("ab\u{1A}", .suspend),
  ])
  func `keys that are not of the line are actions`(keys: String, action: LineEditor.Action) {
    #expect(type(keys).action == action)
  }

  @Test(arguments: [
    ("\u{1B}[A", "two|"), ("\u{1B}[A\u{1B}[A\u{1B}[A", "one|"), ("dra\u{10}\u{10}\u{E}\u{E}", "dra|"),
    ("x\u{1B}[B", "x|"),
  ])
  func `arrow keys go through the history and back to the draft`(keys: String, line: String) {
    #expect(type(keys, history: ["one", "two"]).line == line)
  }

  static let shop = CompletionWords(
    commands: DotCommand.names,
    tables: [
      ("items", ["id", "title", "price"]), ("item owners", ["name"]), ("orders", ["id", "paid"]),
      (#"my "own" list"#, []),
    ], databases: ["music", "shop"])

  @Test(arguments: [
    ("sel\t", "select |"), ("SEL\t", "SELECT |"), ("select * from it\t", "select * from items |"),
    ("select * from \t", "select * from |"), ("select pri\t", "select pri|"), ("select pric\t", "select price |"),
    ("select items.t\t", "select items.title |"), ("select o.pa\t", "select o.paid |"), (".sch\t", ".schema |"),
    (".schema or\t", ".schema orders |"), (".mode js\t", ".mode json|"), ("zzz\t", "zzz|"),
    ("select * from my\t", #"select * from "my ""own"" list" |"#),
    ("select * from \"my\t", #"select * from "my ""own"" list" |"#),
    (".columns my\t", #".columns "my ""own"" list" |"#), ("select 'a\"b' from it\t", #"select 'a"b' from items |"#),
    ("select * from main.it\t", "select * from main.items |"), ("describe it\t", "describe items |"),
    ("\\d it\t", "\\d items |"), ("use mus\t", "use music |"), ("\\c sh\t", "\\c shop |"),
    ("update ord\t", "update orders |"), ("se\u{1}\tx", "\tx|se"), ("select 日\t", "select 日|"),
  ])
  func `Tab completes keywords, tables, columns and commands`(keys: String, line: String) {
    #expect(type(keys, words: Self.shop).line == line)
  }

  @Test func `Tab lists what there is to choose from`() {
    #expect(type("select * from \t", words: Self.shop).action == .list(["items", "orders"]))
    #expect(type("select items.\t", words: Self.shop).action == .list(["id", "price", "title"]))
    #expect(LineReader.columns(of: ["a", "bbb", "c"], width: 10) == "a    bbb\r\nc\r\n")
    #expect(LineReader.columns(of: ["a", "b", "c"], width: 1, most: 2) == "a\r\nb\r\n… 1 more\r\n")
  }

  @Test(arguments: [
    ("\u{12}tea", "select 'tea'|"), ("\u{12}select\u{12}", "select 'tea'|"),
    ("\u{12}select\u{12}\u{12}\u{12}", "select 'tea'|"),
    ("x\u{12}zzz", "x|"), ("x\u{12}tea\u{7}", "x|"), ("x\u{12}tea\u{3}y", "xy|"),
    ("\u{12}tea\u{1B}[D", "select 'tea|'"),
    ("\u{12}teX\u{7F}", "select 'tea'|"), ("\u{12}TEA", "select 'tea'|"),
    // Escape leaves it, and takes nothing of what follows.
    ("x\u{12}tea\u{1B}s", "xs|"), ("x\u{12}tea\u{1B}\u{1B}s", "xs|"), ("x\u{12}tea\u{1B}\u{3}y", "xy|"),
    // What was found before is not what was typed since.
    ("x\u{12}teaX", "x|"), ("x\u{12}teaX\r", "x|"), ("x\u{12}zzz\r\u{7F}\u{7F}\u{7F}tea", "select 'tea'|"),
  ])
  func `Control-R searches the history`(keys: String, line: String) {
    let history = ["select 'tea'", "insert", "select 2", "select 2"]
    #expect(type(keys, history: history).line == line)
  }

  @Test func `a search that finds nothing says so, and Enter runs nothing`() {
    #expect(type("\u{12}insertX\r", history: ["insert"]).action == .redraw)
    #expect(type("\u{12}insert\r", history: ["insert"]).action == .accept("insert"))
    var search = HistorySearch(lines: ["insert"])
    for character in "insertX" { search.typed(character) }
    #expect(search.isFailing && search.prompt == "(no match)`insertX': ")
    search.erased()
    #expect(!search.isFailing && search.prompt == "(search)`insert': ")
  }

  @Test func `Escape behind which nothing comes leaves the search, and is no key elsewhere`() {
    var decoder = KeyDecoder()
    #expect(decoder.escapeEnded() == nil)
    #expect(decoder.byteReceived(0x1B) == [] && decoder.isInEscape)
    #expect(decoder.escapeEnded() == .leave && !decoder.isInEscape)
    #expect(decoder.byteReceived(UInt8(ascii: "s")) == [.character("s")])
    #expect(decoder.byteReceived(0x1B) == [] && decoder.byteReceived(UInt8(ascii: "[")) == [])
    #expect(!decoder.isInEscape && decoder.byteReceived(UInt8(ascii: "A")) == [.up])
  }

  @Test func `a line that is longer than the terminal shows the part with the cursor`() {
    let line = Array(String(repeating: "abcdefghij", count: 10))
    let atEnd = LineView(prompt: "> ", line: line, cursor: 100, columns: 23)
    #expect(atEnd == LineView(prompt: "> ", line: Array("abcdefghijabcdefghij"), cursor: 20, columns: 23))
    #expect(atEnd.cursorColumn == 22)
    let atStart = LineView(prompt: "> ", line: line, cursor: 0, columns: 23)
    #expect(atStart.text == "> abcdefghijabcdefghij")
    #expect(atStart.cursorColumn == 2)
    let wide = LineView(prompt: "> ", line: Array("日本語日本語日本語"), cursor: 9, columns: 13)
    #expect(wide.text == "> 本語日本語")
    #expect(wide.cursorColumn == 12)
    // What a terminal would make something else of is shown by a sign for it.
    let signs = LineView(prompt: "> ", line: Array("a\tb\nc"), cursor: 5, columns: 20)
    #expect(signs.text == "> a⇥b↵c" && signs.cursorColumn == 7)
  }

  @Test func `the history keeps no blanks, no repetition and no more than its limit`() {
    var history = History(fileContents: "a\na\n\nb\n")
    #expect(history.lines == ["a", "b"])
    for number in 0..<(CommandLimits.historyLinesMax + 5) { history.append("line \(number)") }
    #expect(history.lines.count == CommandLimits.historyLinesMax)
    #expect(history.lines.last == "line \(CommandLimits.historyLinesMax + 4)")
    history.append("  ")
    #expect(history.lines.last == "line \(CommandLimits.historyLinesMax + 4)")
    // A statement of several lines is one entry, in the file too.
    history.append("two\nlines")
    #expect(history.lines.last == "two\nlines" && history.lines.count == CommandLimits.historyLinesMax)
    #expect(History(fileContents: history.fileContents).lines == history.lines)
    // A return is a part of a line.
    history.append("select 1;\r\nselect 2")
    #expect(History(fileContents: history.fileContents).lines == history.lines)
  }
}
