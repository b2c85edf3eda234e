/// The examples of docs/COMING-FROM-GRDB.md, as they stand there.
import Foundation
import Martlet
import MartletTestSupport
import Observation
import Testing

@Table("team")
private struct Team: Identifiable {
  let id: Int
  var name = ""
}

@Table("player")
private struct Player: Equatable, Identifiable {
  let id: Int
  var name = ""
  var score = 0
  @Column("teamId") var teamID: Team.ID?
}

@Selection
private struct TeamScore: Equatable {
  let name: String
  let best: Int?
}

@Suite(.timeLimit(.minutes(10))) struct GRDBPageTests {
  /// A database as a program of GRDB left it, whose first migration ran there.
  private static let script = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('Create players');
    CREATE TABLE "team" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL);
    CREATE TABLE "player" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL UNIQUE,
    "score" INTEGER NOT NULL DEFAULT 0, "teamId" INTEGER REFERENCES "team"("id") ON DELETE CASCADE);
    INSERT INTO "team" VALUES (1, 'Red'), (2, 'Blue');
    INSERT INTO "player" VALUES (1, 'Anna', 10, 1), (2, 'Ben', 120, 1), (3, 'Alf', 200, NULL);
    """

  private static func migrated(_ database: any DatabaseWriter, upTo last: String? = nil) throws -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create players") { db in
      try db.create(table: "team") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull()
      }
      try db.create(table: "player") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull()
        t.column("score", .integer).notNull().defaults(to: 0)
        t.belongsTo("team", onDelete: .cascade)
      }
    }
    migrator.registerMigration("Index scores") { db in
      try db.create(indexOn: "player", columns: ["score"])
    }
    guard last == nil else {
      try migrator.migrate(database, upTo: "Create players")
      return migrator
    }
    try migrator.migrate(database)
    return migrator
  }

  @Test func `the page shows nothing that this test does not run, in its tables either`() throws {
    let page = try PageText("COMING-FROM-GRDB.md")
    try page.expectAll(in: #filePath)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8).replacing(#/\s+/#, with: " ")
    var count = 0
    for line in page.text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      #expect(cells.count == 4, "\(line)")
      for (index, code) in cells[2].split(separator: "`", omittingEmptySubsequences: false).enumerated()
      where index % 2 == 1 {
        #expect(source.contains(code), "\(code)")
        count += 1
      }
    }
    #expect(count > 40)
  }

  @Test func `databases are opened`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/game.sqlite"
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      try db.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS prepared (x)")
    }
    for database in [
      try DatabaseQueue(path: path), try DatabaseQueue(), try DatabasePool(path: path),
      try DatabaseQueue(configuration: configuration),
    ] as [any DatabaseWriter] {
      _ = try Self.migrated(database)
      same(try database.read { try Player.fetchCount($0) }, 0)
    }
    let free = try DatabaseQueue(configuration: configuration)
    try free.write { db in
      try db.execute(sql: Self.script)
      try Player.insert { Player(id: 9, name: "Zoe", teamID: 77) }.execute(db)
      same(try Int.fetchOne(db, sql: "SELECT count(*) FROM prepared"), 0)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows are written`(home: DatabaseHome) throws {
    try home.open(Self.script).write { db in
      try Player.insert { Player.Draft(name: "Arthur", score: 100) }.execute(db)
      let id = db.lastInsertRowID
      same(id, 4)
      let draft = Player.Draft(name: "Carl")
      var player = try #require(try Player.insert { draft }.returning(\.self).fetchOne(db))
      same(player, Player(id: 5, name: "Carl"))
      player.score = 5
      try Player.update(player).execute(db)
      same(try Player.find(5).fetchOne(db), player)
      player.score = 6
      try Player.upsert { player }.execute(db)
      same(try Player.find(5).fetchOne(db), player)
      try Player.update { $0.score += 1 }.execute(db)
      same(try Int.fetchAll(db, sql: "SELECT score FROM player ORDER BY id"), [11, 121, 201, 101, 7])
      try Player.delete(player).execute(db)
      try Player.upsert { player }.execute(db)
      same(try Player.find(5).fetchOne(db), player)
      try Player.insert { Player(id: 7, name: "Dora") }.execute(db)
      try Player.find(7).delete().execute(db)
      same(try Player.fetchCount(db), 5)
      let nobody = Player(id: 70, name: "Nobody")
      try Player.update(nobody).execute(db)
      let isFound = db.changesCount > 0
      same(isFound, false)
      try Player.delete().execute(db)
      same(try Player.fetchCount(db), 0)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows are asked for`(home: DatabaseHome) throws {
    try home.open(Self.script).read { db in
      same(try Player.fetchAll(db).map(\.id), [1, 2, 3])
      same(try Player.find(1).fetchOne(db)?.name, "Anna")
      same(try Player.find(70).fetchOne(db)?.name, nil)
      same(try Player.find(db, key: 1).name, "Anna")
      same(try Player.fetchCount(db), 3)
      same(try Player.where { $0.score >= 100 }.fetchAll(db).map(\.id), [2, 3])
      same(try Player.all.where { $0.name.like("A%") }.fetchAll(db).map(\.id), [1, 3])
      same(try Player.find([1, 2]).fetchAll(db).map(\.id), [1, 2])
      same(try Player.all.order { ($0.score.desc(), $0.name) }.fetchAll(db).map(\.id), [3, 2, 1])
      same(try Player.all.order(by: \.id).limit(10, offset: 0).fetchCount(db), 3)
      same(try Player.select(\.name).fetchSet(db), ["Anna", "Ben", "Alf"])
      same(try Player.select(\.teamID).distinct().fetchCount(db), 2)
      same(try Player.select { $0.score.max() }.fetchOne(db), 200)
      same(try Player.all.group(by: \.teamID).having { $0.id.count() > 1 }.select(\.teamID).fetchAll(db), [1])
      let request = Player.where { $0.score > 1_000 }
      let isEmpty = try request.fetchCount(db) == 0
      same(isEmpty, true)
      let scores =
        Team
        .leftJoin(Player.all) { $0.id.eq($1.teamID) }
        .group { team, _ in team.id }
        .order { team, _ in team.name }
        .select { TeamScore.Columns(name: $0.name, best: $1.score.max()) }
      same(try scores.fetchAll(db), [TeamScore(name: "Blue", best: nil), TeamScore(name: "Red", best: 120)])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `SQL has arguments and gives rows`(home: DatabaseHome) throws {
    try home.open(Self.script).write { db in
      try db.execute(sql: "UPDATE player SET name = ? WHERE id = ?", arguments: ["Bill", 2])
      try db.execute(sql: "UPDATE player SET name = ? WHERE id = ?", arguments: ["Ben", 1])
      let byName = try String.fetchOne(db, sql: "SELECT name FROM player WHERE id = :id", arguments: ["id": 1])
      same(byName, "Ben")
      var found: [String] = []
      for row in try Row.fetchAll(db, sql: "SELECT * FROM player ORDER BY id") {
        let name: String = try row["name"]
        let score: Int? = try row["score"]
        found.append("\(name) \(score ?? 0)")
        #expect(throws: QueryDecodingError.self) { _ = try row["none"] as Int }
      }
      same(found, ["Ben 10", "Bill 120", "Alf 200"])
      same(try Int.fetchAll(db, sql: "SELECT score FROM player ORDER BY id"), [10, 120, 200])
      let players = try #sql("SELECT * FROM player WHERE score > \(10)", as: Player.self).fetchAll(db)
      same(players.map(\.id), [2, 3])
      same(try db.tableExists("player"), true)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `migrations go on where GRDB left off`(home: DatabaseHome) throws {
    for script in [Self.script, ""] {
      let database = try home.empty()
      if !script.isEmpty { try database.write { try $0.execute(sql: script) } }
      let migrator = try Self.migrated(database, upTo: "Create players")
      same(try database.read { db in try migrator.hasCompletedMigrations(db) }, false)
      for _ in 0..<2 { _ = try Self.migrated(database) }
      try database.read { db in
        same(try migrator.hasCompletedMigrations(db), true)
        same(try migrator.hasBeenSuperseded(db), false)
        same(try Player.fetchCount(db), script.isEmpty ? 0 : 3)
        same(try db.indexes(on: "player").contains { $0.name == "index_player_on_score" }, true)
        same(try db.tableExists("grdb_migrations"), !script.isEmpty)
        same(try db.tableExists("martlet_migrations"), script.isEmpty)
        let record = script.isEmpty ? "martlet_migrations" : "grdb_migrations"
        same(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(record)"), 2)
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `transactions and savepoints are undone or stay`(home: DatabaseHome) throws {
    let database = try home.open(Self.script)
    try database.write { db in
      try Player.find(1).update { $0.score = 0 }.execute(db)
      try db.inSavepoint {
        try Player.delete().execute(db)
        return .rollback
      }
    }
    same(try database.read { try Player.order(by: \.id).select(\.score).fetchAll($0) }, [0, 120, 200])
    try database.writeWithoutTransaction { db in
      try db.inTransaction {
        try Player.find(1).update { $0.score = 7 }.execute(db)
        return .commit
      }
    }
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try database.write { db in
        try Player.delete().execute(db)
        throw Stop()
      }
    }
    same(try database.read { try Player.order(by: \.id).select(\.score).fetchAll($0) }, [7, 120, 200])
  }

  @Observable @MainActor
  final class Heard {
    var names: [String] = []
  }

  @MainActor
  @Test(arguments: DatabaseHome.allCases)
  func `a value follows the database`(home: DatabaseHome) async throws {
    let database = try home.open(Self.script)
    let observation = ValueObservation.tracking { db in
      try Player.order(by: \.id).select(\.name).fetchAll(db)
    }
    var seen: [[String]] = []
    for try await names in observation.values(in: database) {
      seen.append(names)
      if seen.count == 2 { break }
      try await database.write { db in try Player.find(3).delete().execute(db) }
    }
    same(seen, [["Anna", "Ben", "Alf"], ["Anna", "Ben"]])
    for try await names in observation.removeDuplicates().values(in: database) {
      same(names, ["Anna", "Ben"])
      break
    }
    let heard = Heard()
    let cancellable = observation.start(in: database, onError: { _ in }, onChange: { heard.names = $0 })
    await eventually(heard.names) { $0 == ["Anna", "Ben"] }
    cancellable.cancel()
  }

  @Test(arguments: DatabaseHome.allCases)
  func `errors say what was wrong`(home: DatabaseHome) throws {
    let database = try home.open(Self.script)
    var told: [String] = []
    do {
      try database.write { db in try Player.insert { Player.Draft(name: "Anna") }.execute(db) }
    } catch let error as RequestError {
      if error.reason == .constraint { told.append("constraint") }
      if error.constraint == "UNIQUE" { told.append("unique") }
    }
    do {
      _ = try database.read { db in try Player.find(db, key: 70) }
    } catch let error as NotFound {
      told.append(error.table)
    }
    same(told, ["constraint", "unique", "player"])
  }
}
