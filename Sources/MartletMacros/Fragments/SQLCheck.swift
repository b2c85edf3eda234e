/// Looks through the text of `#sql` for what SQLite could never read: quotes and brackets without their other halves,
/// values within quotes.
///
/// Always true: it knows SQL's texts, names and comments, and nothing of its grammar, so that it refuses nothing that
/// SQLite accepts.
import SwiftSyntax
import SwiftSyntaxBuilder

struct SQLCheck {
  let literal: StringLiteralExprSyntax
  let reporter: Reporter

  /// What the place before a character is in.
  private enum Place: Equatable {
    case code
    case quoted(Character)
    case lineComment
    case comment
  }

  func check() {
    var place = Place.code
    var open: [Character] = []
    var isEmpty = true
    for segment in literal.segments {
      switch segment {
      case .stringSegment(let text):
        let sql = text.content.text
        if !sql.allSatisfy(\.isWhitespace) { isEmpty = false }
        guard scan(sql, &place, &open) else { return }
      case .expressionSegment(let expression):
        isEmpty = false
        guard checkPlace(of: expression, place) else { return }
      }
    }
    if isEmpty { return say("empty", "Write the SQL between the quotes.") }
    switch place {
    case .quoted(let quote): say("quote", "Close the quote: a \(quote) is missing.")
    case .comment: say("comment", "Close the comment: a */ is missing.")
    case .code, .lineComment:
      if let bracket = open.last {
        say("bracket", "Close the bracket: a \(Self.closing(bracket)) is missing.")
      }
    }
  }

  /// False where something was reported.
  private func scan(_ sql: String, _ place: inout Place, _ open: inout [Character]) -> Bool {
    var rest = Substring(sql)
    while let character = rest.popFirst() {
      switch place {
      case .lineComment:
        if character.isNewline || (character == "\\" && rest.first == "n") { place = .code }
      case .comment:
        if character == "*", rest.first == "/" {
          rest.removeFirst()
          place = .code
        }
      case .quoted(let quote):
        guard character == quote else { continue }
        // A quote that stands twice is one within the text.
        if rest.first == quote, quote != "]" { rest.removeFirst() } else { place = .code }
      case .code:
        guard scanCode(character, &rest, &place, &open) else { return false }
      }
    }
    return true
  }

  private func scanCode(
    _ character: Character, _ rest: inout Substring, _ place: inout Place, _ open: inout [Character]
  ) -> Bool {
    switch character {
    case "\\" where rest.first == "\"": return true
    case "'", "\"", "`": place = .quoted(character)
    case "[": place = .quoted("]")
    case "-" where rest.first == "-": place = .lineComment
    case "/" where rest.first == "*": place = .comment
    case "(": open.append(character)
    case ")":
      guard open.popLast() != nil else {
        say("bracket", "Open the bracket: a ( is missing before this ).")
        return false
      }
    default: break
    }
    return true
  }

  /// False where a value stands within quotes.
  private func checkPlace(of expression: ExpressionSegmentSyntax, _ place: Place) -> Bool {
    guard case .quoted(let quote) = place, expression.expressions.first?.label?.text != "raw" else { return true }
    let text = expression.trimmedDescription
    reporter(
      expression,
      Message(
        "quotedValue",
        "Remove the \(quote) around '\(text)': within quotes it is text, without them it is bound as a value."))
    return false
  }

  private func say(_ name: String, _ sentence: String) { reporter(literal, Message(name, sentence)) }

  private static func closing(_ bracket: Character) -> Character { bracket == "(" ? ")" : "]" }
}
