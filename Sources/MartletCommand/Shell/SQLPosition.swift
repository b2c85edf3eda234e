/// Where in a statement's text SQLite found the error, shown under the line at fault.
///
/// Always true: the sentence comes first; the position follows only where the server gave one inside of the text.
import MartletAST

enum SQLPosition {
  /// What the server puts into an error's path for the byte of a raw statement at fault: `raw.parts[0]@17`.
  private static func offset(_ error: RequestError) -> Int? {
    guard let mark = error.path.lastIndex(of: "@") else { return nil }
    return Int(error.path[error.path.index(after: mark)...])
  }

  static func describe(_ error: RequestError, in sql: String) -> String {
    let sentence = CommandFailure.sentence(error)
    guard let offset = offset(error) ?? nearToken(error, in: sql), offset >= 0, offset < sql.utf8.count else {
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

  /// SQLite's own words name the token where they give no offset: the position is known where it occurs once.
  private static func nearToken(_ error: RequestError, in sql: String) -> Int? {
    guard let start = error.message.range(of: "near \""),
      let end = error.message.range(of: "\": ", after: start.upperBound)
    else { return nil }
    let token = error.message[start.upperBound..<end]
    guard !token.isEmpty, let first = sql.range(of: String(token)) else { return nil }
    let isOnly = sql.range(of: String(token), after: first.upperBound) == nil
    return isOnly ? sql.utf8.distance(from: sql.utf8.startIndex, to: first.lowerBound) : nil
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }

  fileprivate func range(of text: String, after index: String.Index) -> String.Index? {
    self[index...].firstRange(of: text)?.lowerBound
  }
}
