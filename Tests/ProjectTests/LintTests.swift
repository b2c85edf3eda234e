/// The lint is a test: it reads the project's own files, and each rule is shown a line that it must refuse.
import Testing

@Suite(.serialized) struct LintTests {
  @Test(arguments: LintRules.all.map(\.name))
  func `the project keeps its rules`(name: String) throws {
    let rule = try #require(LintRules.all.first { $0.name == name })
    let complaints = rule.complaints(ProjectFiles.all)
    #expect(complaints.isEmpty, "\(name):\n\(complaints.joined(separator: "\n"))")
  }

  @Test func `the lint sees the project`() {
    #expect(ProjectFiles.sources.count > 40)
    #expect(ProjectFiles.markdown.contains { $0.path == "README.md" })
    #expect(!ProjectFiles.all.contains { $0.path.contains(".build/") })
  }

  @Test(arguments: BadFiles.projects.indices)
  func `each rule about many files refuses bad ones`(index: Int) throws {
    let rule = try #require(LintRules.all.first { $0.name == BadFiles.projects[index].rule })
    #expect(!rule.complaints(BadFiles.projects[index].files).isEmpty)
  }

  @Test(arguments: BadFiles.all.indices)
  func `each rule refuses a bad file`(index: Int) throws {
    let (name, path, lines) = BadFiles.all[index]
    let rule = try #require(LintRules.all.first { $0.name == name })
    #expect(!rule.complaints([ProjectFiles.File(path: path, lines: lines)]).isEmpty)
  }

  @Test(arguments: [
    ("Sources/MartletQuery/A.swift", ["public struct A {}"]),
    ("Sources/MartletEngine/A.swift", ["package struct A {}"]),
    ("Sources/MartletSQLite/A.swift", ["public struct A {", "  @inlinable public var b: Int { 1 }", "}"]),
  ])
  func `what programs can import is public, and what other modules inline`(path: String, lines: [String]) {
    #expect(PublicModules.rule.complaints([ProjectFiles.File(path: path, lines: lines)]).isEmpty)
  }

  @Test func `each rule has a bad file`() {
    #expect(Set(BadFiles.all.map(\.rule) + BadFiles.projects.map(\.rule)) == Set(LintRules.all.map(\.name)))
  }

  @Test(arguments: [
    ("Sources/A/Table.swift", "public struct Table {", true), ("Sources/A/Table.swift", "extension Table {", true),
    ("Sources/A/Table+Rows.swift", "extension Table {", true), ("Sources/A/Table+Rows.swift", "extension Tab {", false),
    ("Sources/A/Rows.swift", "extension Table {", false), ("Sources/A/Rows.swift", "  enum Rows {", true),
    ("Sources/A/Rows.swift", "@Suite(.serialized) final class Rows: Base {", true),
  ])
  func `a file's name is a type of it or an extension of one`(path: String, line: String, isNamed: Bool) {
    #expect(FileNames.isNamedForItsType(ProjectFiles.File(path: path, lines: [line])) == isNamed)
  }

  @Test func `a folder or a namesake that the rule of mirrored tests leaves out is there`() {
    #expect(MirroredTests.idle(ProjectFiles.all) == [])
    #expect(MirroredTests.idle([]).count == MirroredTests.others.flatMap(\.folders).count + 1)
  }

  @Test(arguments: [
    ["Sources/MartletWire/Frames/Deep/Cutter.swift", "Tests/MartletWireTests/Frames/Deep/CutterTests.swift"],
    ["Sources/MartletWire/Frames/Deep/Cutter.swift", "Tests/MartletWireTests/Frames/EdgeTests.swift"],
    ["Sources/MartletServer/Loops/Shard.swift", "Tests/MartletServerTests/Live/Storms/StormTests.swift"],
    ["Sources/SQLite/Rows/Row.swift", "Tests/SQLiteTests/Programs/ShopTests.swift"],
  ])
  func `a suite stands with its file, and one without a subject in a folder of its module`(paths: [String]) {
    #expect(MirroredTests.rule.complaints(paths.map { ProjectFiles.File(path: $0, lines: []) }) == [])
  }

  @Test func `a function is measured to its closing brace`() {
    let lines = ["struct A {", "  func f() {", "    if x {", "    }", "  }", "", "  init() {}", "}"]
    #expect(FunctionScanner.functions(in: lines) == [.init(line: 2, length: 4), .init(line: 7, length: 1)])
    let asked = ["  protocol A {", "    init(id: Int)", "  }", "", "  func f() {", "    x()", "  }"]
    #expect(FunctionScanner.functions(in: asked) == [.init(line: 5, length: 3)])
  }
}
