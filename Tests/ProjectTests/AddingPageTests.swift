/// The files that proto/README.md names for whoever adds a message or a node are there.
import Foundation
import Testing

@Suite struct AddingPageTests {
  private static let page = ProjectFiles.markdown.first { $0.path == "proto/README.md" }

  /// The paths of the numbered lists under a heading, list by list.
  private static func lists(under heading: String, in page: String) -> [[String]] {
    let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix(heading) } ?? ""
    var lists: [[String]] = []
    for line in section.split(separator: "\n") {
      guard let match = line.firstMatch(of: /^(\d+)\. `([^`]+)`/) else { continue }
      if match.1 == "1" { lists.append([]) }
      lists.indices.last.map { lists[$0].append(String(match.2)) }
    }
    return lists
  }

  @Test func `a request takes seven files, an answer six, and each is there`() throws {
    let lists = Self.lists(under: "Adding a message", in: try #require(Self.page).text)
    #expect(lists.map(\.count) == [7, 6])
    for path in lists.joined() {
      #expect(
        FileManager.default.fileExists(atPath: ProjectFiles.root.appending(path: path).path), "\(path)")
    }
  }

  @Test func `a list is seen with its paths`() {
    let page = "# A\n\n## Adding a thing\n\n1. `a/b.swift`: x\n2. `c.json`\n\nThen\n\n1. `d`\n\n## Other\n\n1. `e`\n"
    #expect(Self.lists(under: "Adding a thing", in: page) == [["a/b.swift", "c.json"], ["d"]])
  }
}
