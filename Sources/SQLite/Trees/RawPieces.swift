/// A text of SQL cut at its question marks, but for those in quotes and comments.
struct RawPieces: Sequence, IteratorProtocol {
  enum Piece: Equatable {
    case sql(Substring)
    case placeholder
  }

  private var rest: Substring

  init(_ sql: String) { rest = sql[...] }

  mutating func next() -> Piece? {
    guard let first = rest.first else { return nil }
    if first == "?" {
      rest = rest.dropFirst()
      return .placeholder
    }
    let start = rest.startIndex
    while let character = rest.first, character != "?" { skip(character) }
    return .sql(rest.base[start..<rest.startIndex])
  }

  /// Goes over one character, or over all of a text, a name or a comment that begins with it.
  private mutating func skip(_ character: Character) {
    rest = rest.dropFirst()
    switch character {
    case "'", "\"", "`": skip(behind: character)
    case "[": skip(behind: "]")
    case "-" where rest.first == "-": rest = rest.drop { !$0.isNewline }
    case "/" where rest.first == "*": skipComment()
    default: break
    }
  }

  private mutating func skip(behind end: Character) {
    rest = rest.drop { $0 != end }.dropFirst()
  }

  private mutating func skipComment() {
    rest = rest.dropFirst()
    while let character = rest.first {
      rest = rest.dropFirst()
      if character == "*", rest.first == "/" { return rest = rest.dropFirst() }
    }
  }
}
