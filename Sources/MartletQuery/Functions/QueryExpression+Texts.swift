public import Foundation
import MartletAST

/// Functions and patterns over texts.
///
/// Always true: a function of a text that may be NULL has a result that may be NULL; patterns made by `hasPrefix`,
/// `hasSuffix` and `contains` match their argument literally, whatever characters it holds.
extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == String {
  // MARK: Patterns

  /// `self LIKE pattern`: `%` stands for any text, `_` for one character; A to Z are equal to a to z. After `escape`,
  /// which is one character, they mean themselves.
  public func like(_ pattern: String, escape: String? = nil) -> SQLQueryExpression<Bool> {
    like(pattern.queryFragment, escape)
  }

  /// `self LIKE pattern` with a pattern that is an expression.
  @_disfavoredOverload
  public func like(_ pattern: some QueryExpression<String>, escape: String? = nil) -> SQLQueryExpression<Bool> {
    like(pattern.queryFragment, escape)
  }

  private func like(_ pattern: QueryFragment, _ escape: String?) -> SQLQueryExpression<Bool> {
    guard let escape else { return .operation(.like, queryFragment, pattern) }
    return .operation(.like, queryFragment, pattern, .literal(text: escape))
  }

  /// `text NOT LIKE pattern`: for NULL neither this nor `like` is true.
  public func notLike(_ pattern: some QueryExpression<String>, escape: String? = nil) -> SQLQueryExpression<Bool> {
    guard let escape else { return .operation(.notLike, queryFragment, pattern.queryFragment) }
    return .operation(.notLike, queryFragment, pattern.queryFragment, .literal(text: escape))
  }

  /// Case-sensitive, with `*`, `?` and `[...]`.
  public func glob(_ pattern: some QueryExpression<String>) -> SQLQueryExpression<Bool> {
    .operation(.glob, queryFragment, pattern.queryFragment)
  }

  /// `text NOT GLOB pattern`.
  public func notGlob(_ pattern: some QueryExpression<String>) -> SQLQueryExpression<Bool> {
    .operation(.notGlob, queryFragment, pattern.queryFragment)
  }

  /// `text REGEXP pattern`. SQLite calls a function `regexp(pattern, text)` for it, which a program registers:
  /// `@DatabaseFunction func regexp(pattern: String, text: String) -> Bool`.
  public func regexp(_ pattern: some QueryExpression<String>) -> SQLQueryExpression<Bool> {
    .operation(.regexp, queryFragment, pattern.queryFragment)
  }

  /// `text NOT REGEXP pattern`.
  public func notRegexp(_ pattern: some QueryExpression<String>) -> SQLQueryExpression<Bool> {
    .operation(.notRegexp, queryFragment, pattern.queryFragment)
  }

  /// Full-text search in this column of an FTS5 table.
  public func match(_ pattern: some QueryExpression<String>) -> SQLQueryExpression<Bool> {
    .operation(.match, queryFragment, pattern.queryFragment)
  }

  /// `self LIKE '%text%'`, with the text taken literally.
  @_disfavoredOverload
  public func contains(_ text: String) -> SQLQueryExpression<Bool> { literally("%", text, "%") }
  /// `self LIKE 'text%'`, with the text taken literally.
  @_disfavoredOverload
  public func hasPrefix(_ text: String) -> SQLQueryExpression<Bool> { literally("", text, "%") }
  /// `self LIKE '%text'`, with the text taken literally.
  @_disfavoredOverload
  public func hasSuffix(_ text: String) -> SQLQueryExpression<Bool> { literally("%", text, "") }

  /// `self LIKE '%text%'`, with a part of another text taken literally.
  @_disfavoredOverload
  public func contains(_ text: some StringProtocol) -> SQLQueryExpression<Bool> { literally("%", String(text), "%") }
  /// `self LIKE 'text%'`, with a part of another text taken literally.
  @_disfavoredOverload
  public func hasPrefix(_ text: some StringProtocol) -> SQLQueryExpression<Bool> { literally("", String(text), "%") }
  /// `self LIKE '%text'`, with a part of another text taken literally.
  @_disfavoredOverload
  public func hasSuffix(_ text: some StringProtocol) -> SQLQueryExpression<Bool> { literally("%", String(text), "") }

  /// Escapes only if it must, so that plain texts are one shape with the plain LIKE. By scalars, because to Swift a
  /// sign with an accent behind it is another character, while SQLite still sees the sign.
  private func literally(_ before: String, _ text: String, _ after: String) -> SQLQueryExpression<Bool> {
    // SQLite reads a pattern up to its first NUL, so it would find more.
    guard !text.utf8.contains(0) else {
      return SQLQueryExpression(
        .bind(.invalid(QueryBindingFailure("LIKE finds no text with NUL. Take the NUL out of what is searched for."))))
    }
    guard text.utf8.contains(where: { [0x25, 0x5f, 0x5c].contains($0) }) else { return like(before + text + after) }
    let escaped = text.replacingScalars { ["%", "_", "\\"].contains($0) ? "\\\($0)" : nil }
    return like(before + escaped + after, escape: "\\")
  }

  // MARK: Texts to texts

  /// `upper(self)`: a to z only; SQLite leaves other letters as they are.
  public func upper() -> SQLQueryExpression<QueryValue> { .function("upper", queryFragment) }
  /// `lower(self)`: A to Z only; SQLite leaves other letters as they are.
  public func lower() -> SQLQueryExpression<QueryValue> { .function("lower", queryFragment) }

  /// `trim(self)`: without spaces, or without these characters, at both ends.
  public func trim(_ characters: String? = nil) -> SQLQueryExpression<QueryValue> { trim("trim", characters) }
  /// `ltrim(self)`: without spaces, or without these characters, at the beginning.
  public func ltrim(_ characters: String? = nil) -> SQLQueryExpression<QueryValue> { trim("ltrim", characters) }
  /// `rtrim(self)`: without spaces, or without these characters, at the end.
  public func rtrim(_ characters: String? = nil) -> SQLQueryExpression<QueryValue> { trim("rtrim", characters) }

  private func trim(_ name: String, _ characters: String?) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(.function(name, [queryFragment] + (characters.map { [$0.queryFragment] } ?? [])))
  }

  /// The rest from the `start`-th character on, counted from 1; a negative `start` counts from the end.
  public func substr(_ start: some QueryExpression<Int>) -> SQLQueryExpression<QueryValue> {
    .function("substr", queryFragment, start.queryFragment)
  }

  /// `substr(self, start, length)`: so many characters; if `length` is negative, those before the start.
  public func substr(
    _ start: some QueryExpression<Int>, _ length: some QueryExpression<Int>
  ) -> SQLQueryExpression<QueryValue> {
    .function("substr", queryFragment, start.queryFragment, length.queryFragment)
  }

  /// `replace(self, text, replacement)`: every occurrence of the text, with regard to case.
  public func replace(
    _ text: some QueryExpression<String>, _ replacement: some QueryExpression<String>
  ) -> SQLQueryExpression<QueryValue> {
    .function("replace", queryFragment, text.queryFragment, replacement.queryFragment)
  }

  /// The order and equality that comparisons of it use.
  public func collate(_ collation: Collation) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(QueryFragment(.collate(queryFragment, collation: collation.rawValue)))
  }

  // MARK: Joining texts

  /// `left || right` with a plain text.
  public static func + (left: Self, right: String) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(.chain(.concatenate, left.queryFragment, right.queryFragment))
  }

  /// `left || right` of two expressions.
  public static func + (left: Self, right: some QueryExpression<QueryValue>) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(.chain(.concatenate, left.queryFragment, right.queryFragment))
  }

  /// `left || right`: NULL if the right side is NULL.
  @_disfavoredOverload
  public static func + (left: Self, right: some QueryExpression<QueryValue?>) -> SQLQueryExpression<QueryValue?> {
    SQLQueryExpression(.chain(.concatenate, left.queryFragment, right.queryFragment))
  }

  /// `left || right`: NULL if the left side is NULL.
  @_disfavoredOverload
  public static func + <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where QueryValue == Right.QueryValue? {
    SQLQueryExpression(.chain(.concatenate, left.queryFragment, right.queryFragment))
  }
}

// As with numbers: two plain texts are joined by Swift.
extension ComputedExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == String {
  /// `left || right` that begins with a plain text.
  public static func + (left: String, right: Self) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(.chain(.concatenate, left.queryFragment, right.queryFragment))
  }
}

// As with numbers: of one concrete type, which the compiler tries first.
extension SQLQueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == String {
  /// `left || right` of two texts that were computed.
  public static func + (left: Self, right: Self) -> Self {
    Self(.chain(.concatenate, left.queryFragment, right.queryFragment))
  }
}

extension QueryExpression where QueryValue == String {
  /// In characters.
  public func length() -> SQLQueryExpression<Int> { .function("length", queryFragment) }
  /// The position at which the text begins, counted from 1; 0 if it is not there.
  public func instr(_ text: some QueryExpression<String>) -> SQLQueryExpression<Int> {
    .function("instr", queryFragment, text.queryFragment)
  }
}

extension QueryExpression where QueryValue == String? {
  /// In characters; nil for NULL.
  public func length() -> SQLQueryExpression<Int?> { .function("length", queryFragment) }
  /// The position at which the text begins, counted from 1; 0 if it is not there, nil for NULL.
  public func instr(_ text: some QueryExpression<String>) -> SQLQueryExpression<Int?> {
    .function("instr", queryFragment, text.queryFragment)
  }
}

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == String {
  /// The code point of the first character.
  public func unicode() -> SQLQueryExpression<Int?> { .function("unicode", queryFragment) }
  /// In bytes; SQLite 3.43.
  public func octetLength() -> SQLQueryExpression<Int?> { .function("octet_length", queryFragment) }
  /// Bytes from hexadecimal digits; SQLite 3.41.
  public func unhex() -> SQLQueryExpression<[UInt8]?> { .function("unhex", queryFragment) }
}

extension QueryExpression where QueryValue: QueryRepresentable {
  /// As an SQL literal.
  public func quote() -> SQLQueryExpression<String> { .function("quote", queryFragment) }
  /// Its bytes in hexadecimal digits.
  public func hex() -> SQLQueryExpression<String> { .function("hex", queryFragment) }
  /// `integer`, `real`, `text`, `blob` or `null`.
  public func typeof() -> SQLQueryExpression<String> { .function("typeof", queryFragment) }
}

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == [UInt8] {
  /// `length(self)`: in bytes.
  public func length() -> SQLQueryExpression<Int?> { .function("length", queryFragment) }
  /// `octet_length(self)`: in bytes; SQLite 3.43.
  public func octetLength() -> SQLQueryExpression<Int?> { .function("octet_length", queryFragment) }
}

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == Data {
  /// `length(self)`: in bytes.
  public func length() -> SQLQueryExpression<Int?> { .function("length", queryFragment) }
  /// `octet_length(self)`: in bytes; SQLite 3.43.
  public func octetLength() -> SQLQueryExpression<Int?> { .function("octet_length", queryFragment) }
}

/// The name of a collating sequence.
public struct Collation: RawRepresentable, Sendable, Hashable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Texts are compared byte by byte, with regard to case: SQLite's own choice.
  public static let binary = Collation(rawValue: "BINARY")
  /// A to Z are equal to a to z; other letters are not folded.
  public static let nocase = Collation(rawValue: "NOCASE")
  /// Spaces at the end do not count.
  public static let rtrim = Collation(rawValue: "RTRIM")
}
