/// A text of SQL cut at its parameters, but for what stands in quotes and comments.
struct RawPieces: Sequence, IteratorProtocol {
  enum Piece: Equatable {
    case sql(Substring)
    /// `?`, with the number behind it where there is one, or `:name`, `@name`, `$name`.
    case parameter(Substring)
  }

  private var rest: Substring

  init(_ sql: String) { rest = sql[...] }

  mutating func next() -> Piece? {
    guard !rest.isEmpty else { return nil }
    if let length = parameterLength {
      defer { rest = rest.dropFirst(length) }
      return .parameter(rest.prefix(length))
    }
    let start = rest.startIndex
    while let character = rest.first, parameterLength == nil { skip(character) }
    return .sql(rest.base[start..<rest.startIndex])
  }

  /// How many characters of a parameter begin here; nil where none begins.
  private var parameterLength: Int? {
    switch rest.first {
    case "?": return 1 + rest.dropFirst().prefix { $0.isASCII && $0.isNumber }.count
    case ":", "@", "$":
      let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      return name.isEmpty ? nil : 1 + name.count
    default: return nil
    }
  }

  /// Goes over one character, or over all of a text, a name or a comment that begins with it.
  private mutating func skip(_ character: Character) {
    rest = rest.dropFirst()
    switch character {
    case "'", "\"", "`": skip(behind: character)
    case "[": skip(behind: "]")
    case "-" where rest.first == "-": rest = rest.drop { !$0.isNewline }
    case "/" where rest.first == "*": skipComment()
    // What follows a letter of a word belongs to it: `a$b` is a name.
    case _ where character.isLetter || character.isNumber || character == "_":
      rest = rest.drop { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
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
