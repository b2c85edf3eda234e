/// The order in which an import fills tables, and what virtual tables say of their rows.
import MartletAST
import MartletSQLite
import MartletTestSupport
import Testing

@testable import MartletCommand

struct DatabaseSchemaTests {
  @Test(
    arguments: [
      ([("a", ["b"]), ("b", []), ("c", ["a"])], ["b", "a", "c"], []),
      ([("a", ["a"]), ("b", [])], ["a", "b"], ["a"]),
      ([("a", ["b"]), ("b", ["a"]), ("c", [])], ["c", "a", "b"], ["a", "b"]),
      ([("a", ["A"]), ("b", ["missing"])], ["a", "b"], ["a"]),
      ([("c", ["B"]), ("b", ["a"]), ("a", [])], ["a", "b", "c"], []),
      ([], [], []),
    ] as [([(String, [String])], [String], [String])])
  func `parents are filled before their children`(
    tables: [(name: String, parents: [String])], order: [String], cyclic: [String]
  ) {
    let list = tables.map { DatabaseSchema.Table(name: $0.name, sql: "", parents: $0.parents) }
    let fill = FillOrder(list)
    #expect(fill.positions.map { list[$0].name } == order)
    #expect(Set(fill.cyclic.map { list[$0].name }) == Set(cyclic))
  }

  @Test func `what is made of other tables' rows is filled last`() {
    let tables = [
      DatabaseSchema.Table(name: "search", kind: .virtual, sql: ""), DatabaseSchema.Table(name: "items", sql: ""),
    ]
    #expect(FillOrder(tables).positions == [1, 0])
  }

  @Test(arguments: [
    ("CREATE VIRTUAL TABLE t USING fts5(a, b)", "fts5", DatabaseSchema.Fill.copied),
    ("create virtual table t using FTS5 (a, content='')", "fts5", .impossible(reason: "")),
    ("CREATE VIRTUAL TABLE t USING fts5(a, content=\"items\", content_rowid=id)", "fts5", .rebuilt),
    ("CREATE VIRTUAL TABLE t\nUSING rtree(id, x0, x1)", "rtree", .copied),
    ("CREATE VIRTUAL TABLE t USING fts5vocab(search, 'row')", "fts5vocab", .derived),
    ("CREATE VIRTUAL TABLE t USING fts4aux(search)", "fts4aux", .derived),
  ])
  func `a virtual table says how its rows are copied`(sql: String, module: String, fill: DatabaseSchema.Fill) {
    let declaration = VirtualTableDeclaration(sql: sql)
    #expect(declaration.module == module)
    switch (declaration.fill, fill) {
    case (.impossible, .impossible): break
    default: #expect(declaration.fill == fill)
    }
  }

  @Test func `a schema is read with the columns that take values and the name of a hidden rowid`() async throws {
    let folder = try TemporaryFolder()
    let file = try LocalFile(making: folder.path + "/a.sqlite")
    for sql in [
      "CREATE TABLE plain(a, \"b c\" TEXT)", "CREATE TABLE keyed(id INTEGER PRIMARY KEY, x)",
      "CREATE TABLE descending(id INTEGER PRIMARY KEY DESC, x)", "CREATE TABLE taken(rowid, _rowid_ TEXT)",
      "CREATE TABLE made(a, b AS (a + 1) STORED, c AS (a + 2))", "CREATE TABLE bare(k TEXT PRIMARY KEY) WITHOUT ROWID",
      "CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT)",
      "CREATE TABLE child(p REFERENCES keyed, q REFERENCES plain(a), r REFERENCES keyed(id))",
      "CREATE VIRTUAL TABLE search USING fts5(a, b)", "CREATE UNIQUE INDEX u ON plain(a)", "CREATE VIEW v AS SELECT 1",
    ] {
      try file.execute(sql: sql)
    }
    let schema = try await SchemaReader(source: file).read()
    let byName = Dictionary(uniqueKeysWithValues: schema.tables.map { ($0.name, $0) })
    #expect(
      schema.tables.map(\.name)
        == ["plain", "keyed", "descending", "taken", "made", "bare", "counted", "child", "search"])
    #expect(byName["plain"]?.columns == ["a", "b c"])
    #expect(byName["plain"]?.rowIDName == "rowid")
    #expect(byName["keyed"]?.rowIDName == nil)
    #expect(byName["descending"]?.rowIDName == "rowid")
    #expect(byName["taken"]?.rowIDName == "oid")
    #expect(byName["made"]?.columns == ["a"])
    #expect(byName["bare"]?.kind == .withoutRowID)
    #expect(byName["bare"]?.rowIDName == nil)
    #expect(byName["child"].map { Set($0.parents) } == ["keyed", "plain"])
    #expect(byName["search"]?.kind == .virtual)
    #expect(byName["search"]?.columns == ["a", "b"])
    #expect(byName["search"]?.rowIDName == "rowid")
    #expect(schema.objects.map(\.name) == ["u", "v"])
    #expect(schema.objects.first?.isUniqueIndex == true)
    #expect(schema.hasSequence)
  }

  @Test func `the schema of a file with views that double is read at once`() async throws {
    let folder = try TemporaryFolder()
    let file = try LocalFile(making: folder.path + "/a.sqlite")
    try file.execute(sql: "CREATE TABLE t(a PRIMARY KEY) WITHOUT ROWID")
    try file.execute(sql: "CREATE VIEW v0 AS SELECT a FROM t")
    // SQLite's own list of tables compiles each of them, which would take longer than anybody lives.
    for level in 1...60 {
      try file.execute(sql: "CREATE VIEW v\(level) AS SELECT l.a FROM v\(level - 1) AS l, v\(level - 1) AS r")
    }
    try file.execute(sql: "CREATE VIRTUAL TABLE \"Full text\" USING fts4(a)")
    let schema = try await SchemaReader(source: file).read()
    #expect(schema.tables.map(\.name) == ["t", "Full text"] && schema.objects.count == 61)
    #expect(schema.tables.map(\.kind) == [.withoutRowID, .virtual])
  }
}
