/// A name as SQLite compares it: with the letters of ASCII in lower case.
///
/// Always true: it is what `lowercasedASCII` of MartletValues says, which this module may not import.
enum ComparedName {
  /// A text that has no capital is returned as it is.
  static func of(_ text: String) -> String {
    guard text.utf8.contains(where: { (65...90).contains($0) }) else { return text }
    return String(decoding: text.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
