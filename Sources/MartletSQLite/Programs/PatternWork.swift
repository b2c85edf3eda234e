/// Estimates the work of a MATCH pattern within one row that holds all of its words. FTS5 and FTS4 cannot be
/// interrupted there.
///
/// Always true: it counts too much rather than too little, and takes time in the length of the text alone. One is what
/// FTS4 does for a single word. A word of a phrase is `SQLiteLimits.phraseWordWork`, because it is looked for at each
/// place of the first; words of FTS5's NEAR are compared with each other at each place, so they cost their square. A
/// single word costs FTS5 next to nothing: it reads pages for it, and may be ended at each.
struct PatternWork {
  /// What the tables of a database make words of.
  struct Words {
    /// A tokenizer may cut between any two letters, as `trigram` does.
    var areCutAnywhere = false

    /// The words of a text, at most.
    func count(in text: some Sequence<Unicode.Scalar>) -> Int {
      var (words, isInWord) = (0, false)
      for scalar in text {
        switch Self.kind(of: scalar) {
        case .letter where !areCutAnywhere:
          if !isInWord { words += 1 }
          isInWord = true
        case .separator where !areCutAnywhere: isInWord = false
        default:
          words += 1
          isInWord = false
        }
      }
      return words
    }

    private enum Kind { case letter, separator, either }

    /// SQLite's tables of letters are of a certain age, so nobody knows what it takes a younger one for.
    private static func kind(of scalar: Unicode.Scalar) -> Kind {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9": return .letter
      case _ where scalar.isASCII: return .separator
      default: break
      }
      let properties = scalar.properties
      guard let age = properties.age, age.major < SQLiteLimits.unicodeMajor else { return .either }
      switch properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
        .letterNumber, .otherNumber:
        return .letter
      default: return .either
      }
    }
  }

  private(set) var count = 0

  private let words: Words
  private let isForOldTable: Bool
  /// The phrase that is being read.
  private var phrase = 0
  private var isPhraseCounted = false
  /// All words, those that choose columns among them.
  private var all = 0
  /// What comes next has to be the first of its column, which FTS5 looks at each place for.
  private var isFirst = false
  /// Phrases of the NEAR that is being read; nil outside of one.
  private var near: Int?

  init(_ text: String, _ words: Words, isForOldTable: Bool) {
    self.words = words
    self.isForOldTable = isForOldTable
    guard text.utf8.count <= SQLiteLimits.patternBytesMax else {
      // Nobody types so much, and counting takes time, too.
      count = text.utf8.count
      return
    }
    read(text.unicodeScalars[...])
    endPhrase()
    endNear()
    count += all / SQLiteLimits.lightWordsPerWork
  }

  /// A text that is put together from such. Where words begin and end in it nobody knows.
  init(joined texts: [String], _ words: Words, isForOldTable: Bool) {
    self.words = words
    self.isForOldTable = isForOldTable
    let all = texts.reduce(0) { $0 + max(1, words.count(in: $1.unicodeScalars)) }
    count = all * SQLiteLimits.phraseWordWork
    if isForOldTable {
      count *= 2
    } else if texts.contains(where: { $0.contains("(") }) {
      count += Self.near(all)
    }
  }

  private static func near(_ phrases: Int) -> Int { 2 * phrases * phrases }

  // MARK: - Reading a pattern

  private mutating func read(_ text: Substring.UnicodeScalarView) {
    var rest = text
    var (isJoined, isAfterText) = (false, false)
    while let first = rest.popFirst() {
      switch first {
      case " ", "\t", "\n", "\r": continue
      case "+": isJoined = true
      case "^": isFirst = true
      case "(" where isAfterText:
        endPhrase()
        endNear()
        near = 0
      case ")":
        endPhrase()
        endNear()
      case "\"":
        take(Self.quoted(&rest), isJoined: &isJoined)
        isAfterText = true
        continue
      case _ where Self.isOfWord(first):
        let word = rest.prefix(while: Self.isOfWord)
        rest = rest.dropFirst(word.count)
        take([first] + Array(word), isJoined: &isJoined)
        isAfterText = true
        continue
      default: break
      }
      isAfterText = false
    }
  }

  private mutating func take(_ text: [Unicode.Scalar], isJoined: inout Bool) {
    if !isJoined {
      endPhrase()
      isPhraseCounted = isFirst
    }
    (isJoined, isFirst) = (false, false)
    let count = words.count(in: text)
    phrase += count
    all += count
    if isForOldTable, text.count == 4, String(String.UnicodeScalarView(text)).uppercased() == "NEAR" {
      self.count += 2 * SQLiteLimits.phraseWordWork
    }
  }

  private mutating func endPhrase() {
    defer { (phrase, isPhraseCounted) = (0, false) }
    guard phrase > 0 else { return }
    if let others = near { near = others + 1 }
    if phrase > 1 || isPhraseCounted {
      count += phrase * SQLiteLimits.phraseWordWork
    } else if isForOldTable {
      count += 1
    }
  }

  private mutating func endNear() {
    if let phrases = near { count += Self.near(phrases) }
    near = nil
  }

  /// Takes a text up to its quotation mark; two of them are one of the text.
  private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> [Unicode.Scalar] {
    var text: [Unicode.Scalar] = []
    while let next = rest.popFirst() {
      if next == "\"", rest.first != "\"" { return text }
      if next == "\"" { rest.removeFirst() }
      text.append(next)
    }
    return text
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "\u{1A}": true
    default: !scalar.isASCII
    }
  }
}
