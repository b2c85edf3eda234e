/// The folders of a module stand on each other as docs/FOLDERS.md says.
import Testing

@Suite struct FolderLadderTests {
  static let ladders = FolderLadder.read(ProjectFiles.markdown.first { $0.path == "docs/FOLDERS.md" }?.lines ?? [])

  @Test(arguments: ladders.map(\.module))
  func `no folder names a type of a folder above it`(module: String) throws {
    let ladder = try #require(Self.ladders.first { $0.module == module })
    let complaints = ladder.complaints(ProjectFiles.sources.map { ($0.path, $0.text) })
    #expect(complaints == [], "\(complaints.joined(separator: "\n"))")
  }

  @Test func `every module of more than one folder has a ladder`() {
    var folders: [String: Set<String>] = [:]
    for file in ProjectFiles.sources {
      let parts = file.path.split(separator: "/")
      if parts.count > 3 { folders[String(parts[1]), default: []].insert(String(parts[2])) }
    }
    let many = Set(folders.filter { $0.value.count > 1 }.keys)
    #expect(Set(Self.ladders.map(\.module)) == many)
  }

  static let page = [
    "### MartletThing", "| folder | what |", "|---|---|", "| `Low/` | a |", "| `High/` | b |", "## More",
  ]

  typealias Trial = (files: [(name: String, text: String)], count: Int)

  static let trials: [Trial] = [
    // A type from above, in code; from below; in a comment; a private one; an imported one; of another module; a
    // message's fields; one of two homes; a folder without a row; a row without a folder; one of no folder, from a
    // folder and the other way round; a member from above; from below; a private one; one with a namesake; a type that
    // begins with an underscore.
    ([("Low/A.swift", "struct A { var b: B }"), ("High/B.swift", "struct B {}")], 1),
    ([("Low/A.swift", "struct A {}"), ("High/B.swift", "struct B { var a: A }")], 0),
    ([("Low/A.swift", "struct A { // B\n  let text = \"B\"\n}"), ("High/B.swift", "struct B {}")], 0),
    ([("Low/A.swift", "struct A { var b: B }"), ("High/B.swift", "private struct B {}")], 0),
    ([("Low/A.swift", "import B\nstruct A {}"), ("High/B.swift", "public import struct B.C")], 0),
    ([("Low/A.swift", "struct A { var b: MartletOther.B }"), ("High/B.swift", "struct B {}")], 0),
    ([("Low/A.swift", "struct A { let b = Fields.B.number }"), ("High/B.swift", "struct B {}")], 0),
    ([("Low/A.swift", "struct A { var b: B }\nstruct B {}"), ("High/B.swift", "struct B {}")], 0),
    ([("Low/A.swift", "struct A {}"), ("High/B.swift", "struct B {}"), ("Other/C.swift", "struct C {}")], 1),
    ([("Low/A.swift", "struct A {}")], 1),
    ([("Low/A.swift", "struct A { var b: B }"), ("High/C.swift", "struct C {}"), ("B.swift", "struct B {}")], 1),
    ([("Low/A.swift", "struct A {}"), ("High/C.swift", "struct C {}"), ("B.swift", "struct B { var a: A }")], 0),
    ([("Low/A.swift", "struct A { var b = a.most }"), ("High/B.swift", "extension A {\n  var most: Int { 1 }\n}")], 1),
    ([("Low/A.swift", "extension A {\n  var most: Int { 1 }\n}"), ("High/B.swift", "struct B { var b = a.most }")], 0),
    ([("Low/A.swift", "let b = a.most"), ("High/B.swift", "extension A {\n  private var most: Int { 1 }\n}")], 0),
    (
      [
        ("Low/A.swift", "struct A { var b = a.most }\nstruct C { var most = 1 }"),
        ("High/B.swift", "extension A {\n  var most: Int { 1 }\n}"),
      ], 0
    ),
    ([("Low/A.swift", "struct A { var b: _B }"), ("High/B.swift", "public struct _B {}")], 1),
  ]

  @Test(arguments: trials)
  func `what points upwards is found`(files: [(name: String, text: String)], count: Int) throws {
    let ladder = try #require(FolderLadder.read(Self.page).first)
    #expect(ladder.folders == ["Low", "High"])
    #expect(ladder.complaints(files.map { ("Sources/MartletThing/\($0.name)", $0.text) }).count == count)
  }
}
