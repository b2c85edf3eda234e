/// Tests/EXAMPLES.md names tests that are there, and says of every snippet what became of it.
///
/// Always true: a test is named by the sentence of its function; a snippet without one says why.
import Foundation
import Testing

@Suite struct ExamplePageTests {
  /// The rows of the page's tables: where, snippet, tests, what became of it.
  private static let rows: [[String]] = {
    let page = ProjectFiles.markdown.first { $0.path == "Tests/EXAMPLES.md" }
    return (page?.lines ?? []).filter { $0.hasPrefix("| 00") }.map { line in
      line.replacing("\\|", with: "/").split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }()

  /// The sentences of the corpus's test functions.
  private static let sentences: Set<String> = {
    var found: Set<String> = []
    for file in ProjectFiles.all where file.path.hasPrefix("Tests/MartletTests/Examples/") {
      for match in file.text.matches(of: /func `([^`]+)`/) { found.insert(String(match.1)) }
    }
    return found
  }()

  @Test func `each row has four cells and a reason where it has no test`() {
    #expect(Self.rows.count > 60)
    for row in Self.rows {
      #expect(row.count == 4, "\(row)")
      guard row.count == 4 else { continue }
      #expect(row[2] != "–" || row[3].count > 10, "\(row)")
    }
  }

  @Test func `each test that the page names is there`() {
    for row in Self.rows where row.count == 4 && row[2] != "–" {
      for name in row[2].split(separator: ";").map({ $0.trimmingCharacters(in: .whitespaces) }) {
        #expect(Self.sentences.contains(name), "\(row[0]) names \(name)")
      }
    }
  }

  @Test func `each test of the corpus is named by the page`() {
    let named = Set(
      Self.rows.filter { $0.count == 4 }.flatMap {
        $0[2].split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      })
    for sentence in Self.sentences { #expect(named.contains(sentence), "\(sentence)") }
  }
}
