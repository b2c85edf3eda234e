/// A test's name is the sentence that it proves, so that a run of the tests reads as a specification.
///
/// Always true: it looks for the function behind the attribute, on its line or on the next that stands as far to the
/// left; what stands further to the right is an argument's.
import Foundation

enum TestNames {
  /// Lines that the arguments of an attribute may take.
  private static let attributeLinesMax = 40

  static let rule = LintRule(
    name: "a test's name is a sentence",
    applies: { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") && !$0.path.contains("/Refused/Sources/") }
  ) { file in
    file.lines.indices.compactMap { start -> (line: Int, says: String)? in
      guard file.lines[start].matches("^\\s*@Test\\b") else { return nil }
      let margin = file.lines[start].prefix { $0 == " " }
      let following = start..<min(start + attributeLinesMax, file.lines.count)
      let function = following.first { file.lines[$0].matches("^\(margin)(@Test\\b[^\"]* )?func\\b") }
      guard let function else { return nil }
      // A long name may stand on a line of its own.
      let name = file.lines[function...].prefix(file.lines[function].hasSuffix("func") ? 2 : 1).joined(separator: " ")
      if name.matches("\\bfunc +`(nor|is|at) ") { return (start + 1, "begin with the subject of the sentence") }
      return name.matches("\\bfunc +`[^`]+ [^`]+`") ? nil : (start + 1, "say in a sentence what the test proves")
    }
  }
}
