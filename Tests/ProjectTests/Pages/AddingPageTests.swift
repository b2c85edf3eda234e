/// The files that proto/README.md names for adding a message or a node exist.
import Foundation
import Testing

@Suite struct AddingPageTests {
  private static let page = ProjectFiles.markdown.first { $0.path == "proto/README.md" }

  /// The paths of the numbered lists under a heading, list by list. A point that names several files has several.
  private static func lists(under heading: String, in page: String) -> [[String]] {
    let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix(heading) } ?? ""
    var lists: [[String]] = []
    var isPoint = false
    for line in section.split(separator: "\n") {
      if line.starts(with: "1. ") { lists.append([]) }
      isPoint = line.contains(#/^\d+\. /#) || (isPoint && line.hasPrefix("   "))
      guard isPoint, !lists.isEmpty else { continue }
      let paths = line.matches(of: /`((?:proto|Sources|Tests)\/[^`]+)`/).map { String($0.1) }
      lists[lists.count - 1] += paths
    }
    return lists
  }

  @Test func `a message takes five files and its vector, and each is there`() throws {
    let lists = Self.lists(under: "Adding a message", in: try #require(Self.page).text)
    #expect(lists.map(\.count) == [6, 6])
    #expect(lists.allSatisfy { $0.last?.hasPrefix("proto/vectors/") == true })
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

  @Test func `a node takes five files, and each is there`() throws {
    let lists = Self.lists(under: "Adding a node", in: try #require(Self.page).text)
    // Then those of the typed library, and those of the product SQLite. Words are values of a list of their own.
    #expect(lists.map { $0.count { !$0.hasPrefix("Sources/MartletAST/Words/") } } == [5, 5, 5])
    for path in lists.joined() { #expect(Self.isThere(path), "\(path)") }
  }

  @Test func `a part of a path may be left open, and what is not there is seen`() {
    #expect(Self.isThere("Tests/ProjectTests/Pages/…PageTests.swift"))
    #expect(!Self.isThere("Tests/ProjectTests/Pages/…NoPageTests.swift"))
    #expect(!Self.isThere("Tests/…/AddingPageTest.swift"))
  }

  @Test func `a list is seen with its paths, several of one point too`() {
    let page =
      "# A\n\n## Adding a thing\n\n1. `proto/a.proto`: x, `y`\n2. `Sources/c` and\n   `Tests/d`\n\n"
      + "Then `proto/e`\n\n1. `Tests/f`\n\n## Other\n\n1. `proto/g`\n"
    #expect(Self.lists(under: "Adding a thing", in: page) == [["proto/a.proto", "Sources/c", "Tests/d"], ["Tests/f"]])
  }
}
