/// The words of a statement that stand outside of quotes and comments, in capitals, with the depth of parentheses.
///
/// Always true: it reads text that SQLite has accepted, and checks nothing. It reads Unicode's scalars: to Swift CR LF
/// is one character, and so is a quote with an accent behind it.
struct SQLWords: Sequence, IteratorProtocol {
  struct Word {
    var text: String
    var depth: Int
    /// Where the word stands in the statement.
    var place: Range<String.Index>
  }

  private let sql: String.UnicodeScalarView
  private var index: String.Index
  private var depth = 0

  init(_ sql: String) {
    self.sql = sql.unicodeScalars
    index = sql.startIndex
  }

  mutating func next() -> Word? {
    while index < sql.endIndex {
      let start = index
      let scalar = sql[index]
      index = sql.index(after: index)
      switch scalar {
      case "(": depth += 1
      case ")": depth -= 1
      case "'", "\"", "`": skip(behind: scalar)
      case "[": skip(behind: "]")
      case "-" where rest.first == "-": skip(behind: "\n")
      case "/" where rest.first == "*": skipComment()
      case _ where RawPieces.isOfWord(scalar):
        index = rest.firstIndex { !RawPieces.isOfWord($0) } ?? sql.endIndex
        return Word(text: String(sql[start..<index]).uppercased(), depth: depth, place: start..<index)
      default: break
      }
    }
    return nil
  }

  private var rest: Substring.UnicodeScalarView { sql[index...] }

  private mutating func skip(behind end: Unicode.Scalar) {
    index = rest.firstIndex(of: end).map { sql.index(after: $0) } ?? sql.endIndex
  }

  private mutating func skipComment() {
    // The star that begins a comment does not end it: `/*/`.
    if index < sql.endIndex { index = sql.index(after: index) }
    while index < sql.endIndex, !rest.starts(with: "*/".unicodeScalars) { index = sql.index(after: index) }
    index = sql.index(index, offsetBy: 2, limitedBy: sql.endIndex) ?? sql.endIndex
  }
}
