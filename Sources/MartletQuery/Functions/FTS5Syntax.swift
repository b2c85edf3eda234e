internal import MartletValues

/// Whether a text is a pattern that FTS5 takes.
///
/// Always true: a text that it accepts is one that FTS5 can parse, with columns that the table has. Any other text is
/// quoted, and so becomes a phrase of words. It takes no more of the stack than `QueryLimits.matchDepthMax` levels,
/// whatever the text is.
struct FTS5Syntax {
  /// - Parameter columns: those of the table; nil if it is not known.
  static func isValid(_ text: String, columns: [String]? = nil) -> Bool {
    guard var parser = FTS5Syntax(text, columns) else { return false }
    return parser.takesExpression(depth: 0) && parser.tokens.isEmpty
  }

  /// A word that FTS5 takes without quotation marks.
  static func isBareword(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy(isWordScalar) && !operators.contains(text)
  }

  private enum Token: Equatable {
    case word(String)
    /// The text between quotation marks.
    case text(String)
    case symbol(Unicode.Scalar)
  }

  private static let operators: Set<String> = ["AND", "OR", "NOT"]

  private let columns: Set<String>?
  private var tokens: ArraySlice<Token>
  private var negations = 0

  /// Nil for a character that no pattern may have, or a quotation mark without its other one. FTS5 reads up to the
  /// first NUL, in quotation marks too.
  private init?(_ text: String, _ columns: [String]?) {
    if text.unicodeScalars.contains("\0") { return nil }
    self.columns = columns.map { Set($0.map(\.lowercasedASCII)) }
    var tokens: [Token] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if [" ", "\t", "\n", "\r"].contains(first) {
        rest.removeFirst()
      } else if first == "\"" {
        guard let text = Self.quoted(&rest) else { return nil }
        tokens.append(.text(text))
      } else if Self.isWordScalar(first) {
        let word = rest.prefix(while: Self.isWordScalar)
        rest = rest.dropFirst(word.count)
        tokens.append(.word(String(String.UnicodeScalarView(word))))
      } else if "()+*:^,{}-".unicodeScalars.contains(first) {
        rest.removeFirst()
        tokens.append(.symbol(first))
      } else {
        return nil
      }
    }
    self.tokens = tokens[...]
  }

  /// Takes a text in quotation marks; two of them are one of the text.
  private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String? {
    var text = String.UnicodeScalarView()
    rest.removeFirst()
    while let end = rest.firstIndex(of: "\"") {
      text += rest[..<end]
      rest = rest[rest.index(after: end)...]
      guard rest.first == "\"" else { return String(text) }
      text.append(rest.removeFirst())
    }
    return nil
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "\u{1A}": true
    default: !scalar.isASCII
    }
  }

  // MARK: - Parsing

  private mutating func take(_ symbol: Unicode.Scalar) -> Bool {
    guard tokens.first == .symbol(symbol) else { return false }
    tokens.removeFirst()
    return true
  }

  /// A word that is no operator, or a text in quotation marks.
  private mutating func takeString() -> String? {
    switch tokens.first {
    case .word(let word) where !Self.operators.contains(word):
      tokens.removeFirst()
      return word
    case .text(let text):
      tokens.removeFirst()
      return text
    default: return nil
    }
  }

  /// Terms with an operator between.
  private mutating func takesExpression(depth: Int) -> Bool {
    guard depth < QueryLimits.matchDepthMax, takesTerm(depth) else { return false }
    while case .word(let word) = tokens.first, Self.operators.contains(word) {
      tokens.removeFirst()
      if word == "NOT" { negations += 1 }
      guard negations <= QueryLimits.matchNegationsMax, takesTerm(depth) else { return false }
    }
    return true
  }

  /// An expression in parentheses, of certain columns or not; or phrases one behind the other, each of certain columns
  /// or not.
  private mutating func takesTerm(_ depth: Int) -> Bool {
    guard takesColumns() else { return false }
    if take("(") { return takesExpression(depth: depth + 1) && take(")") }
    while true {
      guard takesNear() else { return false }
      guard isPhraseNext else { return isEndOfTerm }
      guard takesColumns() else { return false }
    }
  }

  /// An operator, a closing parenthesis or nothing comes next.
  private var isEndOfTerm: Bool {
    switch tokens.first {
    case nil, .symbol(")"): true
    case .word(let word): Self.operators.contains(word)
    default: false
    }
  }

  private var isPhraseNext: Bool {
    switch tokens.first {
    case .word(let word): !Self.operators.contains(word)
    case .text, .symbol("^"), .symbol("{"), .symbol("-"): true
    default: false
    }
  }

  /// `title :`, `{title notes} :` and either with a `-` before it, or nothing. False if it begins but does not end, or
  /// names a column that the table does not have.
  private mutating func takesColumns() -> Bool {
    let isNegated = take("-")
    if take("{") {
      var count = 0
      while let name = takeString() {
        guard isColumn(name) else { return false }
        count += 1
      }
      return count > 0 && take("}") && take(":")
    }
    guard tokens.dropFirst().first == .symbol(":"), let name = takeString() else { return !isNegated }
    return isColumn(name) && take(":")
  }

  /// FTS5 compares names as SQLite does: letters of ASCII in either case.
  private func isColumn(_ name: String) -> Bool { columns?.contains(name.lowercasedASCII) ?? true }

  /// `^phrase`, a phrase, or `NEAR(phrase phrase, 10)`.
  private mutating func takesNear() -> Bool {
    guard tokens.first == .word("NEAR"), tokens.dropFirst().first == .symbol("(") else {
      _ = take("^")
      return takesPhrase()
    }
    tokens = tokens.dropFirst(2)
    repeat {
      guard takesPhrase() else { return false }
    } while tokens.first != .symbol(",") && tokens.first != .symbol(")")
    if take(",") {
      guard case .word(let word) = tokens.first, word.utf8.allSatisfy({ (48...57).contains($0) }) else { return false }
      tokens.removeFirst()
    }
    return take(")")
  }

  /// Words joined by `+`, with a `*` behind a beginning.
  private mutating func takesPhrase() -> Bool {
    repeat {
      guard takeString() != nil else { return false }
      _ = take("*")
    } while take("+")
    return true
  }
}
