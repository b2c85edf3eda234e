import MartletValues

/// How FTS5 cuts texts into words: the `tokenize` option of its tables.
///
/// Always true: an argument that is no bare word is quoted, so it cannot become another option.
public struct FullTextTokenizer: Sendable, Hashable {
  /// As FTS5 reads it: `porter unicode61 remove_diacritics 2`.
  var text: String

  private init(_ name: String, _ arguments: [String] = []) {
    text = ([name] + arguments).map(Self.word).joined(separator: " ")
  }

  /// What happens to letters with marks.
  public enum Diacritics: Int, Sendable {
    /// They stay: `é` is not `e`.
    case keep = 0
    /// Removes them if letter and mark are one code point; by mistake it keeps them in a few letters with two marks.
    case removeSimple = 1
    /// They are removed everywhere: `é` is `e`.
    case remove = 2
  }

  /// Words of letters and digits in all scripts, without regard to case.
  ///
  /// - Parameters:
  ///   - diacritics: FTS5's own choice is `removeSimple`.
  ///   - categories: Unicode's categories that words are made of: `"L* N* Co"`.
  ///   - tokenCharacters: characters that belong to words too.
  ///   - separators: characters that do not, although they are letters or digits.
  public static func unicode61(
    diacritics: Diacritics? = nil, categories: String? = nil, tokenCharacters: String = "", separators: String = ""
  ) -> FullTextTokenizer {
    var arguments: [String] = []
    if let diacritics { arguments += ["remove_diacritics", "\(diacritics.rawValue)"] }
    if let categories { arguments += ["categories", categories] }
    return FullTextTokenizer("unicode61", arguments + characters(tokenCharacters, separators))
  }

  /// Words of ASCII letters and digits; characters beyond ASCII belong to words, and keep their case.
  public static func ascii(tokenCharacters: String = "", separators: String = "") -> FullTextTokenizer {
    FullTextTokenizer("ascii", characters(tokenCharacters, separators))
  }

  /// The stems of English words, which another tokenizer found: `running` finds `run`.
  public static func porter(_ base: FullTextTokenizer = .unicode61()) -> FullTextTokenizer {
    var result = FullTextTokenizer("porter")
    result.text += " " + base.text
    return result
  }

  /// Every three characters in a row, so that a search finds any part of a word, and `LIKE` and `GLOB` are fast.
  public static func trigram(caseSensitive: Bool = false) -> FullTextTokenizer {
    FullTextTokenizer("trigram", caseSensitive ? ["case_sensitive", "1"] : [])
  }

  /// A tokenizer that was registered with SQLite under a name.
  public static func custom(_ name: String, _ arguments: String...) -> FullTextTokenizer {
    FullTextTokenizer(name, arguments)
  }

  private static func characters(_ token: String, _ separators: String) -> [String] {
    (token.isEmpty ? [] : ["tokenchars", token]) + (separators.isEmpty ? [] : ["separators", separators])
  }

  private static func word(_ word: String) -> String {
    let isBare =
      !word.isEmpty
      && word.utf8.allSatisfy {
        (0x61...0x7a).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x5f
      }
    if isBare { return word }
    return word.quoted("'")
  }
}
