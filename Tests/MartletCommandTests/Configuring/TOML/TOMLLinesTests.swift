/// The lines of keys, in files that make it hard to find them.
import MartletTestSupport
import Testing

@testable import MartletCommand

struct TOMLLinesTests {
  static let cases: [(text: String, path: [String], line: Int?)] = [
    ("a = 1", ["a"], 1), ("\n# a = 1\n a = 1", ["a"], 3), ("\u{FEFF}\na = 1", ["a"], 2), ("a = 1\r\nb = 2", ["b"], 2),
    ("[t]\na = 1", ["t", "a"], 2), ("[ t . u ]\na = 1", ["t", "u", "a"], 2), ("[t.u]\n", ["t"], 1),
    ("[t.u]\n[t]", ["t"], 2), ("\na.b.c = 1", ["a", "b"], 2), ("\"a.b\" = 1", ["a.b"], 1), ("'a b' = 1", ["a b"], 1),
    ("\"\\u00e9\\t\\\"\" = 1", ["é\t\""], 1), ("'\\' = 1\nb = 2", ["b"], 2),
    ("[\"a]\\\"b\"]\nc = 1", ["a]\"b", "c"], 2),
    ("[t]#]\na = 1", ["t", "a"], 2), ("a = \"]#\\\"\"\nb = 1", ["b"], 2),
    ("a = \"\"\"\nb = 1\n\\\"\"\"\nc = 3\"\"\"\nb = 2", ["b"], 5), ("a = '''\n[t]\n'\n'''\nb = 1", ["b"], 5),
    ("a = \"\"\"x\"\"\"\"\"\nb = 1", ["b"], 2), ("a = ''''''\nb = 1", ["b"], 2), ("a = '''''x'''''\nb = 1", ["b"], 2),
    ("a = [\n 1, # ]\n [2,\n 3], \"]\",\n]\nb = 1", ["b"], 6),
    ("a = [\n 1, # ]\n [2,\n 3], \"]\",\n]\n", ["a", "1", "1"], 4),
    ("a = { b = 1, c.d = [\n1,\n2] }\ne = 1", ["a", "c", "d", "1"], 3), ("a = { }\nb = 1", ["b"], 2),
    ("a = [{ b = 1 },\n{ b = 2 }]", ["a", "1", "b"], 2),
    ("[[t]]\na = 1\n[[t]]\na = 2\n[t.u]\nb = 1", ["t", "1", "u", "b"], 6), ("[[t]]\n[[t]]\n", ["t"], 1),
    ("[[t]]\n[[t]]\n", ["t", "1"], 2), ("[[t]]\n[[t.u]]\n[[t.u]]\nx = 1", ["t", "0", "u", "1", "x"], 4),
    ("a = 1979-05-27T07:32:00\nb = -inf", ["b"], 2), ("a = 1", ["b"], nil),
  ]

  @Test func `a key is found on its line`() throws {
    for (text, path, line) in Self.cases {
      #expect(TOMLLines(text).line(of: path) == line, "\(text)")
      #expect(throws: Never.self, "\(text)") { try TOMLNode(parsing: text) }
    }
    // A moment with a blank is TOML, and nothing here takes it: it ends the search on its line.
    let moment = TOMLLines("a = 1979-05-27 07:32:00\nb = -inf")
    #expect(moment.line(of: ["b"]) == 2 && moment.problem?.line == 1)
  }

  /// A file of random shape, with the lines of its keys.
  private struct Author {
    var random: SeededGenerator
    var text = ""
    var line = 1
    var expected: [[String]: Int] = [:]

    mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

    mutating func write(_ part: String) {
      text += part
      line += part.utf8.count { $0 == 10 }
    }

    mutating func value(_ depth: Int, at path: [String]) {
      switch Int.random(in: 0..<(depth > 2 ? 4 : 6), using: &random) {
      case 0: write(pick(["1", "-2.5e3", "true", "0x_f".replacing("_", with: ""), "1979-05-27", "inf"]))
      case 1: write(pick(["\"# [x] \\\" = {\"", "'\\'", "''", "\"\"", "'a = 1'"]))
      case 2:
        write(pick(["\"\"\"\na = 1 \\\"\"\"\n[t]\"\"\"\"\"", "'''\n# '\n'''", "\"\"\"a \\\n  b\"\"\"", "''''''"]))
      case 3: write("\"\"\"\"\"\"")
      case 4:
        write("[" + pick(["", "\n", " # ]\n"]))
        for index in 0..<Int.random(in: 0...3, using: &random) {
          expected[path + ["\(index)"]] = line
          value(depth + 1, at: path + ["\(index)"])
          write(pick([",", " ,", "\n,\n", ", # , ]\n"]))
        }
        write(pick(["]", "\n]", "  ]"]))
      default:
        write("{ ")
        for index in 0..<Int.random(in: 0...3, using: &random) {
          if index > 0 { write(", ") }
          expected[path + ["k\(index)"]] = line
          write(pick(["k\(index) = ", "'k\(index)'=", "\"k\(index)\" ="]))
          value(depth + 1, at: path + ["k\(index)"])
        }
        write(" }")
      }
    }

    mutating func file() {
      for table in 0..<6 {
        let name = "t\(table)" + pick(["", ".", "]", "#", "'", " é"])
        let path = table == 0 ? [] : [name]
        if table > 0 {
          expected[path] = line
          write("[ \"\(name)\" ]" + pick(["\n", " # [x]\n", "\n\n"]))
        }
        for key in 0..<4 {
          expected[path + ["a\(key)"]] = line
          let isDotted = Bool.random(using: &random)
          let end = isDotted ? path + ["a\(key)", "b"] : path + ["a\(key)"]
          expected[end] = line
          write(pick(["", "  "]) + (isDotted ? "a\(key) . 'b' = " : "a\(key)="))
          value(0, at: end)
          write(pick(["\n", " # x = [\n", "\n# y\n\n"]))
        }
      }
    }
  }

  @Test func `keys of 2,000 files of random shape are found`() {
    for seed in 0..<2_000 {
      var author = Author(random: SeededGenerator(seed: UInt64(seed)))
      author.file()
      #expect(throws: Never.self, "\(author.text)") { try TOMLNode(parsing: author.text) }
      let lines = TOMLLines(author.text)
      for (path, line) in author.expected where lines.line(of: path) != line {
        Issue.record("\(path) is on line \(line), not \(lines.line(of: path) ?? 0), of\n\(author.text)")
      }
    }
  }

  @Test func `what is no TOML ends the search`() {
    var random = SeededGenerator(seed: 7)
    let signs = Array("[]{}\"'=.,#\\\n a1é".unicodeScalars)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<60, using: &random)
      let scalars = (0..<count).map { _ in signs[Int.random(in: 0..<signs.count, using: &random)] }
      _ = TOMLLines(String(String.UnicodeScalarView(scalars)))
    }
    for text in [
      "[", "[]", "[[", "[=a]", "[ #]", "[é]", "[[.a]]", "[ [a]]", "[+a]", "a = [ ]\n[,]", "a = [}", "a", "= 1", "a = ",
      "a = {=1}", "a = [1 2]", "a = 1979-05-27 1", "a = [,]", "a = yes", "a = _1", "a = é",
    ] {
      #expect(TOMLLines(text).problem != nil, "\(text)")
    }
    #expect(TOMLLines("[a]\n[['b']]\n[ \"c\" ]\nd = [\n[]]").problem == nil)
    _ = TOMLLines("a = " + String(repeating: "[", count: 200_000))
    _ = TOMLLines("a = " + String(repeating: "{a=", count: 200_000))
  }
}
