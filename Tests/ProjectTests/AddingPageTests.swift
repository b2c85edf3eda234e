/// The files that proto/README.md names for adding a message or a node exist.
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
    for path in lists.joined() { #expect(Self.isThere(path), "\(path)") }
  }

  /// Whether there is a file or a folder of this path, in which `…` stands for any part.
  private static func isThere(_ path: String) -> Bool {
    guard path.contains("…") else {
      return FileManager.default.fileExists(atPath: ProjectFiles.root.appending(path: path).path)
    }
    let parts = path.components(separatedBy: "…")
    return ProjectFiles.all.contains { file in
      var rest = file.path[...]
      guard rest.hasPrefix(parts[0]), rest.hasSuffix(parts[parts.count - 1]) else { return false }
      return parts.allSatisfy { part in
        guard let place = part.isEmpty ? rest.startIndex..<rest.startIndex : rest.range(of: part) else { return false }
        rest = rest[place.upperBound...]
        return true
      }
    }
  }

  @Test func `a node takes five files and five for the typed library, and each is there`() throws {
    let lists = Self.lists(under: "Adding a node", in: try #require(Self.page).text)
    #expect(lists.map(\.count) == [10])
    for path in lists.joined() { #expect(Self.isThere(path), "\(path)") }
  }

  @Test func `a part of a path may be left open, and what is not there is seen`() {
    #expect(Self.isThere("Tests/ProjectTests/…PageTests.swift"))
    #expect(!Self.isThere("Tests/ProjectTests/…NoPageTests.swift"))
    #expect(!Self.isThere("Tests/…/AddingPageTest.swift"))
  }

  @Test func `a list is seen with its paths`() {
    let page = "# A\n\n## Adding a thing\n\n1. `a/b.swift`: x\n2. `c.json`\n\nThen\n\n1. `d`\n\n## Other\n\n1. `e`\n"
    #expect(Self.lists(under: "Adding a thing", in: page) == [["a/b.swift", "c.json"], ["d"]])
  }
}
