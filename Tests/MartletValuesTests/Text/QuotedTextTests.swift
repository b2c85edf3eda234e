/// Quotes and names by Unicode's scalars, as SQLite reads them, and not by what Swift takes for one character.
import MartletValues
import Testing

@Suite struct QuotedTextTests {
  @Test func `each mark within a text is doubled, an accent behind it or not`() {
    let texts: [(text: String, mark: Unicode.Scalar, quoted: String)] = [
      ("", "\"", "\"\""), ("a", "\"", "\"a\""), ("a\"b", "\"", "\"a\"\"b\""), ("it's", "'", "'it''s'"),
      ("it's", "\"", "\"it's\""), ("a\"\u{308} b", "\"", "\"a\"\"\u{308} b\""),
      ("\"\u{FE0F}", "\"", "\"\"\"\u{FE0F}\""),
      ("'\u{301}; DROP", "'", "'''\u{301}; DROP'"), ("\r\n", "\"", "\"\r\n\""), ("é", "\"", "\"é\""),
    ]
    for (text, mark, quoted) in texts {
      #expect(Array(text.quoted(mark).unicodeScalars) == Array(quoted.unicodeScalars), "\(text.debugDescription)")
    }
  }

  @Test func `a scalar is replaced within what is one character`() {
    let text = "a\r\n\u{7C}\u{301}".replacingScalars { $0 == "\n" ? "-" : $0 == "|" ? "\\|" : nil }
    #expect(Array(text.unicodeScalars) == Array("a\r-\\|\u{301}".unicodeScalars))
  }

  @Test func `texts that Swift takes for equal are composed in one form only`() {
    let pairs = [
      ("é", "e\u{301}"), ("Größe", "Gro\u{308}ße"), ("\u{3A9}", "\u{2126}"), ("K", "\u{212A}"),
      ("\u{AC00}", "\u{1100}\u{1161}"), ("\u{1EC7}", "e\u{323}\u{302}"),
    ]
    for (composed, other) in pairs {
      #expect(composed == other && composed.isComposed && !other.isComposed, "\(composed)")
    }
    for text in ["", "abc", "naïve", "日本", "🙂", "a\"\u{308}"] { #expect(text.isComposed, "\(text)") }
  }
}
