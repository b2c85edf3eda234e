/// The comment in which a piece of raw SQL ends: what is written behind it would be part of it.
///
/// Always true: it reads the text as SQLite's tokenizer does, and what stands between the texts (values, names,
/// statements) changes nothing.
enum RawComments {
  enum State: Equatable {
    case code
    case quoted(until: UInt8)
    case line
    case block
  }

  /// What ends the comment that is open behind the last part; nil if none is.
  static func end(of raw: ASTRaw) -> String? {
    guard raw.parts.contains(where: mayHoldOne) else { return nil }
    var state = State.code
    for part in raw.parts {
      if case .sql(let text) = part.kind { state = read(text.utf8, from: state) }
    }
    switch state {
    case .line: return "\n"
    case .block: return "*/"
    case .code, .quoted: return nil
    }
  }

  /// Text is long if it carries rows, and hardly any has a comment.
  private static func mayHoldOne(_ part: ASTRaw.Part) -> Bool {
    guard case .sql(let text) = part.kind else { return false }
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "-"), last == byte { return true }
      if byte == UInt8(ascii: "*"), last == UInt8(ascii: "/") { return true }
      last = byte
    }
    return false
  }

  private static func read(_ text: String.UTF8View, from start: State) -> State {
    var state = start
    var rest = text[...]
    while let byte = rest.popFirst() { state = state.behind(byte, &rest) }
    return state
  }

  static func opened(by byte: UInt8, _ rest: inout Substring.UTF8View) -> State {
    switch byte {
    // A doubled quote ends the text and begins another one.
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): return .quoted(until: byte)
    case UInt8(ascii: "["): return .quoted(until: UInt8(ascii: "]"))
    case UInt8(ascii: "-") where rest.first == byte: return .line
    case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"):
      rest.removeFirst()
      return .block
    default: return .code
    }
  }
}

extension RawComments.State {
  /// The state behind a byte, and behind the rest of what it begins.
  func behind(_ byte: UInt8, _ rest: inout Substring.UTF8View) -> Self {
    switch self {
    case .code: return RawComments.opened(by: byte, &rest)
    case .quoted(let end): return byte == end ? .code : self
    case .line: return byte == UInt8(ascii: "\n") ? .code : self
    case .block:
      guard byte == UInt8(ascii: "*"), rest.first == UInt8(ascii: "/") else { return self }
      rest.removeFirst()
      return .code
    }
  }
}
