/// What a full-text table may have to do for a pattern within one row.
import Testing

@testable import MartletSQLite

@Suite struct PatternWorkTests {
  private func work(_ text: String, isForOldTable: Bool = false, areCutAnywhere: Bool = false) -> Int {
    PatternWork(text, .init(areCutAnywhere: areCutAnywhere), isForOldTable: isForOldTable).count
  }

  @Test func `what people type costs nothing, however many words they search for`() {
    let table = [
      "", "apple", "apple pear", "apple AND pear OR plum", "app*", "title: apple", "{title body} : apple",
      "-title:apple",
      "\"apple\"", "(a OR b) NOT c", "привет мир", "東京 大阪", "café",
      Array(repeating: "a", count: 100).joined(separator: " OR "),
    ]
    for text in table { #expect(work(text) == 0, "\(text.prefix(40))") }
    #expect(work(Array(repeating: "a", count: 10_000).joined(separator: " OR ")) == 78)
    #expect(work("{" + String(repeating: "c ", count: 100_000) + "} : a") == 390)
  }

  @Test func `the words of a phrase count, in whatever way it is written`() {
    let table: [(String, Int)] = [
      ("\"apple pear\"", 8), ("apple + pear", 8), ("apple+pear+plum", 12), ("\"apple pear\" + plum", 12), ("a_b", 8),
      ("\"a b\" OR \"c d e\"", 20), ("\"a \"\" b\"", 8), ("\"a b", 8), ("^apple", 4), ("^ \"a b\"", 8),
      ("x ^apple pear", 4),
      ("title:\"a-b.c\"", 12), ("\"а б в\"", 12), ("a\u{B7}b", 12),
    ]
    for (text, count) in table { #expect(work(text) == count, "\(text): \(work(text))") }
  }

  @Test func `the words of a NEAR count by their square, and each NEAR on its own`() {
    let table: [(String, Int)] = [
      ("NEAR(a b)", 8), ("NEAR(a b, 5)", 18), ("NEAR (a b c)", 18), ("NEAR(a b) AND NEAR(c d)", 16),
      ("NEAR(\"a b\" c)", 16), ("NEAR(a + b c)", 16), ("NEAR(a b", 8), ("(a b c)", 0), ("a (b c)", 8),
    ]
    for (text, count) in table { #expect(work(text) == count, "\(text): \(work(text))") }
  }

  @Test func `tables of FTS4 look for each word at once`() {
    let table: [(String, Int)] = [
      ("apple", 1), ("apple pear plum", 3), ("\"apple pear\"", 8), ("a NEAR/5 b", 12), ("title:a b", 3), ("a.b.c", 3),
    ]
    for (text, count) in table { #expect(work(text, isForOldTable: true) == count, "\(text)") }
  }

  @Test func `if words may be cut anywhere, each letter is one`() {
    #expect(work("apple", areCutAnywhere: true) == 20)
    #expect(work("a", areCutAnywhere: true) == 0)
    #expect(work("NEAR(ab cd)", areCutAnywhere: true) == 40)
  }

  @Test func `a text of several counts as one phrase, and as a NEAR if it may be one`() {
    func joined(_ texts: [String], isForOldTable: Bool = false) -> Int {
      PatternWork(joined: texts, .init(), isForOldTable: isForOldTable).count
    }
    #expect(joined(["apple pear", "*"]) == 12)
    #expect(joined(["NE", "AR(a b c)"]) == 20 + 50)
    #expect(joined(["apple", "*"], isForOldTable: true) == 16)
  }

  @Test func `a text of any kind is counted without a trap, and a long one in time`() {
    var generator = Numbers(seed: 7)
    let pieces = [
      "a", " ", "\"", "(", ")", "NEAR", "+", "^", "é", "\u{301}", "\u{1F600}", "ⱯꟘ", "-", ":", "{", "}", "\0", ",",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
        .joined()
      #expect(work(text) >= 0 && work(text, isForOldTable: true) >= 0)
    }
    let long = String(repeating: "a ", count: 100_000)
    #expect(work("\"" + long + "\"") == 400_390)
    #expect(work(String(repeating: "a", count: 300_000)) == 300_000)
    #expect(work("NEAR(" + long + ")") == 20_000_000_390)
  }
}

/// Numbers that are the same in each run.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
