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
    ("let h2 = Row.where { $0.at < #bind(Date()) }", "beside an operator"),
    ("let h3 = Row.where { #bind(Date(timeIntervalSince1970: 0)) > $0.at }", "beside an operator"),
    ("let h4 = Row.where { $0.priority.in([#bind(.high)]) }", "list"),
    ("let h5 = Row.where { $0.kind.gt(.note(\"x\")) }", "no order"),
    ("let h6 = Row.select { $0.o.map { #sql(\"sum(\\($0))\") } }", "of many"),
    ("let h7 = Row.where { row in Row.where { $0.n.eq(row.n) }.exists() }", "name of its own"),
    ("let h8 = Row.select { $0.count(distinct: true) }", "counted by a query"),
    ("  Row.insert { ($0.a, $0.b) } values: { (1, #sql(\"x\"))", "() in"),
    ("let h9 = A.join(B.select { ($0.x, $0.y) }) { $0.id.eq($1.id) }", "behind the joins"),
    ("let i1 = A.join(B.join(C.all) { $0.id.eq($1.id) }) { $0.id.eq($1.id) }", "joinPairs"),
    ("  var query: QueryFragment { \"SELECT 1\" }", "statementFragment"),
    ("let i2 = Row.TableColumns.writableColumns", "allColumns"),
    ("  let title: String = row[\"title\"]", "'try'"),
    ("  try database.writeInTransaction { _ in .commit }", "compiler says"),
    ("struct Player: FetchableRecord {}", "statements here"),
    ("  try player.insert(db)", "record's method"),
    ("  observation.start(in: q, scheduling: .immediate, onError: { _ in }, onChange: { _ in })", "main actor"),
    ("  try db.inTransaction(.deferred) { .commit }", "immediately"),
    ("  t.belongsTo(\"team\")", "inTable"),
    ("  migrator.eraseDatabaseOnSchemaChange = true", "this process"),
    ("  let key = try db.primaryKey(\"items\")", "names of the key"),
    ("  migrator.registerMigration(\"v2\", merging: [\"v1\"]) { _, _ in }", "released"),
    ("import SQLiteData", "import Martlet"),
    ("  static let all = Self.where { !$0.isDeleted }", "default scope"),
    ("  static let tableName = \"rows\"", "defaultScope"),
    ("  @Column(as: Date.UnixTimeRepresentation.self) var at: Date", "documents"),
    ("  @FetchOne var row = Row(id: 1)", "key"),
    ("let i = Row.where(\\.x).delete().limit(1)", "deletes"),
    ("let i3 = a.union(all: true, Row.select(\\.id).order { $0.id.desc() }.limit(2))", "last query"),
    ("let j = Row.all.asSelect", "method"),
    ("var n: some SelectStatement<Row, Other, (A, B)> { Row.all }", "parameter"),
    ("var o: some SelectStatement<Row> { Row.all }", nil),
    ("let k = Row.where { $0.id.eq(1) }.order(by: \\.id).limit(2)", nil),
    ("let k2 = a.union(Row.select(\\.id)).order(byColumn: 1).limit(2)", nil),
    ("let l = Row.insert { Row(id: 1) }", nil),
    ("let m = rows.allSatisfy { $0.isEmpty }", nil),
    ("let p = Row.where { $0.id < 3 }.select { $0.title.map { $0.upper() } }", nil),
    ("let q = Row.where { $0.listID.in(List.where(\\.isOpen).select(\\.id)) }", nil),
    ("  try Row.insert { Row(id: 1) }.execute(db)", nil),
    ("let r = Row.join(Other.all) { $0.id.eq($1.id) }.select { ($0.a, $1.b) }", nil),
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
