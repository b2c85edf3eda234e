/// Who calls a function of a type, as far as texts tell it.
///
/// A call counts if what stands before the dot can be of the type: the type's own name, `self` in one of its files, or
/// a name that a declaration gives the type, a protocol of it, or a value made of such a name. The nearest declarations
/// count: those of the file, else of the files of the same types, else of the module, else of the whole project. A call
/// without a receiver counts in a file of the type that does not declare a function of that name itself, unless the
/// declaration there is private, so that nobody else can call it.
///
/// Its limits: it reads words, and not Swift. Scopes within a file, overloads and generic arguments are not told apart,
/// and a name that is declared twice has both types; so a namesake still counts where its receiver has the name of one
/// of the type.
import Foundation

struct CallLookup {
  /// What a source says of its names.
  private struct Source {
    let path: String
    let text: String
    /// The types that it declares or extends, and its functions.
    var types: Set<String> = []
    var functions: Set<String> = []
    var privateFunctions: Set<String> = []
    /// For each name the words of its declarations: types, and names that it is made of.
    var words: [String: Set<String>] = [:]

    var module: String { String(path.split(separator: "/")[1]) }
  }

  private var sources: [Source] = []
  /// The protocols and superclasses of each type.
  private var parents: [String: Set<String>] = [:]

  init(_ files: [ProjectFiles.File]) {
    for file in files {
      let lines = file.lines.map {
        $0.contains("//") ? $0.replacingOccurrences(of: "(^|\\s)//.*", with: "", options: .regularExpression) : $0
      }
      sources.append(read(Source(path: file.path, text: lines.joined(separator: "\n"))))
    }
  }

  private static let declaration = Pattern(
    "\\b(?:struct|class|enum|actor|protocol|extension) ([A-Z]\\w*)(?:<[^>{]*>)?(?:: ([^{]*))?")
  private static let function = Pattern("(private )?(?:static )?\\bfunc (\\w+)")
  private static let typed = Pattern("\\b([a-z]\\w*)\\??: ((?:[\\[(][^={\\n]+)|[^,={\\n]+)")
  private static let made = Pattern("\\b(?:let|var) ([a-z]\\w*) = ([^\\n]+)")
  private static let returning = Pattern("\\bfunc ([a-z]\\w*)[^{}]*?-> ([^{}\\n]+)")
  private static let looped = Pattern("\\bfor (\\([^)]*\\)|[a-z]\\w*) in ([^{\\n]+)")
  private static let type = Pattern("\\b([A-Z]\\w*)")
  private static let word = Pattern("\\b([A-Za-z]\\w*)")
  private static let name = Pattern("\\b([a-z]\\w*)")

  private mutating func read(_ source: Source) -> Source {
    var source = source
    for groups in Self.declaration.matches(in: source.text) {
      source.types.insert(groups[1])
      parents[groups[1], default: []].formUnion(Self.type.firsts(in: groups[2]))
    }
    for groups in Self.function.matches(in: source.text) {
      source.functions.insert(groups[2])
      if !groups[1].isEmpty { source.privateFunctions.insert(groups[2]) }
    }
    for pattern in [Self.typed, Self.returning] {
      for groups in pattern.matches(in: source.text) {
        source.words[groups[1], default: []].formUnion(Self.type.firsts(in: groups[2]))
      }
    }
    for groups in Self.made.matches(in: source.text) {
      source.words[groups[1], default: []].formUnion(Self.word.firsts(in: groups[2]))
    }
    for groups in Self.looped.matches(in: source.text) {
      for name in Self.name.firsts(in: groups[1]) {
        source.words[name, default: []].formUnion(Self.word.firsts(in: groups[2]))
      }
    }
    return source
  }

  /// Whether a file of one of the callers calls the function.
  func isCalled(_ function: String, of type: String, by callers: Set<String>) -> Bool {
    let known = (parents[type] ?? []).union([type])
    // A function is also handed by its name alone to what carries it out.
    let call = Pattern("(?<!func )(?:(?<![\\w`.])|([.]))\(function)(?:([(])|(?=[,)]))")
    return sources.contains { source in
      guard !source.types.isDisjoint(with: callers), source.text.contains(function) else { return false }
      return call.places(in: source.text).contains { range, groups in
        guard !groups[1].isEmpty else {
          return !groups[2].isEmpty && source.types.contains(type)
            && (!source.functions.contains(function) || source.privateFunctions.contains(function))
        }
        return canBe(Self.receiver(before: range.lowerBound, in: source.text), known, type, in: source)
      }
    }
  }

  /// What stands before a dot on its line, or on the line before if the dot begins its own.
  private static func receiver(before end: String.Index, in text: String) -> Substring {
    let line = text[..<end].lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex
    if !text[line..<end].allSatisfy({ $0 == " " }) { return text[line..<end] }
    let former = text[..<line].dropLast()
    return former[(former.lastIndex(of: "\n") ?? former.startIndex)...]
  }

  private func canBe(_ receiver: Substring, _ known: Set<String>, _ type: String, in source: Source) -> Bool {
    var rest = receiver
    func drop(_ characters: String) { while let last = rest.last, characters.contains(last) { rest.removeLast() } }
    drop("?! ")
    // A call or an element: what was called is what counts.
    if let last = rest.last, ")]}".contains(last) {
      var depth = 0
      while let character = rest.popLast() {
        if ")]}".contains(character) { depth += 1 }
        if "([{".contains(character) { depth -= 1 }
        if depth == 0 { break }
      }
      drop(" ")
    }
    let name = String(rest.reversed().prefix { $0.isLetter || $0.isNumber || "_$".contains($0) }.reversed())
    guard let first = name.first else { return false }
    if name == "self" { return source.types.contains(type) }
    if first.isUppercase { return known.contains(name) }
    if first == "$" {
      return Self.name.firsts(in: String(rest)).contains { !types(of: $0, in: source).isDisjoint(with: known) }
    }
    let found = types(of: name, in: source)
    // What a type makes of itself: `Shop.first()`.
    let maker = String(rest.dropLast(name.count + 1).reversed().prefix { $0.isLetter }.reversed())
    if found.contains("Self"), maker.first?.isUppercase == true { return known.contains(maker) }
    return !found.isDisjoint(with: known)
  }

  /// The types that the nearest declarations of a name tell, by up to so many names that it is made of.
  private func types(of name: String, in source: Source, depth: Int = 2) -> Set<String> {
    let levels: [(Source) -> Bool] = [
      { $0.path == source.path }, { $0.module == source.module && !$0.types.isDisjoint(with: source.types) },
      { $0.module == source.module }, { _ in true },
    ]
    for isNear in levels {
      var words: Set<String> = []
      for near in sources where near.words[name] != nil && isNear(near) { words.formUnion(near.words[name] ?? []) }
      // What is declared with a type is not looked for in what it is made of.
      var found = words.filter { $0.first?.isUppercase == true }
      if found.isEmpty, depth > 0 {
        for word in words where word != name { found.formUnion(types(of: word, in: source, depth: depth - 1)) }
      }
      if !found.isEmpty { return found }
    }
    return []
  }
}

/// A regular expression with its groups as texts, "" where one is not there.
private struct Pattern {
  private let expression: NSRegularExpression?

  init(_ text: String) { expression = try? NSRegularExpression(pattern: text) }

  func places(in text: String) -> [(Range<String.Index>, [String])] {
    let whole = NSRange(text.startIndex..., in: text)
    return (expression?.matches(in: text, range: whole) ?? []).compactMap { match in
      guard let range = Range(match.range, in: text) else { return nil }
      let groups = (0..<match.numberOfRanges).map {
        Range(match.range(at: $0), in: text).map { String(text[$0]) } ?? ""
      }
      return (range, groups)
    }
  }

  func matches(in text: String) -> [[String]] { places(in: text).map(\.1) }

  /// The first group of each match.
  func firsts(in text: String) -> [String] { matches(in: text).map { $0[1] } }
}
