/// docs/LIFE-OF-A-REQUEST.md names functions and files that are there.
///
/// Always true: `Type.function` is found if a file declares or extends the type and declares the function.
import Foundation
import Testing

@Suite struct RequestPageTests {
  private static let page = ProjectFiles.markdown.first { $0.path == "docs/LIFE-OF-A-REQUEST.md" }

  /// Everything in backticks, with words that a line's end cut put together.
  private static func quoted(in text: String) -> [String] {
    text.matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  private static func names(in text: String) -> [(type: String, function: String)] {
    quoted(in: text).compactMap { words in
      guard let match = words.wholeMatch(of: /([A-Z]\w+)\.([a-z]\w*)/) else { return nil }
      return (String(match.1), String(match.2))
    }
  }

  private static func isThere(_ type: String, _ function: String) -> Bool {
    ProjectFiles.sources.contains { file in
      file.text.matches("(struct|class|enum|actor|protocol|extension) \(type)\\b")
        && file.text.matches("func \(function)[(<]")
    }
  }

  @Test func `each function that the page names is there`() throws {
    let names = Self.names(in: try #require(Self.page).text)
    #expect(names.count > 30)
    for (type, function) in names { #expect(Self.isThere(type, function), "\(type).\(function)") }
  }

  @Test func `each file that the page names is there`() throws {
    let paths = Self.quoted(in: try #require(Self.page).text).filter { $0.hasPrefix("Martlet") && $0.contains("/") }
    #expect(paths.count > 15)
    let sources = Set(ProjectFiles.sources.map(\.path))
    for path in paths { #expect(sources.contains("Sources/" + path), "\(path)") }
  }

  @Test func `a name that is not there is seen`() {
    let names = Self.names(in: "**`Writer.enqueue`** and `Writer.enqueues`, `Nobody.enqueue`, `Sources/A.swift`")
    #expect(names.map { Self.isThere($0.type, $0.function) } == [true, false, false])
  }
}
