import Foundation

/// One rule of the lint: what it looks at and what it says of the project's files.
///
/// Always true: a rule is a pure function of the files, so that each can be shown a bad one in a test.
struct LintRule: Sendable {
  let name: String
  let complaints: @Sendable (_ files: [ProjectFiles.File]) -> [String]

  /// A rule about all files together, such as how many there are in a folder.
  init(project name: String, complaints: @escaping @Sendable ([ProjectFiles.File]) -> [String]) {
    self.name = name
    self.complaints = complaints
  }

  /// A rule about one file: `check` returns the offending lines (counted from 1) with a sentence for each.
  init(
    name: String, applies: @escaping @Sendable (ProjectFiles.File) -> Bool,
    check: @escaping @Sendable (ProjectFiles.File) -> [(line: Int, says: String)]
  ) {
    self.init(project: name) { files in
      files.filter(applies).flatMap { file in check(file).map { "\(file.path):\($0.line): \($0.says)" } }
    }
  }

  /// A rule that says `sentence` of each line that `offends`.
  static func lines(
    _ name: String, in applies: @escaping @Sendable (ProjectFiles.File) -> Bool, says sentence: String,
    where offends: @escaping @Sendable (String) -> Bool
  ) -> LintRule {
    LintRule(name: name, applies: applies) { file in
      file.lines.enumerated().filter { offends($0.element) }.map { ($0.offset + 1, sentence) }
    }
  }
}
