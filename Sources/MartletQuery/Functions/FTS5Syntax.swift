/// Whether a text is a pattern that FTS5 takes.
///
/// Always true: what it takes for a pattern FTS5 can parse; what it does not is quoted, so it is a phrase of words.
struct FTS5Syntax {
  static func isValid(_ text: String) -> Bool {
    guard var parser = FTS5Syntax(text) else { return false }
    return parser.takesExpression(depth: 0) && parser.tokens.isEmpty
  }

  /// A word that FTS5 takes without quotation marks.
  static func isBareword(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy(isWordScalar) && !operators.contains(text)
  }

  private enum Token: Equatable {
    case word(String)
    case text
    case symbol(Character)
  }

  private static let operators: Set<String> = ["AND", "OR", "NOT"]
  /// FTS5 itself takes 256 levels.
  private static let depthMax = 64

  private var tokens: ArraySlice<Token>

  /// Nil where a character stands that no pattern has, or a quotation mark without its other one.
  private init?(_ text: String) {
    var tokens: [Token] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if [" ", "\t", "\n", "\r"].contains(first) {
        rest.removeFirst()
      } else if first == "\"" {
        rest.removeFirst()
        while true {
          guard let end = rest.firstIndex(of: "\"") else { return nil }
          rest = rest[rest.index(after: end)...]
          // Two of them are one of the text.
          guard rest.first == "\"" else { break }
          rest.removeFirst()
        }
        tokens.append(.text)
      } else if Self.isWordScalar(first) {
        let word = rest.prefix(while: Self.isWordScalar)
        rest = rest.dropFirst(word.count)
        tokens.append(.word(String(String.UnicodeScalarView(word))))
      } else if "()+*:^,{}".unicodeScalars.contains(first) {
        rest.removeFirst()
        tokens.append(.symbol(Character(first)))
      } else {
        return nil
      }
    }
    self.tokens = tokens[...]
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "\u{1A}": true
    default: !scalar.isASCII
    }
  }

  // MARK: - Parsing

  private mutating func take(_ symbol: Character) -> Bool {
    guard tokens.first == .symbol(symbol) else { return false }
    tokens.removeFirst()
    return true
  }

  private var isOperator: Bool {
    if case .word(let word) = tokens.first { Self.operators.contains(word) } else { false }
  }

  /// Terms, each behind the other or with an operator between.
  private mutating func takesExpression(depth: Int) -> Bool {
    guard depth < Self.depthMax, takesTerm(depth) else { return false }
    while let next = tokens.first, next != .symbol(")") {
      if isOperator { tokens.removeFirst() }
      guard takesTerm(depth) else { return false }
    }
    return true
  }

  private mutating func takesTerm(_ depth: Int) -> Bool {
    if take("(") { return takesExpression(depth: depth + 1) && take(")") }
    if take("{") {
      while tokens.first == .text || isPlainWord { tokens.removeFirst() }
      guard take("}"), take(":") else { return false }
      return takesTerm(depth)
    }
    if isPlainWord || tokens.first == .text, tokens.dropFirst().first == .symbol(":") {
      tokens = tokens.dropFirst(2)
      return takesTerm(depth)
    }
    if tokens.first == .word("NEAR"), tokens.dropFirst().first == .symbol("(") { return takesNear() }
    _ = take("^")
    return takesPhrase()
  }

  private var isPlainWord: Bool {
    if case .word(let word) = tokens.first { !Self.operators.contains(word) } else { false }
  }

  /// Words joined by `+`, with a `*` behind a beginning.
  private mutating func takesPhrase() -> Bool {
    repeat {
      guard isPlainWord || tokens.first == .text else { return false }
      tokens.removeFirst()
      _ = take("*")
    } while take("+")
    return true
  }

  private mutating func takesNear() -> Bool {
    tokens = tokens.dropFirst(2)
    guard takesPhrase() else { return false }
    while tokens.first == .text || isPlainWord { if !takesPhrase() { return false } }
    if take(",") {
      guard case .word(let word) = tokens.first, word.allSatisfy(\.isNumber) else { return false }
      tokens.removeFirst()
    }
    return take(")")
  }
}
