/// Which rows of the terminal a line takes while it is typed, and where the cursor stands.
import Testing

@testable import MartletCommand

struct WrappedLineTests {
  private func view(_ text: String, cursor: Int, columns: Int = 8, rowsMax: Int = 9) -> WrappedLine {
    WrappedLine(prompt: "> ", line: Array(text), cursor: cursor, columns: columns, rowsMax: rowsMax)
  }

  @Test(arguments: [
    ("", 0, ["> "], 0, 2), ("abc", 3, ["> abc"], 0, 5), ("abcde", 5, ["> abcde"], 0, 7),
    ("abcdef", 6, ["> abcde", "f"], 1, 1), ("abcdef", 5, ["> abcde", "f"], 1, 0),
    ("abcdef", 4, ["> abcde", "f"], 0, 6),
    ("日本語", 3, ["> 日本", "語"], 1, 2), ("日本語", 2, ["> 日本", "語"], 1, 0), ("a\tb\nc", 5, ["> a⇥b↵c"], 0, 7),
  ])
  func `a line takes the rows that it needs`(text: String, cursor: Int, rows: [String], row: Int, column: Int) {
    let view = view(text, cursor: cursor)
    #expect(view.rows == rows && view.cursorRow == row && view.cursorColumn == column)
  }

  @Test func `of more rows than there are those around the cursor are shown`() {
    let text = String(repeating: "abcdefg", count: 10)
    let (start, middle, end) = (
      view(text, cursor: 0, rowsMax: 3), view(text, cursor: 33, rowsMax: 3), view(text, cursor: 70, rowsMax: 3)
    )
    #expect(start.rows == ["> abcde", "fgabcde", "fgabcde"] && start.cursorRow == 0 && start.cursorColumn == 2)
    #expect(middle.rows.count == 3 && middle.cursorRow == 1)
    #expect(end.rows.last == "fg" && end.cursorRow == 2 && end.cursorColumn == 2)
  }

  @Test func `a row is drawn in the place of the one before, and what follows stands below`() {
    let (short, long) = (view("abc", cursor: 3), view("abcdefgh", cursor: 0))
    #expect(short.escapeSequence(after: nil) == "\r\u{1B}[J> abc\r\u{1B}[5C")
    #expect(long.escapeSequence(after: short) == "\r\u{1B}[J> abcde\r\nfgh\u{1B}[1A\r\u{1B}[2C")
    #expect(short.escapeSequence(after: view("abcdefgh", cursor: 8)) == "\u{1B}[1A\r\u{1B}[J> abc\r\u{1B}[5C")
    #expect(long.toLastRow == "\u{1B}[1B" && short.toLastRow == "")
  }
}
