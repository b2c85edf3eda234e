/// The words of a statement that stand outside of quotes and comments, in capitals, with the depth of parentheses.
///
/// Always true: it finds words in what SQLite has taken, and judges nothing.
struct SQLWords: Sequence, IteratorProtocol {
  struct Word {
    var text: String
    var depth: Int
    /// Where it stands in the statement.
    var place: Range<String.Index>
  }

  private let sql: String
  private var index: String.Index
  private var depth = 0

  init(_ sql: String) {
    self.sql = sql
    index = sql.startIndex
  }

  mutating func next() -> Word? {
    while index < sql.endIndex {
      let start = index
      let character = sql[index]
      index = sql.index(after: index)
      switch character {
      case "(": depth += 1
      case ")": depth -= 1
      case "'", "\"", "`": skip(behind: character)
      case "[": skip(behind: "]")
      case "-" where rest.first == "-": skip(behind: "\n")
      case "/" where rest.first == "*": skipComment()
      case _ where Self.isOfWord(character):
        index = rest.firstIndex { !Self.isOfWord($0) } ?? sql.endIndex
        return Word(text: sql[start..<index].uppercased(), depth: depth, place: start..<index)
      default: break
      }
    }
    return nil
  }

  private var rest: Substring { sql[index...] }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }

  private mutating func skip(behind end: Character) {
    index = rest.firstIndex(of: end).map { sql.index(after: $0) } ?? sql.endIndex
  }

  private mutating func skipComment() {
    while index < sql.endIndex, !rest.hasPrefix("*/") { index = sql.index(after: index) }
    index = sql.index(index, offsetBy: 2, limitedBy: sql.endIndex) ?? sql.endIndex
  }
}
