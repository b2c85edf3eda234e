/// Migrations of a database that a program of GRDB was on before.
import Foundation
import Martlet
import MartletTestSupport
import MartletValues
import Testing

@Suite struct PortedMigrationTests {
  /// What GRDB leaves: its record of migrations, which is a table of this form, and what they made.
  private static let script = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('Create tags'), ('Fill tags');
    CREATE TABLE "tags" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL);
    INSERT INTO "tags" VALUES (1, 'car');
    """

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create tags") { db in
      try db.execute(sql: "CREATE TABLE \"tags\" (\"id\" INTEGER PRIMARY KEY, \"title\" TEXT NOT NULL)")
    }
    migrator.registerMigration("Fill tags") { try $0.execute(sql: "INSERT INTO tags (title) VALUES ('car')") }
    migrator.registerMigration("Add home", foreignKeyChecks: .immediate) {
      try $0.execute(sql: "INSERT INTO tags (title) VALUES ('home')")
    }
    return migrator
  }

  private func titles(_ database: any DatabaseReader) throws -> [String] {
    try database.read { try String.fetchAll($0, sql: "SELECT title FROM tags ORDER BY id") }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a migration that GRDB ran is not run again`(_ home: DatabaseHome) throws {
    let database = try home.open(Self.script)
    let migrator = Self.migrator
    try database.read { db in
      same(try migrator.appliedIdentifiers(db), ["Create tags", "Fill tags"])
      same(try migrator.completedMigrations(db), ["Create tags", "Fill tags"])
      same(try migrator.hasCompletedMigrations(db), false)
    }
    try migrator.migrate(database)
    same(try titles(database), ["car", "home"])
    try migrator.migrate(database)
    same(try titles(database), ["car", "home"])
    // A program of before, which knows GRDB's table only, runs nothing twice either.
    try database.read { db in
      same(
        try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid"),
        ["Create tags", "Fill tags", "Add home"])
      same(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE name = 'martlet_migrations'"), 0)
      same(try migrator.hasCompletedMigrations(db), true)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `what either record names has run`(_ home: DatabaseHome) throws {
    let database = try home.empty()
    var first = DatabaseMigrator()
    first.registerMigration("Create tags") { db in
      try db.execute(sql: "CREATE TABLE \"tags\" (\"id\" INTEGER PRIMARY KEY, \"title\" TEXT NOT NULL)")
    }
    try first.migrate(database)
    try database.write { db in
      try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('Fill tags')")
    }
    try Self.migrator.migrate(database)
    same(try titles(database), ["home"])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `migrations are applied, and completed up to the first that is not`(_ home: DatabaseHome) throws {
    let database = try home.open(
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      INSERT INTO grdb_migrations VALUES ('Add home'), ('Create tags'), ('Of another program');
      """)
    try database.read { db in
      same(try Self.migrator.appliedMigrations(db), ["Create tags", "Add home"])
      same(try Self.migrator.completedMigrations(db), ["Create tags"])
      same(try Self.migrator.appliedIdentifiers(db), ["Add home", "Create tags", "Of another program"])
    }
  }

  @Test func `a file is gone on with where GRDB left it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/shop.sqlite"
    do {
      let queue = try DatabaseQueue(path: path)
      try queue.write { try $0.execute(sql: Self.script) }
      queue.close()
    }
    for _ in 0..<2 {
      let pool = try DatabasePool(path: path)
      try Self.migrator.migrate(pool)
      same(try titles(pool), ["car", "home"])
      pool.close()
    }
  }

  @Test func `a database whose schema is another one is erased where that is wished`() throws {
    let database = try DatabaseQueue()
    var migrator = Self.migrator
    migrator.registerMigration("Search") { db in
      try db.execute(
        sql: """
          CREATE TABLE parents (id INTEGER PRIMARY KEY); INSERT INTO parents VALUES (1);
          CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents);
          INSERT INTO children VALUES (1, 1);
          CREATE VIRTUAL TABLE texts USING fts5(title); INSERT INTO texts VALUES ('car');
          CREATE VIEW titles AS SELECT title FROM tags;
          CREATE TRIGGER noted AFTER INSERT ON tags BEGIN INSERT INTO texts VALUES (new.title); END;
          """)
    }
    try migrator.migrate(database)
    migrator.eraseDatabaseOnSchemaChange = true
    try database.write { try $0.execute(sql: "INSERT INTO tags (title) VALUES ('kept')") }
    // The schema does not differ.
    try migrator.migrate(database)
    same(try titles(database), ["car", "home", "kept"])
    // One more migration at the end is no difference either.
    migrator.registerMigration("More") { try $0.execute(sql: "CREATE TABLE more (x)") }
    try migrator.migrate(database)
    same(try titles(database), ["car", "home", "kept"])
    // A migration that was rewritten is.
    try database.write { try $0.execute(sql: "ALTER TABLE tags ADD COLUMN color TEXT") }
    try migrator.migrate(database)
    same(try titles(database), ["car", "home"])
    same(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM children") }, 1)
    // So is one that is not registered any more.
    try database.write { try $0.execute(sql: "INSERT INTO tags (title) VALUES ('lost')") }
    var fewer = Self.migrator
    fewer.eraseDatabaseOnSchemaChange = true
    try fewer.migrate(database)
    same(try titles(database), ["car", "home"])
    same(
      try database.read {
        try String.fetchAll(
          $0, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
      }, ["martlet_migrations", "tags"])
    let remote = try DatabaseHome.server.empty()
    #expect(throws: (any Error).self) { try fewer.migrate(remote) }
    #expect(throws: (any Error).self) { try remote.erase() }
  }

  /// Tables as GRDB 7 writes them.
  private static let tablesOfGRDB = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('Create players');
    CREATE TABLE "team" ("code" TEXT NOT NULL PRIMARY KEY, "name" TEXT NOT NULL COLLATE NOCASE);
    CREATE TABLE "player" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL UNIQUE,
    "score" INTEGER NOT NULL DEFAULT 0 CHECK (score >= 0), "teamId" TEXT REFERENCES "team"("code") ON DELETE CASCADE);
    CREATE INDEX "index_player_on_teamId" ON "player"("teamId");
    INSERT INTO "player" ("name") VALUES ('A');
    """

  private static var playersMigrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.eraseDatabaseOnSchemaChange = true
    migrator.registerMigration("Create players") { db in
      try db.create(table: "team") { t in
        t.primaryKey("code", .text)
        t.column("name", .text).notNull().collate(.nocase)
      }
      try db.create(table: "player") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().unique()
        t.column("score", .integer).notNull().defaults(to: 0).check(sql: "score >= 0")
        t.belongsTo("team", onDelete: .cascade)
      }
    }
    return migrator
  }

  private func players(_ database: any DatabaseReader) throws -> [String] {
    try database.read { try String.fetchAll($0, sql: "SELECT name FROM player ORDER BY id") }
  }

  @Test func `a database of GRDB is not erased, because its SQL has other words`() throws {
    let database = try DatabaseQueue()
    try database.write { try $0.execute(sql: Self.tablesOfGRDB) }
    var migrator = Self.playersMigrator
    try migrator.migrate(database)
    same(try players(database), ["A"])
    migrator.registerMigration("Add note") { try $0.alter(table: "player") { $0.add(column: "note", .text) } }
    for _ in 0..<2 {
      try migrator.migrate(database)
      same(try players(database), ["A"])
    }
  }

  @Test(arguments: [
    "ALTER TABLE player ADD COLUMN nick TEXT", "CREATE INDEX byName ON player (name)", "CREATE TABLE more (x)",
    "DROP INDEX index_player_on_teamId", "INSERT INTO grdb_migrations VALUES ('Of somebody else')",
    "ALTER TABLE player ADD COLUMN rival INTEGER REFERENCES player",
  ])
  func `a database of GRDB whose schema is another one is kept, and told`(change: String) throws {
    let database = try DatabaseQueue()
    try database.write { try $0.execute(sql: Self.tablesOfGRDB + change) }
    let migrator = Self.playersMigrator
    for _ in 0..<2 {
      let error = #expect(throws: RequestError.self) { try migrator.migrate(database) }
      #expect(error?.message.contains("Nothing was erased") == true)
      same(try players(database), ["A"])
    }
    // Who wants it says so once. From then on the record is our own.
    try database.erase()
    try migrator.migrate(database)
    same(try players(database), [])
    try database.write { try $0.execute(sql: "CREATE TABLE more (x)") }
    try migrator.migrate(database)
    same(try database.read { try $0.tableExists("more") }, false)
  }

  @Test func `a table is not taken for a part of a virtual one because of its name`() throws {
    let database = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.eraseDatabaseOnSchemaChange = true
    migrator.registerMigration("Create notes") { db in
      try db.execute(sql: "CREATE VIRTUAL TABLE notes USING fts5(title); CREATE TABLE notes_archive (title TEXT)")
    }
    func archived() throws -> Int? {
      try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notes_archive") }
    }
    try migrator.migrate(database)
    try database.write { db in
      try db.execute(sql: "INSERT INTO notes VALUES ('a'); INSERT INTO notes_archive VALUES ('b')")
    }
    try migrator.migrate(database)
    same(try archived(), 1)
    try database.write { try $0.execute(sql: "ALTER TABLE notes_archive ADD COLUMN color TEXT") }
    try migrator.migrate(database)
    same(try archived(), 0)
  }
}
