/// The rule that an error says in one sentence what happened, and in the next one what to do.
///
/// Always true: an advice begins with a capital letter behind a full stop, and never behind a colon or a semicolon.
import Foundation

enum ErrorSentences {
  /// Macros have a style of their own: the compiler shows their errors behind the place and a colon.
  private static let others = "Sources/MartletMacros/"

  static let rule = LintRule(
    name: "an error's advice is a sentence of its own",
    applies: { file in
      file.path.hasPrefix("Sources/") && file.path.hasSuffix(".swift") && !file.path.hasSuffix(".pb.swift")
        && !file.path.hasPrefix(others)
    }
  ) { file in
    file.lines.indices.filter { isAdvised(text(of: file.lines, from: $0)) }.map {
      ($0 + 1, "end the sentence before the advice: \"There is no room. Try again later.\"")
    }
  }

  /// A program that has its database in its own process is told these, too. The command says what its option is called.
  static let optionless = LintRule.lines(
    "an engine's error names no option of a command", in: { $0.path.hasPrefix("Sources/MartletEngine/") },
    says: "name the limit as a configuration does: 'raise the limit wal-mib'"
  ) { $0.matches("\"[^\"]*--[a-z]") }

  /// Behind a mark that goes on with a sentence, to the end of the text.
  private static let advice = "\"(?:\\\\.|[^\"\\\\])*[^\\s\"][:;] (\(verbs))\\b(?:\\\\.|[^\"\\\\])*\\.\""

  private static let verbs =
    "add|allow|ask|begin|bring|call|check|choose|close|connect|convert|count|declare|do|drop|end|finish|give"
    + "|install|keep|leave|let|look|make|mend|move|name|open|pipe|put|raise|read|register|remove|restart"
    + "|restore|revoke|run|say|search|send|set|show|speak|start|stop|take|try|unpack|update|use|wait|wrap|write"

  private static func isAdvised(_ text: String) -> Bool {
    // Looking for a text is many times faster than for a pattern.
    text.contains(".\"") && (text.contains(": ") || text.contains("; ")) && text.matches(advice)
  }

  /// The line with those that go on with its text, as one text; empty for a comment and for what goes on itself.
  private static func text(of lines: [String], from index: Int) -> String {
    let line = content(of: lines[index])
    guard line.contains("\""), !line.hasPrefix("//"), !line.hasPrefix("+ \"") else { return "" }
    var text = line
    for next in lines[(index + 1)...].lazy.map(content) {
      guard text.hasSuffix("\""), next.hasPrefix("+ \"") else { break }
      text = String(text.dropLast()) + next.dropFirst(3)
    }
    return text
  }

  private static func content(of line: String) -> String { line.trimmingCharacters(in: .whitespaces) }
}
