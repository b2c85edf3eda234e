import SwiftDiagnostics
import SwiftSyntax

/// The mistakes in raw SQL that its text alone shows: quotes, parentheses and brackets without their other half, values
/// between quotes, and placeholders.
///
/// Always true: it reads the text as SQLite's tokenizer does, and knows nothing of tables and columns.
struct SQLLint {
  private enum State: Equatable {
    case code
    case quoted(by: Unicode.Scalar)
    case lineComment
    case blockComment
  }

  private let literal: StringLiteralExprSyntax
  private let reporter: Reporter
  private var state = State.code
  /// The place of the opening quote, parenthesis or bracket.
  private var opened: AbsolutePosition
  private var parentheses: [AbsolutePosition] = []
  private var isEmpty = true
  /// The character before is one of a word: `a$b` is a name.
  private var isInWord = false

  init(_ literal: StringLiteralExprSyntax, _ reporter: Reporter) {
    self.literal = literal
    self.reporter = reporter
    opened = literal.positionAfterSkippingLeadingTrivia
  }

  mutating func run() {
    for segment in literal.segments {
      switch segment {
      case .stringSegment(let text): read(text)
      case .expressionSegment(let value):
        isEmpty = false
        isInWord = false
        check(value)
      }
    }
    if isEmpty { report(opened, "emptySQL", "Write SQL between the quotes.") }
    switch state {
    case .quoted(let quote):
      let other = quote == "[" ? "]" : "\(quote)"
      report(opened, "unclosedQuote", "Close this \(quote) with \(other).")
    case .blockComment: report(opened, "unclosedComment", "Close this comment with */.")
    case .code, .lineComment:
      if let open = parentheses.last { report(open, "unclosedParenthesis", "Close this ( with ).") }
    }
  }

  private func report(
    _ position: AbsolutePosition, _ name: String, _ sentence: String, removing character: Unicode.Scalar? = nil
  ) {
    let fixIts = character.map { [self.removing($0, at: position)] } ?? []
    reporter.report(Diagnostic(node: literal, position: position, message: Message(name, sentence), fixIts: fixIts))
  }

  private func removing(_ character: Unicode.Scalar, at position: AbsolutePosition) -> FixIt {
    let start = literal.positionAfterSkippingLeadingTrivia.utf8Offset
    var bytes = Array(literal.trimmedDescription.utf8)
    bytes.remove(at: position.utf8Offset - start)
    return .replacing(literal, with: String(decoding: bytes, as: UTF8.self), "Remove this \(character)")
  }

  // MARK: - Text

  private mutating func read(_ segment: StringSegmentSyntax) {
    let pieces = characters(of: segment)
    var index = 0
    while index < pieces.count {
      let (character, position) = pieces[index]
      let following = index + 1 < pieces.count ? pieces[index + 1].character : nil
      if !character.properties.isWhitespace { isEmpty = false }
      index += take(character, following, at: position)
    }
  }

  /// The characters that SQLite will see, each with its place in the source. They are scalars: to Swift a quote with
  /// an accent behind it is one character, and no quote.
  private func characters(of segment: StringSegmentSyntax) -> [(character: Unicode.Scalar, position: AbsolutePosition)]
  {
    var position = segment.content.positionAfterSkippingLeadingTrivia
    var result: [(Unicode.Scalar, AbsolutePosition)] = []
    var isEscaped = false
    for character in segment.content.text.unicodeScalars {
      let escapes = literal.openingPounds == nil && character == "\\" && !isEscaped
      if !escapes { result.append((isEscaped ? Self.unescaped(character) : character, position)) }
      isEscaped = escapes
      position = position.advanced(by: UTF8.width(character))
    }
    return result
  }

  private static func unescaped(_ character: Unicode.Scalar) -> Unicode.Scalar {
    switch character {
    case "n", "r": "\n"
    case "t", "0": " "
    default: character
    }
  }

  /// How many characters it took.
  private mutating func take(_ character: Unicode.Scalar, _ following: Unicode.Scalar?, at position: AbsolutePosition)
    -> Int
  {
    switch state {
    case .lineComment:
      if character == "\n" || character == "\r" { state = .code }
      return 1
    case .blockComment:
      guard character == "*", following == "/" else { return 1 }
      state = .code
      return 2
    case .quoted(let quote):
      guard character == (quote == "[" ? "]" : quote) else { return 1 }
      // Within a text, two quotes stand for one.
      if following == quote { return 2 }
      state = .code
      return 1
    case .code: return takeCode(character, following, at: position)
    }
  }

  private mutating func takeCode(
    _ character: Unicode.Scalar, _ following: Unicode.Scalar?, at position: AbsolutePosition
  ) -> Int {
    switch (character, following) {
    case ("-", "-"):
      state = .lineComment
      return 2
    case ("/", "*"):
      (state, opened) = (.blockComment, position)
      return 2
    case ("'", _), ("\"", _), ("`", _), ("[", _): (state, opened) = (.quoted(by: character), position)
    case ("]", _):
      report(position, "loneBracket", "Remove this ], or open it with [.", removing: "]")
    case ("(", _): parentheses.append(position)
    case (")", _):
      if parentheses.popLast() == nil {
        report(position, "loneParenthesis", "Remove this ), or open it with (.", removing: ")")
      }
    default: checkPlaceholder(character, following, at: position)
    }
    isInWord = Self.isOfWord(character)
    return 1
  }

  /// It would take the value of another one: the statement binds those that are interpolated.
  private func checkPlaceholder(
    _ character: Unicode.Scalar, _ following: Unicode.Scalar?, at position: AbsolutePosition
  ) {
    let isPlaceholder =
      switch character {
      case "?": true
      // Of these a word may have a `$` alone.
      case "$": !isInWord && following.map(Self.isOfWord) == true
      case ":", "@", "#": following.map(Self.isOfWord) == true
      default: false
      }
    guard isPlaceholder else { return }
    report(position, "placeholder", "Write the value itself as \\(value), in the place of this \(character).")
  }

  private static func isOfWord(_ character: Unicode.Scalar) -> Bool {
    switch character {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: !character.isASCII
    }
  }

  // MARK: - Interpolations

  /// `"\(name)"` as `\(quote: name)`, if nothing else stands between the quotes.
  private func quoting(_ value: ExpressionSegmentSyntax) -> [FixIt] {
    let whole = literal.trimmedDescription
    let quoted = "\\\"\(value.trimmedDescription)\\\""
    guard whole.contains(quoted), value.expressions.first?.label == nil else { return [] }
    let text = "\\(quote: \(value.expressions.trimmedDescription))"
    return [.replacing(literal, with: whole.replacing(quoted, with: text), "Write \(text)")]
  }

  private func check(_ value: ExpressionSegmentSyntax) {
    guard case .quoted(let quote) = state, value.expressions.first?.label?.text != "raw" else { return }
    let text = value.trimmedDescription
    if quote == "'" {
      let whole = literal.trimmedDescription
      let isAlone = whole.contains("'\(text)'")
      let sentence =
        isAlone
        ? "Remove the quotes around \(text): the value is bound, not pasted into the text."
        : "Write \(text) outside of the quotes: '%' || \(text) || '%'. The value is bound, not pasted into the text."
      let fixIts =
        isAlone
        ? [
          FixIt.replacing(
            literal, with: whole.replacing("'\(text)'", with: text), "Remove the quotes around \(text)")
        ] : []
      reporter(value, Message("quotedValue", sentence), fixIts: fixIts)
    } else {
      reporter(
        value,
        Message("quotedValue", "Write the name as \\(quote: …), which brings its own quotes, outside of \(quote)."),
        fixIts: quoting(value))
    }
  }
}
