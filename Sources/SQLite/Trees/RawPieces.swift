internal import MartletSQLite

/// A text of SQL cut at its parameters, but for what stands in quotes and comments.
///
/// Always true: the pieces are the whole text. It reads Unicode's scalars: SQLite ends a text at its quote even if an
/// accent stands behind it, while Swift takes both for one character.
struct RawPieces: Sequence, IteratorProtocol {
  enum Piece: Equatable {
    case sql(Substring)
    /// `?`, with the number behind it if there is one, or `:name`, `@name`, `$name`.
    case parameter(Substring)
  }

  private var rest: Substring.UnicodeScalarView

  init(_ sql: String) { rest = sql.unicodeScalars[...] }

  mutating func next() -> Piece? {
    guard !rest.isEmpty else { return nil }
    if let length = parameterLength {
      defer { rest = rest.dropFirst(length) }
      return .parameter(Substring(rest.prefix(length)))
    }
    let whole = rest
    while let scalar = rest.first, parameterLength == nil { skip(scalar) }
    return .sql(Substring(whole[..<rest.startIndex]))
  }

  /// How many scalars of a parameter begin here; nil if none begins.
  private var parameterLength: Int? {
    switch rest.first {
    case "?": return 1 + rest.dropFirst().prefix { ("0"..."9").contains($0) }.count
    case ":", "@", "$":
      let name = rest.dropFirst().prefix(while: Self.isOfWord)
      return name.isEmpty ? nil : 1 + name.count
    default: return nil
    }
  }

  /// Goes over one scalar, or over all of a text, a name or a comment that begins with it.
  private mutating func skip(_ scalar: Unicode.Scalar) {
    rest = rest.dropFirst()
    switch scalar {
    case "'", "\"", "`": skip(behind: scalar)
    case "[": skip(behind: "]")
    case "-" where rest.first == "-": rest = rest.drop { $0 != "\n" }
    case "/" where rest.first == "*": skipComment()
    // What follows a letter of a word belongs to it: `a$b` is a name.
    case _ where Self.isOfWord(scalar): rest = rest.drop(while: Self.isOfWord)
    default: break
    }
  }

  /// Whether the scalar is one of a word. As SQLite has it, every letter beyond ASCII is.
  static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: !scalar.isASCII
    }
  }

  private mutating func skip(behind end: Unicode.Scalar) {
    rest = rest.drop { $0 != end }.dropFirst()
  }

  private mutating func skipComment() {
    rest = rest.dropFirst()
    while let scalar = rest.first {
      rest = rest.dropFirst()
      if scalar == "*", rest.first == "/" { return rest = rest.dropFirst() }
    }
  }
}

/// Which of the values of a text each of its question marks stands for.
///
/// Always true: `?2` is the second value, and `?` the one behind the highest before it, as SQLite counts.
struct RawNumbers {
  private var highest = 0

  /// The index of a parameter's value; nil for a name, which a list of values does not have.
  mutating func index(of parameter: Substring) -> Int? {
    guard parameter.first == "?" else { return nil }
    let digits = parameter.dropFirst()
    // A number that is none, such as 0, is no value's: SQLite refuses it.
    let number = digits.isEmpty ? highest + 1 : Int(digits) ?? Int.max
    highest = max(highest, min(number, SQLiteLimits.parameterNumberMax))
    return number - 1
  }
}
