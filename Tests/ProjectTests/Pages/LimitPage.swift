/// `docs/LIMITS.md`: every limit of the project in one place, written from the files of limits.
///
/// Always true: a line of the page is a declaration of a file of limits, in the order of the files; a meaning is the
/// comment above it, or "As above.", which only a comment that has its paragraph to itself can give to what follows it.
import Foundation

enum LimitPage {
  static let path = ProjectFiles.root.appending(path: "docs/LIMITS.md")

  /// One limit, as it is declared.
  struct Entry: Equatable {
    var name: String
    var value: String
    var unit: String
    var meaning: String
  }

  private static let introduction = """
    # Limits

    What queues, caches, buffers, waits and sizes are bounded by, from the files of limits beside their owners. Those of
    `Limits.swift` an operator or a test sets ([CONFIGURATION.md](CONFIGURATION.md) says which have an option), those of
    `ClientConfiguration.swift` a program; `Limits+Embedded.swift` has what is otherwise where a program opens a file by
    itself, and `ConnectionSetup.swift` what a connection has unless such limits say otherwise. The others nobody sets.
    "As above" stands where one comment speaks of several limits: it is with the first of them.

    Written by `MARTLET_WRITE_PAGES=1 swift test --filter LimitPageTests`; a test compares it with the sources.

    """

  static func text() -> String {
    let files = ProjectFiles.sources.filter { isLimits($0.name) }
    let tables = files.map { file -> (path: String, rows: [String]) in
      (file.path, entries(of: file).map { "| `\($0.name)` | \($0.value) | \($0.unit) | \($0.meaning) |" })
    }
    return introduction
      + tables.filter { !$0.rows.isEmpty }.map { table in
        ([
          "", "## \(table.path.dropFirst("Sources/".count))", "", "| limit | value | unit | meaning |",
          "|---|---|---|---|",
        ]
          + table.rows).joined(separator: "\n") + "\n"
      }.joined()
  }

  private static func isLimits(_ name: String) -> Bool {
    name.hasSuffix("Limits.swift") || name.hasPrefix("Limits+")
      || ["ClientConfiguration.swift", "ConnectionSetup.swift"].contains(name)
  }

  static func entries(of file: ProjectFiles.File) -> [Entry] {
    let declaration = /^  (?:public |package |private |fileprivate )*(?:static )?(?:let|var) (\w+)(?:: ([\w.]+))?(.*)$/
    // Limits that are otherwise in one place than in another are set there.
    let assignment = /^    (\w+)( = .*)$/
    let sets = file.name.hasPrefix("Limits+")
    let shared = sharedParagraphs(of: file.lines)
    var meaning: [Substring] = []
    var entries: [Entry] = []
    // Whether the line before this one is a limit with a meaning.
    var follows = false
    for (number, line) in file.lines.enumerated() {
      let words = line.drop { $0 == " " }
      if words.hasPrefix("///") || sets && words.hasPrefix("//") {
        meaning.append(words.drop { $0 == "/" }.drop { $0 == " " })
        continue
      }
      let text = meaning.isEmpty && follows && shared.contains(number) ? asAbove : meaning.joined(separator: " ")
      (meaning, follows) = ([], false)
      let declared = line.firstMatch(of: declaration).map { ($0.1, $0.3) }
      let set = sets ? line.firstMatch(of: assignment).map { ($0.1, $0.2) } : nil
      guard let found = declared ?? set, let value = value(of: found.1) else { continue }
      let name = String(found.0)
      let unit = unit(of: name, value)
      // What is set there is declared in the other file, with its meaning.
      let meant = text.isEmpty && sets ? "As in `Limits.swift`." : text
      entries.append(Entry(name: name, value: shown(value, unit), unit: unit, meaning: meant))
      follows = !meant.isEmpty
    }
    return entries
  }

  /// Limits of which nobody is told what they mean, each as `file: name`.
  static func withoutMeaning(_ files: [ProjectFiles.File]) -> [String] {
    files.filter { isLimits($0.name) }.flatMap { file in
      entries(of: file).filter(\.meaning.isEmpty).map { "\(file.path): \($0.name)" }
    }
  }

  private static let asAbove = "As above."

  /// The lines of paragraphs with one comment, which may speak of all that is declared in them. A paragraph ends at an
  /// empty line, and where braces open or close.
  private static func sharedParagraphs(of lines: [String]) -> Set<Int> {
    var shared: Set<Int> = []
    var paragraph: [Int] = []
    var comments = 0
    var isInComment = false
    for (number, line) in (lines + [""]).enumerated() {
      let words = line.drop { $0 == " " }
      if words.isEmpty || words.hasSuffix("{") || words == "}" {
        if comments == 1 { shared.formUnion(paragraph) }
        (paragraph, comments, isInComment) = ([], 0, false)
        continue
      }
      let isComment = words.hasPrefix("///")
      if isComment && !isInComment { comments += 1 }
      isInComment = isComment
      paragraph.append(number)
    }
    return shared
  }

  /// What stands behind `=`, or between the braces, if it is a number or is made of numbers.
  private static func value(of rest: Substring) -> String? {
    let text = rest.drop { $0 == " " }
    let value =
      text.hasPrefix("= ")
      ? text.dropFirst(2) : text.hasPrefix("{ ") && text.hasSuffix(" }") ? text.dropFirst(2).dropLast(2) : ""
    let isNumeric = value.first?.isNumber == true || value.contains(/^(?:Duration)?\.?\w*econds\(/)
    let isFormula = value.contains(/[-+*\/]/) && !value.contains("\"")
    return isNumeric || isFormula || value.contains(/Limits\.\w+$/) || value == ".max" ? String(value) : nil
  }

  private static func unit(of name: String, _ value: String) -> String {
    let units: [(parts: [String], unit: String)] = [
      (["Bytes"], "bytes"), (["Characters"], "characters"), (["Ms", "MsMax", "MsMin"], "ms"),
      (["Ns", "NsMax", "NsMin"], "ns"), (["Micros", "Microseconds", "MicrosecondsMax"], "µs"), (["Seconds"], "s"),
      (["Days"], "days"), (["Percent"], "%"),
    ]
    if value.contains("econds(") { return "" }
    // `Bytes` may stand in the middle of a name; the short ones only end it.
    return units.first { unit in
      unit.parts.contains { $0.count > 3 ? name.contains($0) : name.hasSuffix($0) }
    }?.unit ?? ""
  }

  /// Sizes as people say them; everything else as it is written.
  private static func shown(_ value: String, _ unit: String) -> String {
    if unit == "bytes", let found = value.wholeMatch(of: /([\d_]+) << (10|20|30)/) {
      let sign = ["10": "KiB", "20": "MiB", "30": "GiB"][String(found.2)] ?? ""
      return "\(found.1.replacing("_", with: ",")) \(sign)"
    }
    if let duration = value.wholeMatch(of: /(?:Duration)?\.(\w+)\(([\d_]+)\)/) { return "\(duration.2) \(duration.1)" }
    return value.contains(/^[\d_]+$/) ? value.replacing("_", with: ",") : "`\(value)`"
  }
}
