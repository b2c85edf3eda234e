import MartletAST

/// A pattern of FTS5's syntax, made of a text that may hold anything.
///
/// Always true: whatever characters the text holds, the pattern is one that FTS5 accepts, and no word of it is an
/// operator. Text without words matches nothing.
public struct FTS5Pattern: QueryExpression, Sendable, Hashable, CustomStringConvertible {
  public typealias QueryValue = String

  /// In FTS5's own syntax.
  public let description: String

  public var queryFragment: QueryFragment { .bind(.text(description)) }

  /// A pattern in FTS5's own syntax, with its operators: `take OR apple`, `title: "a phrase"`, `NEAR(a b, 3)`.
  ///
  /// A text that is none, such as `don't` or `foo-bar`, is a phrase: no text makes the statement fail, except for a
  /// column that the table does not have.
  public init(_ syntax: String) { self.init(syntax, columns: nil) }

  /// The same for a table with these columns: what names another one is a phrase too.
  init(_ syntax: String, columns: [String]?) {
    description = FTS5Syntax.isValid(syntax, columns: columns) ? syntax : Self.quoted(syntax[...])
  }

  /// The words one after the other, in one column.
  init(column: String, phrase: String) {
    let name = FTS5Syntax.isBareword(column) ? column : Self.quoted(column[...])
    description = "\(name):\(Self.quoted(phrase[...]))"
  }

  /// Rows that hold every word.
  public init(matchingAllWordsIn text: String) { self.init(Self.words(text), " ") }

  /// Rows that hold one of the words.
  public init(matchingAnyWordIn text: String) { self.init(Self.words(text), " OR ") }

  /// Rows that hold a word with each of these beginnings: for searching while somebody types.
  public init(matchingAllPrefixesIn text: String) { self.init(Self.words(text).map { $0 + "*" }, " ") }

  /// Rows that hold a word with one of these beginnings.
  public init(matchingAnyPrefixIn text: String) { self.init(Self.words(text).map { $0 + "*" }, " OR ") }

  /// Rows that hold the words one after the other.
  public init(matchingPhrase text: String) { description = Self.quoted(text[...]) }

  private init(_ terms: [String], _ separator: String) {
    description = terms.isEmpty ? "\"\"" : terms.joined(separator: separator)
  }

  /// Each word as a string of FTS5's syntax, in which only the quotation mark means something.
  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(quoted)
  }

  private static func quoted(_ word: Substring) -> String {
    var quoted = "\""
    // FTS5 reads a pattern up to its first NUL. By scalars, because to Swift a mark with an accent behind it is another
    // character.
    for scalar in word.unicodeScalars where scalar != "\0" {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

extension QueryExpression where Self == FTS5Pattern {
  /// `$0.match(.allWords(in: text))`.
  public static func allWords(in text: String) -> FTS5Pattern { FTS5Pattern(matchingAllWordsIn: text) }
  /// `$0.match(.anyWord(in: text))`: rows that hold one of the words.
  public static func anyWord(in text: String) -> FTS5Pattern { FTS5Pattern(matchingAnyWordIn: text) }
  /// `$0.match(.allPrefixes(in: text))`: rows that hold a word with each of these beginnings.
  public static func allPrefixes(in text: String) -> FTS5Pattern { FTS5Pattern(matchingAllPrefixesIn: text) }
  /// `$0.match(.anyPrefix(in: text))`: rows that hold a word with one of these beginnings.
  public static func anyPrefix(in text: String) -> FTS5Pattern { FTS5Pattern(matchingAnyPrefixIn: text) }
  /// `$0.match(.phrase(text))`: rows that hold the words one after the other.
  public static func phrase(_ text: String) -> FTS5Pattern { FTS5Pattern(matchingPhrase: text) }
}
