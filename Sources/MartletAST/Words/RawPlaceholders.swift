internal import MartletValues

/// Placeholders in the texts of raw SQL: `?`, `?1`, `:name`, `@name`, `$name`, `#name`.
///
/// Always true: it reads the text as SQLite's tokenizer does; what stands between the texts (values, names, statements)
/// changes nothing. Of a tree only parameters have values: a placeholder in a text would silently take the value of the
/// parameter that has its number, or be NULL.
package enum RawPlaceholders {
  /// The first one outside of quotes and comments; nil if there is none.
  ///
  /// - Parameter texts: the texts, with nil for what is between two of them.
  package static func first(in texts: some Sequence<String?>) -> String? {
    // Hardly any text has one of the characters.
    guard texts.contains(where: { $0?.utf8.contains(where: begins) == true }) else { return nil }
    var state = RawComments.State.code
    var text = ""
    for piece in texts {
      if let piece {
        text += piece
      } else {
        if let found = read(text, &state) { return found }
        text = ""
      }
    }
    return read(text, &state)
  }

  private static func begins(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "#"): true
    default: false
    }
  }

  private static func read(_ text: String, _ state: inout RawComments.State) -> String? {
    var rest = text.utf8[...]
    var isInWord = false
    while let byte = rest.first {
      // Of these a word may have a `$` alone.
      let isOfWord = isInWord && byte == UInt8(ascii: "$")
      if state == .code, !isOfWord, begins(byte), let found = placeholder(rest) { return found }
      isInWord = state == .code && SQLTokens.isWordByte(byte)
      rest.removeFirst()
      state = state.behind(byte, &rest)
    }
    return nil
  }

  private static func placeholder(_ text: Substring.UTF8View) -> String? {
    let name = text.dropFirst().prefix(while: SQLTokens.isWordByte)
    guard text.first != UInt8(ascii: "?") else {
      return "?" + String(decoding: name.prefix { (0x30...0x39).contains($0) }, as: UTF8.self)
    }
    return name.isEmpty ? nil : String(decoding: text[..<name.endIndex], as: UTF8.self)
  }
}
