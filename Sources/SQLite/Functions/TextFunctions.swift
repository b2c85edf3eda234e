internal import MartletValues

/// Functions of texts, as members of what they are called on.
///
/// Always true: lengths and places are counted in characters of Unicode, as SQLite counts them.
extension ExpressionType where UnderlyingType: Value, UnderlyingType.Datatype == String {
  /// `length("a")`
  public var length: Expression<Int> { called("length") }
}

extension ExpressionType
where UnderlyingType: _OptionalType & ColumnType, UnderlyingType.ColumnValue.Datatype == String {
  /// `length("a")`
  public var length: Expression<Int?> { called("length") }
}

extension ExpressionType where UnderlyingType: ColumnType, UnderlyingType.ColumnValue.Datatype == String {
  /// `lower("a")`: the letters A to Z in lower case.
  public var lowercaseString: Expression<UnderlyingType> { called("lower") }

  /// `upper("a")`: the letters a to z in upper case.
  public var uppercaseString: Expression<UnderlyingType> { called("upper") }

  // MARK: Patterns

  /// `("a" LIKE 'b%')`: `%` is any text and `_` any character, but behind `escape`. SQLite compares the letters A to Z
  /// without regard to their case.
  public func like(_ pattern: String, escape character: Character? = nil) -> Expression<UnderlyingType.Truth> {
    Node.like(node, pattern.bound, character)
  }

  /// `("a" LIKE "b")`
  public func like(
    _ pattern: Expression<String>, escape character: Character? = nil
  ) -> Expression<UnderlyingType.Truth> {
    Node.like(node, pattern.node, character)
  }

  /// `("a" GLOB 'b*')`: `*` is any text, `?` any character and `[a-z]` one of these; case counts.
  public func glob(_ pattern: String) -> Expression<UnderlyingType.Truth> {
    Expression(.infix(.glob, node, pattern.bound))
  }

  /// `("a" MATCH 'b')`: in a table of FTS4 or FTS5.
  public func match(_ pattern: String) -> Expression<UnderlyingType.Truth> {
    Expression(.infix(.match, node, pattern.bound))
  }

  /// `("a" REGEXP '^b+$')`. SQLite has no function for it; make one called `regexp` with `createFunction`.
  public func regexp(_ pattern: String) -> Expression<UnderlyingType.Truth> {
    Expression(.infix(.regexp, node, pattern.bound))
  }

  // MARK: Order

  /// `("a" COLLATE NOCASE)`: compared and ordered so.
  public func collate(_ collation: Collation) -> Expression<UnderlyingType> {
    Expression(Node(.collate(node, collation)))
  }

  // MARK: Parts

  /// `ltrim("a")`, or `ltrim("a", ' -')`: without spaces, or these characters, at its beginning.
  public func ltrim(_ characters: [Character]? = nil) -> Expression<UnderlyingType> { trimmed("ltrim", characters) }

  /// `rtrim("a")`, or `rtrim("a", ' -')`: without spaces, or these characters, at its end.
  public func rtrim(_ characters: [Character]? = nil) -> Expression<UnderlyingType> { trimmed("rtrim", characters) }

  /// `trim("a")`, or `trim("a", ' -')`: without spaces, or these characters, at both ends.
  public func trim(_ characters: [Character]? = nil) -> Expression<UnderlyingType> { trimmed("trim", characters) }

  private func trimmed(_ name: String, _ characters: [Character]?) -> Expression<UnderlyingType> {
    guard let characters else { return called(name) }
    return called(name, String(characters).bound)
  }

  /// `replace("a", 'b', 'c')`
  public func replace(_ pattern: String, with replacement: String) -> Expression<UnderlyingType> {
    called("replace", pattern.bound, replacement.bound)
  }

  /// `substr("a", 1)`, or `substr("a", 1, 5)`. SQLite counts from 1; -1 is the last character.
  public func substring(_ location: Int, length: Int? = nil) -> Expression<UnderlyingType> {
    guard let length else { return called("substr", location.bound) }
    return called("substr", location.bound, length.bound)
  }

  /// `substr("a", 0, 5)`: as `substring` with the range's lower bound and count.
  public subscript(range: Range<Int>) -> Expression<UnderlyingType> {
    substring(range.lowerBound, length: range.upperBound - range.lowerBound)
  }
}

extension String {
  /// `('b' LIKE "a")`: whether the text is like the pattern that a column holds.
  public func like(_ pattern: Expression<String>, escape character: Character? = nil) -> Expression<Bool> {
    Node.like(bound, pattern.node, character)
  }
}

extension Node {
  fileprivate static func like<T>(_ operand: Node, _ pattern: Node, _ escape: Character?) -> Expression<T> {
    guard let escape else { return Expression(.infix(.like, operand, pattern)) }
    return Expression(Node(.like(operand, pattern, escape: String(escape).bound)))
  }
}
