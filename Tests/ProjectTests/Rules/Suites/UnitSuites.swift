/// The rule that what `scripts/test --unit` runs needs no database and no file.
///
/// Always true: which folders these are, and which suites of them wait for the whole run, is read from the script.
import Foundation

enum UnitSuites {
  static let script = "scripts/test"

  /// What opens a database or a server, or makes or removes a file. Not SQLite in memory, which is there in a moment.
  private static let openings =
    "\\bEngine\\(|\\bTemporary(Directory|Folder|Database)\\b|\\b(Test|Shared)Server\\b|\\bServerProcess\\b"
    + "|\\b(unlink|mkdtemp|mkstemp)\\("

  /// The folders below `Tests`: the words between `units=(` and `)`, with their braces written out.
  static func folders(in lines: [String]) -> [String] {
    guard let start = lines.firstIndex(of: "units=("), let end = lines[start...].firstIndex(of: ")") else { return [] }
    return lines[(start + 1)..<end].flatMap { $0.split(separator: " ").flatMap { expanded(String($0)) } }
  }

  private static func expanded(_ word: String) -> [String] {
    guard let open = word.firstIndex(of: "{"), let close = word[open...].firstIndex(of: "}") else { return [word] }
    return word[word.index(after: open)..<close].split(separator: ",").map {
      String(word[..<open] + $0 + word[word.index(after: close)...])
    }
  }

  /// What the names of suites hold that wait for the whole run.
  static func slow(in lines: [String]) -> String {
    lines.compactMap { line in line.firstMatch(of: /^slow\+?='(.*)'$/).map { String($0.1) } }.joined()
  }

  static let rule = LintRule(project: "a suite that runs in seconds opens no file") { files in
    guard let script = files.first(where: { $0.path == script }) else { return [] }
    let folders = folders(in: script.lines)
    guard !folders.isEmpty else { return ["\(script.path): there is no list 'units' in it"] }
    let slow = slow(in: script.lines)
    let units = files.filter { file in
      folders.contains { file.path.hasPrefix("Tests/\($0)/") } && file.path.hasSuffix(".swift")
        && (slow.isEmpty || !file.name.matches(slow))
    }
    return units.flatMap { file in
      file.lines.enumerated().filter { !$0.element.matches("^\\s*//") && $0.element.matches(openings) }.map {
        "\(file.path):\($0.offset + 1): put it into a folder that is none of 'units' in scripts/test"
      }
    }
  }
}
