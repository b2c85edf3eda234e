/// Tables as migrations of GRDB define them: those that were released stay as they are.
import Foundation
import Martlet
import MartletValues
import Testing

@Suite struct PortedDefinitionTests {
  @Test(arguments: DatabaseHome.allCases)
  func `a migration of GRDB makes the tables that it made there`(_ home: DatabaseHome) throws {
    let database = try home.empty()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create teams and players") { db in
      try db.create(table: "team") { t in
        t.primaryKey("code", .text)
        t.column("name", .text).notNull().collate(.nocase)
      }
      try db.create(table: "player", options: [.ifNotExists]) { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().unique()
        t.column("score", .integer).notNull().defaults(to: -1).indexed()
        t.column("ratio", .double).defaults(sql: "1.0 / 4").check(sql: "ratio >= 0")
        t.column("note").defaults(to: "it's")
        t.column("isBest", .boolean).generatedAs(sql: "score > 10")
        t.column("createdAt", .datetime)
        t.belongsTo("team", onDelete: .cascade)
      }
      try db.create(table: "pair", options: [.withoutRowID, .strict]) { t in
        t.column("a", .integer).notNull()
        t.column("b", .integer).notNull().references("player", column: "id", onUpdate: .restrict, deferred: true)
        t.column("c", .text)
        t.primaryKey(["a", "b"])
        t.uniqueKey(["c", "a"])
        t.check(sql: "a <> b")
        t.foreignKey(["a"], references: "player", onDelete: .setNull)
      }
      try db.create(index: "best", on: "player", columns: ["score", "name"], options: .unique, condition: "score > 10")
    }
    migrator.registerMigration("Change them") { db in
      try db.alter(table: "player") { t in
        t.add(column: "nick", .text).notNull().defaults(to: "")
        t.rename(column: "note", to: "remark")
        t.drop(column: "createdAt")
      }
      try db.create(indexOn: "player", columns: ["nick"])
      try db.drop(indexOn: "player", columns: ["score"])
      try db.rename(table: "pair", to: "pairs")
      try db.create(table: "gone") { $0.column("x") }
      try db.drop(table: "gone")
    }
    try migrator.migrate(database)
    try database.write { db in
      same(
        try db.columns(in: "player").map(\.name),
        ["id", "name", "score", "ratio", "remark", "isBest", "teamId", "nick"])
      same(
        try db.columns(in: "player").map(\.type),
        ["INTEGER", "TEXT", "INTEGER", "DOUBLE", "", "BOOLEAN", "TEXT", "TEXT"])
      same(
        try db.indexes(on: "player").filter(\.isCreated).map(\.name),
        ["best", "index_player_on_nick", "index_player_on_teamId"])
      same(try db.primaryKey("pairs"), ["a", "b"])
      same(try db.foreignKeys(on: "pairs").map(\.originColumns).sorted { $0[0] < $1[0] }, [["a"], ["b"]])
      same(try [db.tableExists("gone"), db.tableExists("pair")], [false, false])
      try db.execute(sql: "INSERT INTO team VALUES ('T', 'Team')")
      try db.execute(sql: "INSERT INTO player (name, teamId) VALUES ('A', 'T')")
      let row = try #require(try Row.fetchOne(db, sql: "SELECT score, ratio, remark, isBest, nick FROM player"))
      same(
        "\(try row[0] as Int) \(try row[1] as Double) \(try row[2] as String) \(try row[3] as Bool)",
        "-1 0.25 it's false")
      try db.execute(sql: "DELETE FROM team")
      same(try Int.fetchOne(db, sql: "SELECT count(*) FROM player"), 0)
      for wrong in ["INSERT INTO team VALUES (NULL, 'x')", "INSERT INTO pairs VALUES (1, 1, 'x')"] {
        #expect(throws: (any Error).self, "\(wrong)") { try db.inSavepoint { try db.execute(sql: wrong) } }
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a column that is added has the index that it asks for`(_ home: DatabaseHome) throws {
    try home.empty().write { db in
      try db.create(table: "player") { $0.column("name", .text) }
      try db.alter(table: "player") { t in
        t.add(column: "score", .integer).indexed()
        t.add(column: "note", .text)
        t.rename(column: "score", to: "points")
      }
      same(try db.columns(in: "player").map(\.name), ["name", "points", "note"])
      same(try db.indexes(on: "player").map(\.name), ["index_player_on_score"])
      same(try db.indexes(on: "player").map(\.columns), [["points"]])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows of a table belong to others of it`(_ home: DatabaseHome) throws {
    try home.empty().write { db in
      // The key may stand behind what points to it.
      try db.create(table: "folder") { t in
        t.belongsTo("parent", inTable: "Folder", onDelete: .cascade)
        t.primaryKey("code", .text)
      }
      same(try db.columns(in: "folder").map(\.name), ["parentId", "code"])
      same(try db.columns(in: "folder").map(\.type), ["TEXT", "TEXT"])
      same(try db.indexes(on: "folder").filter(\.isCreated).map(\.name), ["index_folder_on_parentId"])
      try db.execute(
        sql: "INSERT INTO folder VALUES (NULL, 'a'), ('a', 'b'), ('b', 'c'); DELETE FROM folder WHERE code = 'a'")
      same(try Int.fetchOne(db, sql: "SELECT count(*) FROM folder"), 0)
      try db.create(table: "step") { t in
        t.column("hash", .blob)
        t.belongsTo("step")
        t.primaryKey(["hash"])
      }
      same(try db.columns(in: "step").map(\.type), ["BLOB", "BLOB"])
      try db.create(table: "plain") { $0.belongsTo("plain") }
      same(try db.columns(in: "plain").map(\.type), ["INTEGER"])
    }
  }

  @Test func `a default that cannot be bound is refused before anything is made`() throws {
    let tooMuch = UInt64.max
    let database = try DatabaseQueue()
    try database.write { db in
      #expect(throws: QueryBindingFailure.self) {
        try db.create(table: "player") { $0.column("score", .integer).defaults(to: tooMuch) }
      }
      same(try db.tableExists("player"), false)
      try db.create(table: "player") { $0.column("name", .text).defaults(to: String?.none) }
      #expect(throws: QueryBindingFailure.self) {
        try db.alter(table: "player") { t in
          t.add(column: "note", .text)
          t.add(column: "score", .integer).defaults(to: tooMuch)
        }
      }
      same(try db.columns(in: "player").map(\.name), ["name"])
      same(try db.columns(in: "player").map(\.defaultValueSQL), ["NULL"])
    }
  }

  @Test func `what cannot be made is refused before anything is`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.create(table: "pair") { t in
        t.column("a", .integer)
        t.column("b", .integer)
        t.primaryKey(["a", "b"])
      }
      #expect(throws: RequestError.self) { try db.create(table: "one") { $0.belongsTo("nobody") } }
      #expect(throws: RequestError.self) { try db.create(table: "one") { $0.belongsTo("pair") } }
      #expect(throws: RequestError.self) {
        try db.create(table: "one") { t in
          t.column("a", .integer)
          t.column("b", .integer)
          t.primaryKey(["a", "b"])
          t.belongsTo("one")
        }
      }
      same(try db.tableExists("one"), false)
      try db.create(table: "one", options: .temporary) { $0.column("x").primaryKey() }
      same(try db.tableExists("one"), true)
      try db.create(table: "one", options: [.temporary, .ifNotExists]) { $0.column("y") }
    }
  }
}
