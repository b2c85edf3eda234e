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
    let start =
      Self.openQuote(in: before) ?? before.lastIndex { !Self.isNameCharacter($0) }.map { $0 + 1 } ?? 0
    let typed = String(before[start...])
    typedCount = typed.count
    let text = String(before[..<start])
    if let candidates = Self.ofCommand(text, typed, words) {
      self.candidates = candidates
    } else {
      candidates = Self.names(text, typed, words)
    }
    needsQuote = !typed.hasPrefix("\"") && candidates.first?.hasPrefix("\"") == true
  }

  /// What may be inserted behind the cursor at once: all that the candidates have in common.
  var insertion: String {
    guard let first = candidates.first, !needsQuote else { return "" }
    let common = candidates.dropFirst().reduce(first) { common, candidate in
      String(zip(common, candidate).prefix { $0.0.lowercased() == $0.1.lowercased() }.map(\.0))
    }
    return String(common.dropFirst(typedCount)) + (candidates.count == 1 && !first.hasSuffix(".") ? " " : "")
  }

  /// What stands in the place of the typed characters: a name that needs quotes, where none was typed.
  var replacement: String? { needsQuote && candidates.count == 1 ? candidates[0] + " " : nil }

  private var needsQuote = false

  /// Where a quote of a name begins that is still open; texts have another one.
  private static func openQuote(in before: ArraySlice<Character>) -> Int? {
    var open: (quote: Character, at: Int)?
    for (index, character) in zip(before.indices, before) where character == "\"" || character == "'" {
      if let begun = open {
        if begun.quote == character { open = nil }
      } else {
        open = (character, index)
      }
    }
    return open.flatMap { $0.quote == "\"" ? $0.at : nil }
  }

  /// What a command of the shell's takes; nil if the line is none.
  private static func ofCommand(_ text: String, _ typed: String, _ words: CompletionWords) -> [String]? {
    if text == "." { return matching(words.commands, typed) }
    switch text.lowercased() {
    case ".mode ": return matching(OutputFormat.allCases.map(\.rawValue), typed)
    case ".schema ", ".columns ", ".indexes ", ".dump ", ".tables ", "\\d ", "\\d+ ", "\\dt ", "\\di ", "describe ",
      "desc ", "show create table ":
      return matching(words.tables.map(\.name), typed)
    case "use ", "\\c ", "\\connect ", ".connect ": return matching(words.databases, typed)
    default: return text.hasPrefix(".") ? [] : nil
    }
  }

  private static func names(_ text: String, _ typed: String, _ words: CompletionWords) -> [String] {
    if text.hasSuffix(".") {
      let table = String(text.dropLast().reversed().prefix { isNameCharacter($0) }.reversed())
      let known = words.tables.first { $0.name.lowercased() == table.lowercased() }
      if known == nil, table.lowercased() == "main" { return matching(words.tables.map(\.name), typed) }
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
    let keywords = plain(CompletionWords.keywords, typed).map { isSmall ? $0.lowercased() : $0 }
    let all = words.tables.map(\.name) + words.tables.flatMap(\.columns)
    return keywords.isEmpty ? matching(all, typed) : Array(Set(keywords + plain(all, typed))).sorted()
  }

  /// The names that begin so. Those that are no words of SQL's come in quotes, if no other begins so or a quote was
  /// typed.
  private static func matching(_ names: [String], _ typed: String) -> [String] {
    let plain = plain(names, typed)
    if !plain.isEmpty || typed.isEmpty { return plain }
    let beginning = (typed.hasPrefix("\"") ? typed : "\"" + typed).lowercased()
    return Set(names.map(SQLLiteral.quoted).filter { $0.lowercased().hasPrefix(beginning) }).sorted()
  }

  private static func plain(_ names: [String], _ typed: String) -> [String] {
    let typed = typed.lowercased()
    return Set(names.filter { $0.lowercased().hasPrefix(typed) && $0.allSatisfy(isNameCharacter) }).sorted()
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
