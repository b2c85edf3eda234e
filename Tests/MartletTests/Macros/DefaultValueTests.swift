/// What `createTable` makes of the values that properties begin with.
///
/// Always true: a row that leaves a column out, and one that is inserted as the Swift type has it, hold the same.
import Foundation
import Martlet
import MartletValues
import Testing

@Suite struct DefaultValueTests {
  @Table nonisolated struct Setting: Identifiable, Equatable {
    let id: Int
    var title = ""
    var quote = "it's \"so\"\n"
    var isOn = true
    var count = 3
    var offset = -2
    var ratio = -1.5
    var small: UInt8 = 0x1F
    var limit: Int? = 5
    var code: Code = "ab"
    @Column("renamed") var other = 1_000
    // What is computed, looked up or a group is the program's business.
    var at = Date(timeIntervalSince1970: 0)
    var name = "a" + "b"
    var greeting = "\(Setting.answer)"
    var level = Level.high
    var chosen: Int = if Setting.answer > 1 { 1 } else { 2 }
    var word: String? =
      switch Setting.answer {
      case 42: "yes"
      default: nil
      }
    var missing: String? = nil
    var place: Place = Place(x: 7)
    @Column(as: [String].JSONRepresentation.self) var words: [String] = []
    @Column(generated: .virtual) var sum: Int = 0

    static let answer = 42
    enum Level: Int, QueryBindable { case low, high }
    @Selection nonisolated struct Place: Equatable { @Column("x") var x = 1 }
  }

  @Table nonisolated struct Named { @Column(primaryKey: true) var name = "x" }

  /// Stored in upper case.
  nonisolated struct Code: QueryBindable, ExpressibleByStringLiteral, Equatable {
    var text: String
    init(stringLiteral text: String) { self.text = text }
    init(decoder: inout some QueryDecoder) throws { text = try String(decoder: &decoder).lowercased() }
    var queryBinding: QueryBinding { .text(text.uppercased()) }
  }

  @Test func `texts, numbers and truth values are defaults, in the column's representation`() {
    same(
      Setting.createTable { $0.sum.generated { $0.count + $0.offset } }.sql,
      """
      CREATE TABLE "settings" (
        "id" INTEGER PRIMARY KEY,
        "title" TEXT NOT NULL DEFAULT '',
        "quote" TEXT NOT NULL DEFAULT 'it''s "so"
      ',
        "isOn" INTEGER NOT NULL DEFAULT 1,
        "count" INTEGER NOT NULL DEFAULT 3,
        "offset" INTEGER NOT NULL DEFAULT -2,
        "ratio" REAL NOT NULL DEFAULT -1.5,
        "small" INTEGER NOT NULL DEFAULT 31,
        "limit" INTEGER DEFAULT 5,
        "code" TEXT NOT NULL DEFAULT 'AB',
        "renamed" INTEGER NOT NULL DEFAULT 1000,
        "at" TEXT NOT NULL,
        "name" TEXT NOT NULL,
        "greeting" TEXT NOT NULL,
        "level" INTEGER NOT NULL,
        "chosen" INTEGER NOT NULL,
        "word" TEXT,
        "missing" TEXT,
        "x" INTEGER NOT NULL,
        "words" TEXT NOT NULL,
        "sum" INTEGER NOT NULL GENERATED ALWAYS AS (("count") + ("offset")) VIRTUAL
      ) STRICT
      """)
    same(
      Named.createTable().sql,
      """
      CREATE TABLE "nameds" (
        "name" TEXT PRIMARY KEY NOT NULL
      ) STRICT
      """)
  }

  @Table nonisolated struct Task: Identifiable, Equatable {
    let id: Int
    var title = ""
    var isDone = false
    var weight = 1.5
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a row of defaults is what the type begins with`(home: DatabaseHome) throws {
    try home.empty().write { db in
      try Task.createTable().execute(db)
      try Task.insert {
        ($0.title)
      } values: {
        ("only a title")
      }.execute(db)
      try Task.insert { Task.Draft(title: "only a title") }.execute(db)
      let rows = try Task.order(by: \.id).fetchAll(db)
      same(rows, [Task(id: 1, title: "only a title"), Task(id: 2, title: "only a title")])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the declaration changes a default, or takes it away`(home: DatabaseHome) throws {
    let table = Task.createTable { t in
      t.title.default("untitled")
      t.isDone.withoutDefault()
      t.weight.withoutDefault().default(2)
    }
    same(
      table.sql,
      """
      CREATE TABLE "tasks" (
        "id" INTEGER PRIMARY KEY,
        "title" TEXT NOT NULL DEFAULT 'untitled',
        "isDone" INTEGER NOT NULL,
        "weight" REAL NOT NULL DEFAULT 2.0
      ) STRICT
      """)
    try home.empty().write { db in
      try table.execute(db)
      // In a savepoint, because a server's answer to a statement that nobody looks at comes later otherwise.
      let error = #expect(throws: RequestError.self) {
        try db.inSavepoint {
          try Task.insert {
            ($0.title)
          } values: {
            ("x")
          }.execute(db)
        }
      }
      #expect(error?.column == "isDone")
      try Task.insert {
        ($0.isDone)
      } values: {
        (true)
      }.execute(db)
      same(try Task.find(db, key: 1), Task(id: 1, title: "untitled", isDone: true, weight: 2))
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a column that is added begins as its property does`(home: DatabaseHome) throws {
    try home.open("CREATE TABLE tasks (id INTEGER PRIMARY KEY) STRICT; INSERT INTO tasks VALUES (1)").write { db in
      same(
        Task.alterTable.addColumn(\.isDone).sql,
        #"ALTER TABLE "tasks" ADD COLUMN "isDone" INTEGER NOT NULL DEFAULT 0"#)
      try Task.alterTable.addColumn(\.title).execute(db)
      try Task.alterTable.addColumn(\.isDone).execute(db)
      try Task.alterTable.addColumn(\.weight).execute(db)
      same(try Task.all.fetchAll(db), [Task(id: 1)])
    }
  }
}
