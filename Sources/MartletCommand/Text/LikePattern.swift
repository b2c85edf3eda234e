/// Patterns of names, as people give them to the shell's commands.
///
/// Always true: it takes a time that grows with text and pattern, whatever is in them.
enum LikePattern {
  /// SQL's LIKE: `%` is any text, `_` any character, letters in either case.
  static func matches(_ text: String, _ pattern: String) -> Bool {
    let (text, pattern) = (Array(text.lowercased()), Array(pattern.lowercased()))
    // Which beginnings of the text the pattern so far matches.
    var matches = [Bool](repeating: false, count: text.count + 1)
    matches[0] = true
    for symbol in pattern {
      var next = [Bool](repeating: false, count: text.count + 1)
      for index in matches.indices {
        if symbol == "%" {
          next[index] = matches[index] || (index > 0 && next[index - 1])
        } else if index > 0 {
          next[index] = matches[index - 1] && (symbol == "_" || symbol == text[index - 1])
        }
      }
      matches = next
    }
    return matches[text.count]
  }
}
