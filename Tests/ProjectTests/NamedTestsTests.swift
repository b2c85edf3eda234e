/// The tests that pages name as their proofs are there.
///
/// Always true: a page names a test by the whole sentence of its function.
import Foundation
import Testing

@Suite struct NamedTestsTests {
  /// The sentences of all test functions.
  static let sentences: Set<String> = {
    var found: Set<String> = []
    for file in ProjectFiles.all where file.path.hasPrefix("Tests/") {
      for match in file.text.matches(of: /func `([^`]+)`/) { found.insert(String(match.1)) }
    }
    return found
  }()

  @Test func `each proof in the table of compatibility is a test`() throws {
    let page = try String(contentsOf: ProjectFiles.root.appending(path: "docs/COMPATIBILITY.md"), encoding: .utf8)
    var proofs = 0
    for line in page.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.replacing("\\|", with: "/").split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 7, Int(cells[1].trimmingCharacters(in: .whitespaces)) != nil else { continue }
      let state = cells[4].trimmingCharacters(in: .whitespaces)
      let tests = cells[5].split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let missing = tests.filter { !$0.isEmpty && !Self.sentences.contains($0) }
      #expect(missing.isEmpty, "\(line.prefix(60))")
      let isProven = tests.contains { !$0.isEmpty }
      #expect(isProven || !state.hasPrefix("yes"), "no proof: \(line.prefix(60))")
      proofs += tests.count
    }
    #expect(proofs > 100)
  }
}
