/// A value of JSON that somebody else has written.
///
/// Always true: names and texts are compared byte by byte; a number is the text that stood there.
enum JSONTree: Sendable, Equatable {
  case null
  case truth(Bool)
  case number(String)
  case text(String)
  case list([JSONTree])
  case object(Members)

  /// An object's members, each name once.
  struct Members: Sendable, Equatable {
    private var values: [[UInt8]: JSONTree] = [:]

    subscript(name: String) -> JSONTree? { values[Array(name.utf8)] }

    /// False if there is a member of the name already.
    mutating func add(_ name: String, _ value: JSONTree) -> Bool {
      values.updateValue(value, forKey: Array(name.utf8)) == nil
    }
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The texts of a list of texts, or a text alone.
  var texts: [String]? {
    switch self {
    case .text(let text): return [text]
    case .list(let items):
      let texts = items.compactMap(\.text)
      return texts.count == items.count ? texts : nil
    default: return nil
    }
  }

  /// A finite number.
  var double: Double? {
    guard case .number(let text) = self, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// A text, or a whole number as it is usually written.
  var word: String? {
    switch self {
    case .text(let text): text
    case .number(let text): Int64(text).map { "\($0)" } == text ? text : nil
    default: nil
    }
  }
}
