/// The name of a table from the name of a type: `RemindersList` becomes `remindersLists`.
///
/// Always true: the ending follows fixed rules, whatever the word is, so that anybody can tell the name: `s`, or `es`
/// after `s`, `x`, `z`, `ch` and `sh`, and `ies` in the place of a `y` behind a consonant. Other libraries that make
/// tables of types name them so too, and their databases are found.
enum Plural {
  /// The type's name in lower camel case, with the ending.
  static func tableName(of typeName: String) -> String { plural(of: lowerCamelCase(typeName)) }

  /// `URLSession` becomes `urlSession`, `ID` becomes `id`.
  static func lowerCamelCase(_ name: String) -> String {
    let capitals = name.prefix { $0.isUppercase }
    guard !capitals.isEmpty else { return name }
    let isFollowed = capitals.endIndex != name.endIndex && name[capitals.endIndex].isLowercase
    let lowered = capitals.count > 1 && isFollowed ? capitals.dropLast() : capitals
    return lowered.lowercased() + name[lowered.endIndex...]
  }

  /// The name with the ending: no dictionary, no exception.
  static func plural(of name: String) -> String {
    let lower = name.lowercased()
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return name.dropLast() + "ies"
    }
    return name + (["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) ? "es" : "s")
  }
}
