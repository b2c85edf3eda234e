/// What Tab makes of the word before the cursor: keywords, tables, columns, and the shell's own commands.
///
/// Always true: what was typed stays as it was typed, apart from a keyword's or name's own letters; if nothing begins
/// with the word, there are no candidates.
struct WordCompletion: Equatable {
  /// How many characters before the cursor are completed.
  var typedCount: Int
  /// What the typed characters may become, sorted, each once.
  var candidates: [String]

  init(line: [Character], cursor: Int, words: CompletionWords) {
    let before = line[..<cursor]
    let start = before.lastIndex { !Self.isNameCharacter($0) }.map { $0 + 1 } ?? 0
    let typed = String(before[start...])
    typedCount = typed.count
    let text = String(before[..<start])
    if line.first == "." {
      candidates = Self.commands(text, typed, words)
    } else {
      candidates = Self.names(text, typed, words)
    }
  }

  /// What may be inserted behind the cursor at once: all that the candidates have in common.
  var insertion: String {
    guard let first = candidates.first else { return "" }
    let common = candidates.dropFirst().reduce(first) { common, candidate in
      String(zip(common, candidate).prefix { $0.0.lowercased() == $0.1.lowercased() }.map(\.0))
    }
    return String(common.dropFirst(typedCount)) + (candidates.count == 1 && !first.hasSuffix(".") ? " " : "")
  }

  private static func commands(_ text: String, _ typed: String, _ words: CompletionWords) -> [String] {
    if text == "." { return matching(words.commands, typed) }
    if text.hasPrefix(".mode ") { return matching(OutputFormat.allCases.map(\.rawValue), typed) }
    if [".schema ", ".columns ", ".indexes ", ".dump ", ".tables "].contains(text) {
      return matching(words.tables.map(\.name), typed)
    }
    return []
  }

  private static func names(_ text: String, _ typed: String, _ words: CompletionWords) -> [String] {
    if text.hasSuffix(".") {
      let table = String(text.dropLast().reversed().prefix { isNameCharacter($0) }.reversed())
      let known = words.tables.first { $0.name.lowercased() == table.lowercased() }
      // An alias may stand for any table.
      return matching(known?.columns ?? words.tables.flatMap(\.columns), typed)
    }
    let last = text.split(whereSeparator: { !isNameCharacter($0) }).last.map { $0.uppercased() }
    if let last, ["FROM", "JOIN", "INTO", "UPDATE", "TABLE"].contains(last) {
      let tables = matching(words.tables.map(\.name), typed)
      if !tables.isEmpty { return tables }
    }
    guard !typed.isEmpty else { return [] }
    let isSmall = typed == typed.lowercased()
    let keywords = matching(CompletionWords.keywords, typed).map { isSmall ? $0.lowercased() : $0 }
    return Array(Set(keywords + matching(words.tables.map(\.name) + words.tables.flatMap(\.columns), typed))).sorted()
  }

  /// Names that are no words of SQL's would need quotes, which the typed beginning does not have.
  private static func matching(_ names: [String], _ typed: String) -> [String] {
    let typed = typed.lowercased()
    return Array(Set(names.filter { $0.lowercased().hasPrefix(typed) && $0.allSatisfy(isNameCharacter) })).sorted()
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
