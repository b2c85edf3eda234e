import MartletValues

/// A statement with a semicolon behind it.
///
/// Always true: the semicolon ends the statement, even if the statement's text ends in a comment; nothing but that
/// comment's end comes between them.
enum EndedStatement {
  /// `sql`, which has no semicolon at its end, with one.
  static func text(of sql: String) -> String {
    let count = tokenCount(of: sql)
    // In a comment the semicolon would be no token. SQLite takes a comment that the text ends in without its `*/`.
    let ending = endings.first { tokenCount(of: sql + $0) == count + 1 }
    return sql + (ending ?? endings[0])
  }

  private static let endings = [";", "\n;", "*/;"]

  private static func tokenCount(of sql: String) -> Int { SQLTokens(sql).reduce(0) { count, _ in count + 1 } }
}
