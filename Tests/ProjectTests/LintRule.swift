import Foundation

/// One rule of the lint: what it looks at and what it says of a file.
///
/// Always true: a rule is a pure function of one file, so that each can be shown a bad line in a test.
struct LintRule: Sendable {
  let name: String
  let applies: @Sendable (ProjectFiles.File) -> Bool
  /// The offending lines (counted from 1) with a sentence for each.
  let check: @Sendable (ProjectFiles.File) -> [(line: Int, says: String)]

  func complaints(about files: [ProjectFiles.File]) -> [String] {
    files.filter(applies).flatMap { file in
      check(file).map { "\(file.path):\($0.line): \($0.says)" }
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

extension String {
  func matches(_ pattern: String) -> Bool { range(of: pattern, options: .regularExpression) != nil }
}
