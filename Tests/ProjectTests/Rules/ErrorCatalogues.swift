/// What users are told when something fails stands together in a module's folder `Errors/`, one member for each
/// condition, and not where it is thrown.
///
/// Always true: a number of the ratchet only ever shrinks, and one that is too large is refused.
import Foundation

enum ErrorCatalogues {
  /// The modules with catalogues, and how many errors each still makes elsewhere: those that put their words together
  /// of what only that place knows.
  static let ratchet: [String: Int] = [
    "MartletAST": 4, "MartletClient": 0, "MartletCommand": 0, "MartletDatabase": 0, "MartletEngine": 0,
    "MartletServer": 0, "MartletValues": 2, "MartletWire": 0,
  ]

  /// An error with its code and its words; one that is made of another error is none.
  private static let made = try? NSRegularExpression(
    pattern: "\\bRequestError\\(\\s*(?:\\.\\w+|code),\\s*\\.|\\bClientError\\(\\s*(?:\\.\\w+|code),|"
      + "\\b(?:ServerError|CommandFailure)\\(\\s*\"")

  static let rule = LintRule(project: "an error stands in a catalogue") { files in
    let sources = files.filter { file in
      let parts = file.path.split(separator: "/")
      return parts.count > 2 && parts[0] == "Sources" && ratchet[String(parts[1])] != nil
        && file.path.hasSuffix(".swift") && !parts.contains("Errors")
    }
    return Dictionary(grouping: sources) { String($0.path.split(separator: "/")[1]) }.compactMap { module, files in
      let found = files.flatMap { file in lines(of: file.text).map { "\(file.path):\($0)" } }.sorted()
      let most = ratchet[module] ?? 0
      if found.count == most { return nil }
      let places = found.joined(separator: ", ")
      return found.count < most
        ? "\(module): \(found.count) errors outside of Errors/, fewer than \(most): lower the number"
        : "\(module): \(found.count) errors outside of Errors/; \(most) at most: \(places)"
    }.sorted()
  }

  private static func lines(of text: String) -> [Int] {
    guard text.contains("Error(") || text.contains("Failure(") else { return [] }
    return (made?.matches(in: text, range: NSRange(text.startIndex..., in: text)) ?? []).compactMap { match in
      Range(match.range, in: text).map { text[..<$0.lowerBound].count { $0 == "\n" } + 1 }
    }
  }
}
