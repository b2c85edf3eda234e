import MartletValues

/// Where in a statement's text SQLite found the error, shown under the line at fault.
///
/// Always true: the sentence comes first; the position follows only if the server gave one inside of the text.
enum SQLPosition {
  /// What the server puts into an error's path for the byte of a raw statement at fault: `raw.parts[0]@17`.
  static func offset(_ error: RequestError) -> Int? {
    guard let mark = error.path.lastIndex(of: "@") else { return nil }
    return Int(error.path[error.path.index(after: mark)...])
  }

  /// `words` are the names that a misspelt one may mean.
  static func describe(_ error: RequestError, in sql: String, words: CompletionWords = CompletionWords()) -> String {
    let sentence =
      CommandFailure.sentence(error)
      + StatementHint.of(error.message, sql: sql, offset: offset(error), words: words)
    guard let offset = offset(error), offset >= 0, offset < sql.utf8.count else {
      return sentence
    }
    let bytes = Array(sql.utf8)
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let lineEnd = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let line = CellText.escaped(String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self))
    let indent = DisplayWidth.of(CellText.escaped(String(decoding: bytes[lineStart..<offset], as: UTF8.self)))
    let number = before.count { $0 == UInt8(ascii: "\n") } + 1
    let place = number > 1 ? " (line \(number))" : ""
    return "\(sentence)\(place)\n  \(line)\n  \(String(repeating: " ", count: indent))^"
  }
}
