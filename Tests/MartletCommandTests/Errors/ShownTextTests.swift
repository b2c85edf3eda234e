/// What others have written, on a terminal.
import Testing

@testable import MartletCommand

struct ShownTextTests {
  private func shown(_ text: String) -> String {
    String(decoding: ShownText.onTerminal(Array(text.utf8)), as: UTF8.self)
  }

  @Test func `what steers a terminal is shown, and lines, tabs and letters stay`() {
    let table: [(String, String)] = [
      ("", ""), ("a\tb\nc\n", "a\tb\nc\n"), ("a,b\r\nc\r\n", "a,b\r\nc\r\n"), ("né, 日本 – £\n", "né, 日本 – £\n"),
      ("\u{1B}[2Jgone\n", "\\u{1b}[2Jgone\n"), ("shown\rhidden\n", "shown\\rhidden\n"), ("a\r", "a\\r"),
      ("\u{9B}31m", "\\u{9b}31m"), ("\u{202E}txt", "\\u{202e}txt"), ("\u{7F}\0", "\\u{7f}\\0"), ("\n\n", "\n\n"),
    ]
    for (text, wanted) in table { #expect(shown(text) == wanted, "\(text.unicodeScalars.map(\.value))") }
  }
}
