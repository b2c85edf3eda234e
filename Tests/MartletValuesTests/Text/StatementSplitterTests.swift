/// Scripts cut into statements, with semicolons in every place where they end nothing.
import Testing

@testable import MartletValues

struct StatementSplitterTests {
  static let trigger =
    "CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET x = CASE 1 WHEN 1 THEN 2 END; SELECT 1; END"

  static let scripts: [(String, [String])] = [
    ("select 1;", ["select 1"]),
    ("select 1; select 2", ["select 1", "select 2"]),
    (" ;; \n ; ", []),
    ("select ';' , \";\", `;`, [;];", ["select ';' , \";\", `;`, [;]"]),
    ("select 'it''s; fine';x;", ["select 'it''s; fine'", "x"]),
    ("-- a; comment\nselect 1;-- the end;", ["select 1"]),
    ("/* a; b */ select /* ; */ 1; /* ; **/", ["select /* ; */ 1"]),
    ("select 1 -- ; \n + 2;", ["select 1 -- ; \n + 2"]),
    ("select 4 / 2 - 1;", ["select 4 / 2 - 1"]),
    ("\(trigger); select 2;", [trigger, "select 2"]),
    (
      "explain create trigger t after delete on a begin select 1; end; z",
      [
        "explain create trigger t after delete on a begin select 1; end", "z",
      ]
    ),
    ("create table trigger_log(x); begin; commit", ["create table trigger_log(x)", "begin", "commit"]),
    ("select 'é;日本';", ["select 'é;日本'"]),
    ("-1", ["-1"]),
  ]

  @Test(arguments: scripts)
  func `a script gives the same statements however it is cut`(script: String, expected: [String]) {
    for size in [1, 3, 1_000] {
      var splitter = StatementSplitter()
      var statements: [String] = []
      var bytes = Array(script.utf8)[...]
      while !bytes.isEmpty {
        statements += splitter.consume(bytes.prefix(size))
        bytes = bytes.dropFirst(size)
      }
      if let last = splitter.finish() { statements.append(last) }
      #expect(statements == expected)
    }
  }

  @Test(arguments: [
    ("select 1", true), ("select 1;", false), ("", false), ("-- only a comment\n", false), ("/* open", true),
    ("'open", true), ("create trigger t after insert on a begin select 1;", true),
  ])
  func `the shell knows whether a statement goes on`(text: String, isInside: Bool) {
    var splitter = StatementSplitter()
    _ = splitter.consume(text.utf8)
    #expect(splitter.isInsideStatement == isInside)
  }

  @Test func `semicolons in a text cost no more than other bytes`() {
    let count = 400_000
    let plain = "select '\(String(repeating: "a", count: count))'"
    let pointed = "select '\(String(repeating: ";", count: count))'"
    // There are no steps to count, so times are compared: the least of five each, since somebody else may have the
    // processor in any one of them. Looking back over the text at each semicolon would take thousands of times as long.
    func time(_ script: String) -> Duration {
      let times = (0..<5).map { _ in
        ContinuousClock().measure { #expect(StatementSplitter.statements(of: script + "; x") == [script, "x"]) }
      }
      return times.min() ?? .zero
    }
    let others = time(plain)
    let semicolons = time(pointed)
    #expect(semicolons < others * 5, "\(semicolons), other bytes \(others)")
  }
}
