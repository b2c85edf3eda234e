/// A file is found by the name of what is in it: `Table.swift` has `Table`, and `Table+Rows.swift` extends it.
///
/// Always true: the share of the files that are named so only ever grows.
import Foundation

enum FileNames {
  /// Of a hundred files.
  static let leastShare = 95.5

  private static let declaration = try? NSRegularExpression(
    pattern:
      "^\\s*(?:@\\S+\\s+)*(?:(?:public|package|internal|private|fileprivate|final|indirect|nonisolated|open)\\s+)*"
      + "(?:struct|class|enum|actor|protocol|extension|typealias|macro)\\s+([\\w.]+)", options: [.anchorsMatchLines])

  static func isNamedForItsType(_ file: ProjectFiles.File) -> Bool {
    let text = file.text
    var names: Set<String> = []
    for match in declaration?.matches(in: text, range: NSRange(text.startIndex..., in: text)) ?? [] {
      guard let range = Range(match.range(at: 1), in: text) else { continue }
      names.formUnion(text[range].split(separator: ".").map(String.init) + [String(text[range])])
    }
    return names.contains(file.name.split(whereSeparator: { "+.".contains($0) }).first.map(String.init) ?? "")
  }

  static let rule = LintRule(project: "a file is named for what it declares") { files in
    let sources = files.filter { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }
    let others = sources.filter { !isNamedForItsType($0) }
    let share = 100 - 100 * Double(others.count) / Double(max(1, sources.count))
    guard share < leastShare else { return [] }
    return ["\(share) of 100 files are named for what they declare; \(leastShare) at least"] + others.map(\.path)
  }
}
