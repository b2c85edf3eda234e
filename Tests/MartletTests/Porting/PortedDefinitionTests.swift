/// Tables as migrations of GRDB define them: those that were released stay as they are.
import Foundation
import Martlet
import MartletValues
import Testing

@Suite struct PortedDefinitionTests {
  @Test(arguments: SeedHome.allCases)
  func `a migration of GRDB makes the tables that it made there`(_ home: SeedHome) throws {
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
      same(try db.tableExists("one"), false)
      try db.create(table: "one", options: .temporary) { $0.column("x").primaryKey() }
      same(try db.tableExists("one"), true)
      try db.create(table: "one", options: [.temporary, .ifNotExists]) { $0.column("y") }
    }
  }
}
