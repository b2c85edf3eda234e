internal import MartletValues

/// The name of a column's type, or of the target of a CAST: words, and up to two numbers in parentheses.
///
/// Always true: `sql` is one type to SQLite's grammar; a word that is a keyword or no plain word is quoted in it.
struct TypeName {
  let sql: String

  /// Nil if the text is no type, such as `text) --`.
  init?(_ text: String) {
    var head = text[...]
    var arguments = ""
    if let open = text.firstIndex(of: "(") {
      guard text.hasSuffix(")"), let numbers = Self.numbers(text[text.index(after: open)...].dropLast()) else {
        return nil
      }
      head = text[..<open]
      arguments = "(\(numbers))"
    }
    let words = head.split(separator: " ")
    guard !words.isEmpty, !head.contains(where: { $0 == ")" || $0 == "," }) else { return nil }
    sql = words.map { Self.word(String($0)) }.joined(separator: " ") + arguments
  }

  private static func word(_ word: String) -> String {
    if Identifier.isPlain(word) && !Identifier.isKeyword(word) { return word }
    return word.quoted()
  }

  /// `10`, `10,2` or `10, -2`.
  private static func numbers(_ text: Substring) -> String? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard parts.count <= 2, parts.allSatisfy(isNumber) else { return nil }
    return parts.joined(separator: ",")
  }

  private static func isNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    return !digits.isEmpty && digits.utf8.count <= 18 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
