/// A function of the program that finds the next word of a text: the word as it is indexed, and where it stands.
package typealias NextToken = (String) -> (String, Range<String.Index>)?

/// The words that a function of the program finds in a text, one after the other.
///
/// Always true: places are within the text, and each word ends behind the one before it, whatever the function returns.
struct TokenScan {
  struct Token: Equatable {
    var text: String
    /// In bytes of the text's UTF-8.
    var place: Range<Int>
  }

  private let text: String
  private let next: NextToken
  private var offset = 0

  init(_ text: String, _ next: @escaping NextToken) {
    self.text = text
    self.next = next
  }

  /// The next word, or nil behind the last one and if the function does not go on. An empty word is left out, because
  /// FTS4 takes it for an error.
  mutating func nextToken() -> Token? {
    while let token = found() { if !token.text.isEmpty { return token } }
    return nil
  }

  private mutating func found() -> Token? {
    let bytes = text.utf8
    let rest = String(text[bytes.index(bytes.startIndex, offsetBy: offset)...])
    guard !rest.isEmpty, let (token, range) = next(rest), range.upperBound <= rest.endIndex else { return nil }
    let start = offset + rest.utf8.distance(from: rest.startIndex, to: range.lowerBound)
    let end = offset + rest.utf8.distance(from: rest.startIndex, to: range.upperBound)
    guard end > offset else { return nil }
    offset = end
    return Token(text: token, place: start..<end)
  }
}
