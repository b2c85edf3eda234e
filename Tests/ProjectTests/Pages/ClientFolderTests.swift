/// The folders of clients in other languages have one shape, which clients/README.md writes down.
import Foundation
import Testing

@Suite struct ClientFolderTests {
  /// The paths of each language, by the table of a page.
  private static func layout(of page: String) -> [String: [String]] {
    let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix("The files of a client\n") } ?? ""
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").dropFirst().map { $0.trimmingCharacters(in: [" ", "`"]) } }
    guard let languages = rows.first else { return [:] }
    var layout: [String: [String]] = [:]
    for (place, language) in languages.enumerated() {
      layout[language] = rows.dropFirst().map { place < $0.count ? $0[place] : "" }
    }
    return layout
  }

  /// A folder's files, without those that are made in it.
  private static func files(of language: String) throws -> [String] {
    let folder = ProjectFiles.root.appending(path: "clients/" + language)
    let made = try String(contentsOf: folder.appending(path: ".gitignore"), encoding: .utf8)
      .split(separator: "\n").map { $0.hasSuffix("/") ? String($0.dropLast()) : String($0) }
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: folder.appending(path: path).path, isDirectory: &isFolder)
      return isThere && !isFolder.boolValue && !path.split(separator: "/").contains { made.contains(String($0)) }
    }
  }

  /// Whether a path of the table means the file: itself, a folder that it is in, or `…` for any part.
  private static func means(_ path: String, _ file: String) -> Bool {
    let parts = path.components(separatedBy: "…")
    if parts.count == 2 { return file.hasPrefix(parts[0]) && file.hasSuffix(parts[1]) }
    return path.hasSuffix("/") ? file.hasPrefix(path) : file == path
  }

  /// What a folder lacks, and what it has that the table does not know.
  private static func differences(_ paths: [String], _ files: [String]) -> [String] {
    paths.filter { path in !files.contains { means(path, $0) } }.map { "no \($0)" }
      + files.filter { file in !paths.contains { means($0, file) } }.map { "what is \($0)?" }
  }

  private static var layout: [String: [String]] {
    get throws { layout(of: try #require(ProjectFiles.markdown.first { $0.path == "clients/README.md" }).text) }
  }

  @Test func `each folder has the files of the table and no others`() throws {
    let layout = try Self.layout
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: ProjectFiles.root.appending(path: "clients").path)
    #expect(layout.keys.sorted() == folders.filter { $0 != "README.md" }.sorted())
    for (language, paths) in layout {
      let own = paths.filter { !$0.hasPrefix("scripts/") }
      #expect(own.count >= 9)
      #expect(Self.differences(own, try Self.files(of: language)) == [], "\(language)")
    }
  }

  @Test func `a file that is missing and one too many are found`() {
    let page =
      "# A\n\n## The files of a client\n\n| what | `one` | `two` |\n|---|---|---|\n| page | `README.md` | `README.md` |\n"
      + "| library | `a/` | `b.py` |\n| tests | `a/…_test.go` | |\n"
    let layout = Self.layout(of: page)
    #expect(layout == ["one": ["README.md", "a/", "a/…_test.go"], "two": ["README.md", "b.py", ""]])
    let paths = layout["one"] ?? []
    #expect(Self.differences(paths, ["README.md", "a/b.go", "a/c/b_test.go"]) == [])
    #expect(Self.differences(paths, ["a/b.go", "x.go"]) == ["no README.md", "no a/…_test.go", "what is x.go?"])
  }

  @Test func `each client has a script that the checks run and show to fail`() throws {
    let root = ProjectFiles.root
    let run = try String(contentsOf: root.appending(path: ".ci/run"), encoding: .utf8)
    let checks = try String(contentsOf: root.appending(path: "scripts/test-checks"), encoding: .utf8)
    for (language, paths) in try Self.layout {
      let script = "scripts/test-" + language
      #expect(paths.contains(script))
      #expect(FileManager.default.isExecutableFile(atPath: root.appending(path: script).path))
    }
    // Both go through the folders, so a new one needs no line of its own.
    for (text, line) in [
      (run, #"fetching "scripts/test-$language""#), (checks, #"client_fails "scripts/test-$language""#),
    ] {
      let loop = text.components(separatedBy: "for client in clients/*/; do\n").dropFirst().first
      #expect(loop?.components(separatedBy: "\ndone").first?.contains(line) == true, "\(line)")
    }
  }

  // MARK: - Pages

  /// The blocks of a page that are in a language of programs, each with the line above it.
  private static func programs(in page: String) -> [(above: String, code: String)] {
    let parts = page.components(separatedBy: "```")
    return parts.indices.filter { $0 % 2 == 1 && !parts[$0].hasPrefix("sh\n") }.map { place in
      let above = parts[place - 1].split(separator: "\n").last ?? ""
      return (String(above), String(parts[place].drop { $0 != "\n" }.dropFirst()))
    }
  }

  @Test func `a page has the headings of the others, and its programs are the examples`() throws {
    var headings: Set<[String]> = []
    for language in try Self.layout.keys {
      let folder = ProjectFiles.root.appending(path: "clients/" + language)
      let page = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
      headings.insert(page.split(separator: "\n").filter { $0.hasPrefix("## ") }.map(String.init))
      let programs = Self.programs(in: page)
      #expect(programs.count == 1, "\(language)")
      for (above, code) in programs {
        let path = try #require(above.wholeMatch(of: /<!-- (.*) -->/)?.1, "\(language): \(above)")
        let file = try String(contentsOf: folder.appending(path: String(path)), encoding: .utf8)
        #expect(code == file, "\(language): scripts/generate puts \(path) on the page")
      }
    }
    #expect(headings.count == 1)
  }

  @Test func `a program on a page is seen with the file that it names`() {
    let page = "# A\n\n<!-- examples/a.go -->\n```go\nx\n```\n\n```sh\nls\n```\n\nText\n\n```py\ny\n```\n"
    let found = Self.programs(in: page)
    #expect(found.map(\.above) == ["<!-- examples/a.go -->", "Text"])
    #expect(found.map(\.code) == ["x\n", "y\n"])
  }
}
