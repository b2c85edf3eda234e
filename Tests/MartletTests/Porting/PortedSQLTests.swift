/// What programs of GRDB do with a database: SQL with arguments, rows without a type, the schema, callbacks.
import Foundation
import Martlet
import MartletTestSupport
import MartletValues
import Observation
import Testing

@Suite struct PortedSQLTests {
  typealias Tag = Port.Tag

  @Test(arguments: DatabaseHome.allCases)
  func `arguments stand in the order of the parameters or under their names`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      try db.execute(sql: "INSERT INTO tags VALUES (:id, @title)", arguments: ["title": "':id'", "id": 7])
      same(try String.fetchOne(db, sql: "SELECT title FROM tags WHERE id = ?", arguments: [7]), "':id'")
      same(
        try String.fetchAll(
          db, sql: "SELECT $a || ':b' || :b || $a -- :c\nWHERE :b <> ''", arguments: ["b": "x", "a": "y"]), ["y:bxy"])
      // To SQLite these are three parameters.
      same(try String.fetchOne(db, sql: "SELECT :a || @a || $a || :a", arguments: ["a": "x"]), "xxxx")
      same(try Int?.fetchAll(db, sql: "SELECT :n", arguments: ["n": nil]), [nil])
      let names: [String: (any QueryBindable)?] = ["title": "home"]
      same(try Int.fetchSet(db, sql: "SELECT id FROM tags WHERE title = :title", arguments: .init(names)), [2])
      let values: [any QueryBindable] = [1, "car"]
      same(
        try Int.fetchOne(db, sql: "SELECT count(*) FROM tags WHERE id = ? AND title = ?", arguments: .init(values)), 1)
      for (sql, arguments) in [
        ("SELECT :a", ["b": 1]), ("SELECT :a", [:]), ("SELECT :a", ["a": 1, "b": 2]), ("SELECT ? + :a", ["a": 1]),
      ] as [(String, StatementArguments)] {
        #expect(throws: (any Error).self, "\(sql)") { try Row.fetchAll(db, sql: sql, arguments: arguments) }
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a parameter without an argument is refused, if there are none at all too`(_ home: DatabaseHome) throws {
    let database = try home.open(Port.script)
    for arguments in [[], [:]] as [StatementArguments] {
      #expect(throws: (any Error).self) {
        try database.write { db in try db.execute(sql: "DELETE FROM tags WHERE id <> :id", arguments: arguments) }
      }
      #expect(throws: (any Error).self) {
        try database.write { db in
          try db.execute(sql: "UPDATE tags SET title = coalesce(?, 'none')", arguments: arguments)
        }
      }
    }
    try database.write { db in
      try db.execute(sql: "INSERT INTO tags (title) VALUES ('new')", arguments: [])
      same(try String.fetchAll(db, sql: "SELECT title FROM tags ORDER BY id"), ["car", "home", "new"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `columns of a row are asked for by name and by place`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT id, title, priority AS \"rank\" FROM reminders WHERE listID = ? ORDER BY id", arguments: [1])
      same(rows.map(\.columnNames), [["id", "title", "rank"], ["id", "title", "rank"]])
      var found: [String] = []
      for row in rows {
        let title: String = try row["title"]
        let rank: Port.Priority? = try row["RANK"]
        found.append("\(try row[0] as Int) \(title) \(rank.map { "\($0)" } ?? "-") \(row.count)")
      }
      same(found, ["1 Milk high 3", "2 Bread - 3"])
      let first = try #require(try Row.fetchOne(db, sql: "SELECT 'x' AS a, 2 AS b"))
      #expect(first.hasColumn("A") && !first.hasColumn("c"))
      let wrong: [(String, () throws -> Any)] = [
        ("\"a\"", { try first["a"] as Int }), ("called c", { try first["c"] as Int }),
        ("column", { try first[2] as Int }),
        ("\"b\"", { try first["b"] as [UInt8] }),
      ]
      for (word, get) in wrong {
        let error = #expect(throws: QueryDecodingError.self) { _ = try get() }
        #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
      }
      #expect(throws: QueryDecodingError.self) { let _: Int = try rows[1]["rank"] }
      same(try Row.fetchOne(db, sql: "SELECT 1 WHERE 0").map(\.count), nil)
      let cursor = try Row.fetchCursor(db, sql: "SELECT title FROM tags ORDER BY id")
      same(try cursor.map { try $0[0] as String }, ["car", "home"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `different values are a set, and the rowid has two spellings`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      same(try Port.Reminder.select(\.listID).fetchSet(db), [1, 2])
      same(try Int.fetchSet(db, sql: "SELECT listID FROM reminders"), [1, 2])
      try db.execute(sql: "INSERT INTO tags (title) VALUES ('new')")
      same(db.lastInsertedRowID, 3)
      same(db.lastInsertRowID, 3)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a database tells its schema`(_ home: DatabaseHome) throws {
    let script = """
      CREATE TABLE "parents" ("a" TEXT NOT NULL, "b" INTEGER NOT NULL, "c" REAL DEFAULT 1.5, PRIMARY KEY ("b", "a"));
      CREATE TABLE "children" ("id" INTEGER PRIMARY KEY, "x" INTEGER, "y" TEXT, "parent" INTEGER REFERENCES "children",
      FOREIGN KEY ("x", "y") REFERENCES "parents" ("b", "a"));
      CREATE UNIQUE INDEX "byC" ON "parents" ("c", lower("a"));
      CREATE VIEW "both" AS SELECT * FROM "parents";
      CREATE TRIGGER "cleared" AFTER DELETE ON "parents" BEGIN DELETE FROM "children"; END;
      CREATE TABLE "plain" ("x");
      """
    try home.open(script).read { db in
      same(try ["parents", "PARENTS", "both", "none", "byC"].map(db.tableExists), [true, true, false, false, false])
      same(try ["parents", "both"].map(db.viewExists), [false, true])
      same(try ["cleared", "both"].map(db.triggerExists), [true, false])
      same(try ["byC", "parents"].map(db.indexExists), [true, false])
      let columns = try db.columns(in: "parents")
      same(columns.map(\.name), ["a", "b", "c"])
      same(columns.map(\.type), ["TEXT", "INTEGER", "REAL"])
      same(columns.map(\.isNotNull), [true, true, false])
      same(columns.map(\.defaultValueSQL), [nil, nil, "1.5"])
      same(try db.columns(in: "both").map(\.name), ["a", "b", "c"])
      #expect(throws: RequestError.self) { try db.columns(in: "none") }
      same(try db.primaryKey("parents"), ["b", "a"])
      same(try db.primaryKey("children"), ["id"])
      same(try db.primaryKey("plain"), [])
      let indexes = try db.indexes(on: "parents")
      let made = indexes.filter(\.isCreated)
      same(made.map(\.name), ["byC"])
      same(made.map(\.columns), [["c", nil]])
      same(made.map(\.isUnique), [true])
      same(indexes.filter { !$0.isCreated }.map(\.columns), [["b", "a"]])
      let keys = try db.foreignKeys(on: "children")
      same(keys.map(\.destinationTable).sorted(), ["children", "parents"])
      let pair = try #require(keys.first { $0.destinationTable == "parents" })
      same(pair.originColumns, ["x", "y"])
      same(pair.destinationColumns, ["b", "a"])
      same(keys.first { $0.destinationTable == "children" }?.destinationColumns, [nil])
    }
  }

  @Test func `a transaction says how it begins, and a file is written anew`() async throws {
    let folder = try TemporaryFolder()
    let pool = try DatabasePool(path: folder.path + "/a.sqlite")
    try await pool.write { try $0.execute(sql: Port.script) }
    try await pool.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        try Tag.delete().execute(db)
        return .rollback
      }
      try db.inTransaction(.immediate) { try Tag.find(1).delete().execute(db) }
      same(try Tag.fetchCount(db), 1)
    }
    try await pool.vacuum()
    try await pool.vacuum(into: folder.path + "/b.sqlite")
    let copy = try DatabaseQueue(path: folder.path + "/b.sqlite")
    same(try await copy.read { try Tag.fetchAll($0) }, [Tag(id: 2, title: "home")])
    try copy.erase()
    same(try await copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }, 0)
  }

  @Observable @MainActor
  final class Heard {
    var counts: [Int] = []
    var others: [Int] = []
    var errors = 0
  }

  @MainActor
  @Test func `an observation calls back until it is cancelled`() async throws {
    let database = try DatabaseQueue()
    try await database.write { try $0.execute(sql: Port.script) }
    let heard = Heard()
    let observation = ValueObservation.tracking { try Tag.fetchCount($0) }
    let cancellable = observation.start(in: database) { error in
      Issue.record("\(error)")
    } onChange: {
      heard.counts.append($0)
    }
    await eventually(heard.counts) { $0 == [2] }
    try await database.write { try Tag.insert { Tag(id: 3, title: "new") }.execute($0) }
    await eventually(heard.counts) { $0 == [2, 3] }
    cancellable.cancel()
    cancellable.cancel()
    try await database.write { try Tag.delete().execute($0) }
    // Another one hears of a later commit; the cancelled one would have heard of both before.
    let other = observation.start(in: database, onError: { _ in }, onChange: { heard.others.append($0) })
    await eventually(heard.others) { $0 == [0] }
    try await database.write { try Tag.insert { Tag(id: 4, title: "last") }.execute($0) }
    await eventually(heard.others) { $0 == [0, 1] }
    same(heard.counts, [2, 3])
    other.cancel()
    // What goes wrong is told once.
    let failing = ValueObservation.tracking { try Int.fetchOne($0, sql: "SELECT x FROM nowhere") }
      .start(in: database, onError: { _ in heard.errors += 1 }, onChange: { _ in })
    await eventually(heard.errors) { $0 == 1 }
    failing.cancel()
  }
}
