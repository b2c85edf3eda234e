/// Cuts a script into statements at the semicolons that end them.
///
/// Always true: a semicolon inside quotes, brackets, a comment or a trigger's body ends nothing; text may come in
/// pieces cut anywhere; the statements, put together, are the script without what is only blank or comment between
/// them.
package struct StatementSplitter {
  private enum Mode: Equatable {
    case normal
    /// Inside quotes that this byte ends; a doubled one ends and begins again, which comes to the same.
    case quoted(UInt8)
    case dash
    case lineComment
    case slash
    case blockComment
    case blockCommentStar
    case word
  }

  /// How far a statement has come in saying that it is a trigger, whose body's semicolons do not end it.
  private enum Trigger {
    case start
    case explain
    case create
    case inBody
    case semicolonInBody
    case endInBody
    case no
  }

  private var mode = Mode.normal
  private var trigger = Trigger.start
  private var statement: [UInt8] = []
  private var word: [UInt8] = []
  private var hasContent = false

  package init() {}

  /// Whether a statement has begun and not ended; a shell then asks for more.
  package var isInsideStatement: Bool { hasContent || isInsideQuoteOrComment }

  package var isInsideQuoteOrComment: Bool {
    switch mode {
    case .quoted, .blockComment, .blockCommentStar: true
    default: false
    }
  }

  /// The statements of a script, without their semicolons.
  package static func statements(of script: String) -> [String] {
    var splitter = StatementSplitter()
    let complete = splitter.consume(script.utf8)
    return complete + (splitter.finish().map { [$0] } ?? [])
  }

  /// Takes more text; returns the statements that it completes, without their semicolons.
  package mutating func consume(_ text: some Sequence<UInt8>) -> [String] {
    var complete: [String] = []
    for byte in text {
      if step(byte) { complete.append(take()) }
    }
    return complete
  }

  /// The script is over: what is left is a statement even without a semicolon.
  package mutating func finish() -> String? {
    if mode == .word { endWord() }
    defer { self = StatementSplitter() }
    return hasContent ? trimmed() : nil
  }

  // MARK: - One byte

  /// Whether the byte is a semicolon that ends the statement.
  private mutating func step(_ byte: UInt8) -> Bool {
    if mode == .word && !SQLTokens.isWordByte(byte) {
      endWord()
      mode = .normal
    }
    switch mode {
    case .normal, .dash, .slash:
      if byte == UInt8(ascii: ";") && !isTriggerBody() {
        mode = .normal
        return hasContent || reset()
      }
      stepNormal(byte)
    case .quoted(let end):
      if byte == end { mode = .normal }
    case .lineComment:
      if byte == UInt8(ascii: "\n") { mode = .normal }
    case .blockComment:
      if byte == UInt8(ascii: "*") { mode = .blockCommentStar }
    case .blockCommentStar:
      if byte == UInt8(ascii: "/") {
        mode = .normal
        statement.append(byte)
        dropLeadingComment()
        return false
      }
      if byte != UInt8(ascii: "*") { mode = .blockComment }
    case .word:
      word.append(byte)
    }
    statement.append(byte)
    if case .normal = mode { dropLeadingComment() }
    return false
  }

  private mutating func stepNormal(_ byte: UInt8) {
    if mode == .dash && byte == UInt8(ascii: "-") { return mode = .lineComment }
    if mode == .slash && byte == UInt8(ascii: "*") { return mode = .blockComment }
    if mode == .dash || mode == .slash {
      // One dash or slash alone is an operator.
      contentSeen()
      mode = .normal
    }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      contentSeen()
      mode = .quoted(byte)
    case UInt8(ascii: "["):
      contentSeen()
      mode = .quoted(UInt8(ascii: "]"))
    case UInt8(ascii: "-"): mode = .dash
    case UInt8(ascii: "/"): mode = .slash
    case _ where SQLTokens.isWordByte(byte):
      hasContent = true
      word = [byte]
      mode = .word
    case UInt8(ascii: ";"): trigger = .semicolonInBody
    case _ where Self.isBlank(byte): break
    default: contentSeen()
    }
  }

  /// A token that is no word: it cannot be part of what says that the statement is a trigger.
  private mutating func contentSeen() {
    hasContent = true
    switch trigger {
    case .inBody, .semicolonInBody, .endInBody: trigger = .inBody
    default: trigger = .no
    }
  }

  private mutating func endWord() {
    let upper = String(decoding: word, as: UTF8.self).uppercased()
    word.removeAll(keepingCapacity: true)
    switch (trigger, upper) {
    case (.start, "EXPLAIN"): trigger = .explain
    case (.explain, "QUERY"), (.explain, "PLAN"): break
    case (.start, "CREATE"), (.explain, "CREATE"): trigger = .create
    case (.create, "TEMP"), (.create, "TEMPORARY"): break
    case (.create, "TRIGGER"): trigger = .inBody
    case (.semicolonInBody, "END"): trigger = .endInBody
    case (.inBody, _), (.semicolonInBody, _), (.endInBody, _): trigger = .inBody
    default: trigger = .no
    }
  }

  private func isTriggerBody() -> Bool {
    switch trigger {
    case .inBody, .semicolonInBody: true
    default: false
    }
  }

  // MARK: - Statements

  /// Comments and blanks before a statement's first token are not part of it.
  private mutating func dropLeadingComment() {
    if !hasContent { statement.removeAll(keepingCapacity: true) }
  }

  /// An empty statement between two semicolons is none.
  private mutating func reset() -> Bool {
    self = StatementSplitter()
    return false
  }

  private mutating func take() -> String {
    let text = trimmed()
    self = StatementSplitter()
    return text
  }

  private func trimmed() -> String {
    var bytes = statement[...]
    while let last = bytes.last, Self.isBlank(last) { bytes.removeLast() }
    while let first = bytes.first, Self.isBlank(first) { bytes.removeFirst() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A zero byte is not blank: SQLite would end the statement there without a word, so it stays and is refused.
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
