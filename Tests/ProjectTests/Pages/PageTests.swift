/// What the pages name is there: files, headings, scripts, decisions, figures.
import Foundation
import Testing

@Suite struct PageTests {
  /// Paths in the project of a reader, which a page tells to make.
  private static let readersOwn: Set<String> = ["Sources/weather"]

  /// The page without its blocks of code.
  private static func prose(_ page: ProjectFiles.File) -> String {
    page.text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined()
  }

  private static func isThere(_ path: String, from folder: String = "") -> Bool {
    let start = folder.isEmpty ? ProjectFiles.root : ProjectFiles.root.appending(path: folder)
    return FileManager.default.fileExists(atPath: start.appending(path: path).standardized.path)
  }

  /// A heading as it is linked to: small letters, hyphens for spaces, and no other signs.
  static func anchor(_ heading: Substring) -> String {
    let letters = heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == " " }
    return letters.replacing(" ", with: "-")
  }

  /// What the page names and is not there.
  static func missing(from page: ProjectFiles.File) -> [String] {
    let text = prose(page)
    var missing: [String] = []
    for link in text.matches(of: /\]\(([^)\s]+)\)/).map(\.1) where !link.contains(":") {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts[0].isEmpty || isThere(String(parts[0]), from: page.folder) else {
        missing.append(String(link))
        continue
      }
      guard parts.count == 2 else { continue }
      let target =
        parts[0].isEmpty
        ? page
        : ProjectFiles.markdown.first { file in
          let path = ProjectFiles.root.appending(path: page.folder).appending(path: String(parts[0])).standardized.path
          return ProjectFiles.root.appending(path: file.path).path == path
        }
      let anchors = target?.text.matches(of: /(?m)^#+ (.*)$/).map { anchor($0.1) } ?? []
      if target != nil, !anchors.contains(String(parts[1])) { missing.append(String(link)) }
    }
    let places = /`((?:Sources|Tests|proto|scripts|docs|deploy|clients|Benchmarks)\/[^`\s]*)`/
    for path in text.matches(of: places).map({ String($0.1) }) {
      // A pattern stands for several files.
      if path.contains(where: { "…*{}<>".contains($0) }) || readersOwn.contains(path) { continue }
      if !isThere(path) { missing.append(path) }
    }
    return missing
  }

  @Test func `links lead somewhere, and paths are there`() {
    // What a release was like stays as it was told.
    for page in ProjectFiles.markdown where page.path != "CHANGELOG.md" {
      #expect(Self.missing(from: page) == [], "\(page.path)")
    }
  }

  @Test func `what leads nowhere is found`() {
    let page = ProjectFiles.File(
      path: "docs/A.md",
      lines: [
        "# A b", "[a](README.md) [b](NOWHERE.md) [c](#a-b) [d](#none) [e](https://example.org/x) [f](README.md#none)",
        "`scripts/test` `scripts/nothing` `Sources/…/A.swift`", "```", "[g](NOWHERE.md) `scripts/nothing`", "```",
      ])
    #expect(Self.missing(from: page) == ["NOWHERE.md", "#none", "README.md#none", "scripts/nothing"])
  }

  @Test func `each script has a row in CONTRIBUTING`() throws {
    let page = try #require(ProjectFiles.markdown.first { $0.path == "CONTRIBUTING.md" })
    let rows = page.lines.filter { $0.hasPrefix("| `scripts/") }.joined()
    let named = Set(rows.matches(of: /`scripts\/([\w-]+)/).map { String($0.1) })
    let scripts = try FileManager.default.contentsOfDirectory(
      atPath: ProjectFiles.root.appending(path: "scripts").path)
    #expect(named == Set(scripts.filter { !$0.hasPrefix(".") && !$0.hasPrefix("__") }))
  }

  @Test func `each decision has a row, under its title`() throws {
    let page = try #require(ProjectFiles.markdown.first { $0.path == "docs/decisions/README.md" })
    let rows = page.lines.filter { $0.hasPrefix("| [0") }
    let decisions = ProjectFiles.markdown.filter { $0.path.hasPrefix("docs/decisions/0") }
    let wanted = decisions.map { file in
      let title = (file.lines.first ?? "").drop { $0 == "#" || $0 == " " }.split(separator: ": ", maxSplits: 1)
      return "| [\(title.first ?? "")](\(file.name)) | \(title.last ?? "") |"
    }
    #expect(rows == wanted)
  }

  @Test func `README's figures are those of the page of figures`() throws {
    let readme = try #require(ProjectFiles.markdown.first { $0.path == "README.md" })
    let figures = try #require(ProjectFiles.markdown.first { $0.path == "docs/FIGURES.md" }).text
    let section = try #require(readme.text.components(separatedBy: "\n## ").first { $0.hasPrefix("Figures") })
    let numbers = section.matches(of: /\d+,\d{3}(?:,\d{3})?|\d\.\d+ M/).map { String($0.0) }
    #expect(numbers.count >= 6)
    for number in numbers { #expect(figures.contains(number), "\(number) is not in docs/FIGURES.md") }
  }
}
