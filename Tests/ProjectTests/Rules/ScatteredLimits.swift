/// A bound that somebody may want to know or change is found with the others, and not where it is used.
///
/// Always true: a number of the ratchet only ever shrinks, and one that is too large is refused.
import Foundation

enum ScatteredLimits {
  /// How many limits each module had outside of its files of limits when the rule came.
  static let ratchet: [String: Int] = [
    "MartletAST": 2, "MartletClient": 1, "MartletDatabase": 1, "MartletQuery": 3, "MartletSQLite": 2,
    "MartletValues": 1,
  ]

  /// `…Max` or `…Ms` with a number; 0 is where a count begins.
  private static let limit = "\\b(let|var) \\w+(Max|Ms)(: \\w+)? = -?[1-9]"

  static let rule = LintRule(project: "a limit stands in a file of limits") { files in
    let sources = files.filter { file in
      file.path.hasPrefix("Sources/") && file.path.hasSuffix(".swift") && !file.name.contains("Limits")
        && !file.name.contains("Configuration") && !file.name.contains("Setup")
    }
    return Dictionary(grouping: sources) { String($0.path.split(separator: "/")[1]) }.compactMap { module, files in
      let found = files.flatMap { file in
        file.lines.indices.filter { file.lines[$0].matches(limit) }.map { "\(file.path):\($0 + 1)" }
      }
      let most = ratchet[module] ?? 0
      if found.count == most { return nil }
      let places = found.joined(separator: ", ")
      return found.count < most
        ? "\(module): \(found.count) limits outside of a file of limits, fewer than \(most): lower the number"
        : "\(module): \(found.count) limits outside of a file of limits; \(most) at most: \(places)"
    }.sorted()
  }
}
