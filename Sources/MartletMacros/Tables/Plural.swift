/// The name of a table from the name of a type: `RemindersList` becomes `remindersLists`.
///
/// Always true: only the last word of a name changes its number, and a word that is a plural already stays.
enum Plural {
  /// The type's name in lower camel case, its last word in the plural.
  static func tableName(of typeName: String) -> String {
    let words = splittingLastWord(of: lowerCamelCase(typeName))
    return words.before + plural(of: words.last)
  }

  /// `URLSession` becomes `urlSession`, `ID` becomes `id`.
  static func lowerCamelCase(_ name: String) -> String {
    let capitals = name.prefix { $0.isUppercase }
    guard !capitals.isEmpty else { return name }
    let isFollowed = capitals.endIndex != name.endIndex && name[capitals.endIndex].isLowercase
    let lowered = capitals.count > 1 && isFollowed ? capitals.dropLast() : capitals
    return lowered.lowercased() + name[lowered.endIndex...]
  }

  private static func splittingLastWord(of name: String) -> (before: String, last: String) {
    guard let start = name.lastIndex(where: { $0.isUppercase || $0 == "_" }) else { return ("", name) }
    return (String(name[..<start]), String(name[start...]))
  }

  /// The plural of one word, in the case of the word.
  static func plural(of word: String) -> String {
    let lower = word.lowercased()
    if unchanging.contains(lower) || irregular.values.contains(lower) || isPlural(lower) { return word }
    if let plural = irregular[lower] { return String(word.prefix(1) + plural.dropFirst()) }
    for (ending, replacement) in endings where lower.hasSuffix(ending) && lower.count > ending.count {
      return word.dropLast(ending.count) + replacement
    }
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    if ["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) { return word + "es" }
    return word + "s"
  }

  /// Words in `s` are plurals, apart from those in `ss`, `us` and `is` and a few others.
  private static func isPlural(_ word: String) -> Bool {
    guard word.count > 2, word.hasSuffix("s") else { return false }
    if pluralsLikeSingulars.contains(word) { return true }
    return !["ss", "us", "is"].contains(where: word.hasSuffix) && !singularsInS.contains(word)
  }

  private static let unchanging: Set<String> = [
    "advice", "aircraft", "chassis", "data", "deer", "equipment", "feedback", "fish", "furniture", "hardware", "health",
    "history_data", "homework", "information", "jewelry", "knowledge", "luggage", "media", "metadata", "money", "moose",
    "music", "news", "offspring", "rice", "salmon", "series", "sheep", "shrimp", "software", "spacecraft", "species",
    "staff", "stuff", "swine", "traffic", "trout", "weather",
  ]

  private static let irregular: [String: String] = [
    "child": "children", "criterion": "criteria", "die": "dice", "echo": "echoes", "foot": "feet", "goose": "geese",
    "hero": "heroes", "louse": "lice", "man": "men", "matrix": "matrices", "mouse": "mice", "movie": "movies",
    "ox": "oxen", "person": "people", "phenomenon": "phenomena", "potato": "potatoes", "quiz": "quizzes",
    "tomato": "tomatoes", "tooth": "teeth", "vertex": "vertices", "veto": "vetoes", "woman": "women", "lens": "lenses",
    "calf": "calves", "elf": "elves", "half": "halves", "knife": "knives", "leaf": "leaves", "life": "lives",
    "loaf": "loaves", "scarf": "scarves", "self": "selves", "shelf": "shelves", "thief": "thieves", "wife": "wives",
    "wolf": "wolves", "datum": "data", "medium": "media", "bacterium": "bacteria",
  ]

  /// Endings of words that people put together: `salesman`, `bookshelf`, `analysis`, `grandchild`.
  private static let endings: [(ending: String, replacement: String)] = [
    ("sis", "ses"), ("xis", "xes"), ("woman", "women"), ("sman", "smen"), ("iceman", "icemen"), ("reman", "remen"),
    ("person", "people"), ("child", "children"), ("shelf", "shelves"), ("mouse", "mice"), ("wife", "wives"),
  ]

  private static let singularsInS: Set<String> = [
    "alias", "atlas", "bias", "canvas", "chaos", "christmas", "cosmos", "ethos", "gas", "lens",
  ]

  private static let pluralsLikeSingulars: Set<String> = ["menus", "emus", "gurus", "taxis", "skis", "apis", "gpus"]
}
