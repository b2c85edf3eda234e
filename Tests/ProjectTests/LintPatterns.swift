/// The regular expressions of the rules, each compiled once: a rule asks the same of some hundred thousand lines.
import Foundation
import Synchronization

enum LintPatterns {
  private static let compiled = Mutex<[String: NSRegularExpression]>([:])

  fileprivate static func expression(_ pattern: String) -> NSRegularExpression {
    compiled.withLock { compiled in
      if let known = compiled[pattern] { return known }
      guard let new = try? NSRegularExpression(pattern: pattern) else { fatalError("a wrong pattern: \(pattern)") }
      compiled[pattern] = new
      return new
    }
  }
}

extension String {
  /// Whether the regular expression is found anywhere in it. One that is none ends the run.
  func matches(_ pattern: String) -> Bool {
    LintPatterns.expression(pattern).firstMatch(in: self, range: NSRange(startIndex..., in: self)) != nil
  }
}
