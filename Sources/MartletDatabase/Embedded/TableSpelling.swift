import Foundation
import MartletEngine
import MartletSQLite
import MartletValues

/// Whether two names of tables are the same word in another spelling: `persons` and `people`, `remindersLists` and
/// `reminders_lists`.
///
/// Always true: it is asked only when a table is missing, and only says what the error adds; no query reads another
/// table than the one that it names.
enum TableSpelling {
  /// The names that are another spelling of `name`.
  static func others(of name: String, among names: [String]) -> [String] {
    let wanted = stem(of: name)
    return names.filter { $0 != name && stem(of: $0) == wanted }.sorted()
  }

  private static let irregular = [
    ("people", "person"), ("children", "child"), ("men", "man"), ("mice", "mouse"), ("geese", "goose"),
    ("teeth", "tooth"), ("feet", "foot"), ("data", "datum"), ("media", "medium"), ("criteria", "criterion"),
    ("indices", "index"), ("analyses", "analysis"),
  ]

  /// The word without its case, its separators and whatever makes it a plural, taken off until nothing is left to take.
  static func stem(of name: String) -> String {
    var word = name.lowercased().filter { $0.isLetter || $0.isNumber }
    while true {
      let shorter = singular(of: word)
      if shorter == word { return word }
      word = shorter
    }
  }

  private static func singular(of word: String) -> String {
    for (plural, singular) in irregular where word.hasSuffix(plural) {
      return word.dropLast(plural.count) + singular
    }
    guard word.count > 2 else { return word }
    if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
    if word.hasSuffix("ves") { return word.dropLast(3) + "f" }
    if word.hasSuffix("fe") { return String(word.dropLast()) }
    if ["ses", "xes", "zes", "ches", "shes"].contains(where: word.hasSuffix) { return String(word.dropLast(2)) }
    return word.hasSuffix("s") ? String(word.dropLast()) : word
  }
}

extension EmbeddedConnection {
  /// An error about a table that is missing, with the one that is there under another spelling of its name.
  func nameOtherSpelling(_ error: RequestError) -> RequestError {
    guard case .table(let missing)? = error.missing else { return error }
    let name = String(missing.split(separator: ".").last ?? "")
    let others = TableSpelling.others(of: name, among: tableNames)
    guard let other = others.first else { return error }
    var error = error
    let names = others.map { "\"\($0)\"" }.joined(separator: " and ")
    error.message +=
      " There is \(names), which may be meant. Write @Table(\"\(other)\") above its type, or rename the table."
    return error
  }

  private var tableNames: [String] {
    guard let names = try? connection.tableNames() else { return [] }
    return (try? JSONDecoder().decode([String].self, from: Data(names.utf8))) ?? []
  }
}
