/// What opens a file: a sentence on its first declaration, with nothing between the two.
///
/// Always true: a comment before an import, a condition or an empty line opens nothing, because no documentation would
/// show it; that holds for every comment of a file, not for the first alone. A file that only imports needs a comment,
/// which has no declaration to stand on.
enum Openers {
  static let rule = LintRule(
    name: "a declaration says what its file is for",
    applies: { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }
  ) { file in
    guard let first = firstDeclaration(in: file.lines) else {
      let isSaid = file.lines.contains { $0.hasPrefix("/// ") }
      return isSaid ? [] : [(1, "say in one sentence what the file is for")]
    }
    // Attributes and reasons stand between a declaration and what is said of it.
    let above = file.lines[..<first].last { !$0.matches("^ *(@\\w|// )") } ?? ""
    return above.matches("^ */// ") || above.matches("^ *///$")
      ? [] : [(first + 1, "say in one sentence, right above the file's first declaration, what the file is for")]
  }

  static let attached = LintRule(
    name: "a documentation comment stands on a declaration",
    applies: { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") && $0.name != "Exports.swift" }
  ) { file in
    zip(file.lines.indices, zip(file.lines, file.lines.dropFirst())).compactMap { index, lines in
      guard lines.0.drop(while: { $0 == " " }).hasPrefix("///"),
        lines.1.matches("^ *$|^ *(@?\\w+(\\([^)]*\\))? )*import ")
      else { return nil }
      return (index + 1, "join it with what follows, put it on a declaration, or write `//`: no documentation shows it")
    }
  }

  /// The first line that is no comment, import or condition, with its attributes if they have lines of their own.
  private static func firstDeclaration(in lines: [String]) -> Int? {
    lines.indices.first { index in
      let line = lines[index].drop { $0 == " " }
      return !line.isEmpty && !line.hasPrefix("//") && !line.hasPrefix("#")
        && !String(line).matches("^((@\\w+(\\([^)]*\\))?|public|package|internal|private|fileprivate) )*import ")
        && !String(line).matches("^@\\w+$|^@\\w+\\([^)]*\\)$")
    }
  }
}
