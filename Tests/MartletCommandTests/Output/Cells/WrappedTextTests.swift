/// Sentences on a narrow terminal.
import Testing

@testable import MartletCommand

@Suite struct WrappedTextTests {
  @Test(arguments: [
    ("Type .help for help.\n", 12, "Type .help\nfor help.\n"), ("short\n", 80, "short\n"), ("", 10, ""),
    ("a verylongwordthatfitsnowhere b", 10, "a\nverylongwordthatfitsnowhere\nb"),
    ("Error: no such column\n  select x\n         ^\n", 12, "Error: no\nsuch column\n  select x\n         ^\n"),
    ("日本 日本 日本", 10, "日本 日本\n日本"), ("one two", 7, "one\ntwo"), ("one two", 8, "one two"),
  ])
  func `lines end between words`(text: String, columns: Int, wrapped: String) {
    #expect(WrappedText.of(text, columns: columns) == wrapped)
  }
}
