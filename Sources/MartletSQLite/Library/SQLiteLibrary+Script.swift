import CSQLite

/// Cuts a script into its statements.
///
/// Always true: semicolons in texts, comments and triggers do not cut; the pieces hold no text that is only space or
/// comment.
extension SQLiteLibrary {
  /// The statements of a script, each with its semicolon if it had one.
  public static func statements(of script: String) -> [String] {
    var statements: [String] = []
    var piece: [CChar] = []
    for byte in script.utf8 where byte != 0 {
      piece.append(CChar(bitPattern: byte))
      guard byte == UInt8(ascii: ";") else { continue }
      piece.append(0)
      let isComplete = sqlite3_complete(piece) != 0
      piece.removeLast()
      if isComplete {
        append(piece, to: &statements)
        piece = []
      }
    }
    append(piece, to: &statements)
    return statements
  }

  private static func append(_ piece: [CChar], to statements: inout [String]) {
    let text = String(decoding: piece.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if !isBlank(text) { statements.append(text) }
  }

  /// Whether a text is space, comments and semicolons only.
  private static func isBlank(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      if first <= 0x20 || first == UInt8(ascii: ";") {
        rest.removeFirst()
      } else if rest.starts(with: "--".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest.removeFirst() }
        rest = rest.dropFirst(2)
      } else {
        return false
      }
    }
    return true
  }
}
