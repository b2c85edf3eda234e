/// `scripts/porting` finds the places of a program that docs/PORTING.md speaks of.
import Foundation
import MartletTestSupport
import Testing

@Suite struct PortingScriptTests {
  /// What a program may say, and a word of what is said of it; nil: nothing.
  private static let lines: [(source: String, word: String?)] = [
    ("let a = Row.none.count()", "'none'"),
    ("let b = Row.where(\\.x).or(Row.all)", "'or'"),
    ("let c = Row.select { $0.value.flatMap { $0.sum() } }", "aggregate"),
    ("let d = Row.select { $0.a / $0.b }", "division"),
    ("let e = Text.select { $0.title.highlight(\"<\", \">\") }", "database counts"),
    ("let f = Text.where { $0.match(\"don't\") }", "phrase"),
    ("let g = A.join(B.all) { $0.id.eq($1.id) }.as(Other.self)", "joined"),
    ("let h = Row.where { $0.priority > #bind(.high) }", "Priority.high"),
    ("  static let all = Self.where { !$0.isDeleted }", "default scope"),
    ("  static let tableName = \"rows\"", "defaultScope"),
    ("  @Column(as: Date.UnixTimeRepresentation.self) var at: Date", "documents"),
    ("  @FetchOne var row = Row(id: 1)", "key"),
    ("let i = Row.where(\\.x).delete().limit(1)", "deletes"),
    ("let j = Row.all.asSelect", "method"),
    ("var n: some SelectStatement<Row, Other, (A, B)> { Row.all }", "parameter"),
    ("var o: some SelectStatement<Row> { Row.all }", nil),
    ("let k = Row.where { $0.id.eq(1) }.order(by: \\.id).limit(2)", nil),
    ("let l = Row.insert { Row(id: 1) }", nil),
    ("let m = rows.allSatisfy { $0.isEmpty }", nil),
  ]

  private func run(_ folder: String) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = ProjectFiles.root.appending(path: "scripts/porting")
    process.arguments = [folder]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `the places of a program that differ are found`() throws {
    let folder = try TemporaryFolder()
    let source = Self.lines.map(\.source).joined(separator: "\n")
    try Data(source.utf8).write(to: URL(filePath: folder.path + "/Program.swift"))
    let found = try run(folder.path)
    for (number, line) in Self.lines.enumerated() {
      let place = found.filter { $0.contains("Program.swift:\(number + 1):") }
      if let word = line.word {
        #expect(place.contains { $0.contains(word) }, "\(line.source): \(place)")
      } else {
        #expect(place == [], "\(line.source)")
      }
    }
    #expect(found.last?.contains("docs/PORTING.md") == true)
  }
}
