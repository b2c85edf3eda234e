internal import MartletSQLite
internal import MartletValues

/// How FTS4 and FTS5 cut texts into words.
public struct Tokenizer: Sendable {
  let name: String
  /// Options and their values; one without a value is a word of the tokenizer's.
  let arguments: [(name: String, value: String?)]

  init(_ name: String, _ arguments: [(name: String, value: String?)] = []) {
    self.name = name
    self.arguments = arguments
  }

  /// Words of letters and digits of ASCII. FTS4 only.
  public static let Simple = Tokenizer("simple")

  /// As `Simple`, and English words by their stems: `running` is found by `run`.
  public static let Porter = Tokenizer("porter")

  /// Words of letters and digits of Unicode.
  ///
  /// - Parameters:
  ///   - removeDiacritics: whether `é` is found by `e`; nil: as SQLite has it, which is yes.
  ///   - tokenchars: characters that belong to words too.
  ///   - separators: characters that belong to none.
  public static func Unicode61(
    removeDiacritics: Bool? = nil, tokenchars: Set<Character> = [], separators: Set<Character> = []
  ) -> Tokenizer {
    var arguments: [(name: String, value: String?)] = []
    if let removeDiacritics { arguments.append(("remove_diacritics", removeDiacritics ? "1" : "0")) }
    if !tokenchars.isEmpty { arguments.append(("tokenchars", String(tokenchars.sorted()))) }
    if !separators.isEmpty { arguments.append(("separators", String(separators.sorted()))) }
    return Tokenizer("unicode61", arguments)
  }

  /// Every three characters that follow each other: any part of a text is found. FTS5 only.
  public static func Trigram(caseSensitive: Bool = false) -> Tokenizer {
    Tokenizer("trigram", [("case_sensitive", caseSensitive ? "1" : "0")])
  }

  /// One that is written in Swift, and was registered under this name with `Connection.registerTokenizer`.
  public static func Custom(_ name: String) -> Tokenizer {
    Tokenizer(ProgramTokenizer.module, [(name, nil)])
  }

  /// In FTS5's own words, as one text.
  var fullText: String {
    ([name] + arguments.flatMap { [$0.name, $0.value].compactMap { $0 } }).map(Self.word).joined(separator: " ")
  }

  /// The options as FTS4 takes them: `remove_diacritics=0`.
  var options: [String] { arguments.map { option in option.value.map { "\(option.name)=\($0)" } ?? option.name } }

  private static func word(_ text: String) -> String {
    text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } ? text : text.quoted("'")
  }
}

extension Tokenizer: CustomStringConvertible {
  /// In FTS4's words: `unicode61 "remove_diacritics=0"`.
  public var description: String {
    let isWord = name.allSatisfy { $0.isLetter || $0.isNumber }
    return ([isWord ? name : name.quoted()] + options.map { $0.quoted() }).joined(separator: " ")
  }
}
