/// Which tables a commit of a server's writer wrote: what triggers, views, keys and changes of the schema add.
import Foundation
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct CommitTablesTests {
  private static let schema = [
    "CREATE TABLE a(id INTEGER PRIMARY KEY, n INTEGER UNIQUE)",
    "CREATE TABLE b(id INTEGER PRIMARY KEY, a INTEGER REFERENCES a(id) ON DELETE CASCADE ON UPDATE SET NULL)",
    "CREATE TABLE log(text TEXT)", "CREATE TABLE c(id INTEGER PRIMARY KEY, n INTEGER)",
    "CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT)",
    "CREATE TRIGGER logged AFTER DELETE ON b BEGIN INSERT INTO log VALUES ('gone'); END",
    "CREATE TRIGGER deep AFTER UPDATE ON c BEGIN UPDATE a SET n = new.n WHERE id = 1; END",
    "CREATE VIEW v AS SELECT id FROM a",
    "CREATE TRIGGER written INSTEAD OF INSERT ON v BEGIN INSERT INTO a(id) VALUES (new.id); END",
    "CREATE VIRTUAL TABLE f USING fts5(text)", "INSERT INTO a VALUES (1, 1), (2, 2)", "INSERT INTO b VALUES (1, 1)",
    "INSERT INTO c VALUES (1, 1)",
  ]

  private static let cases: [(sql: String, tables: [String])] = [
    ("INSERT INTO a VALUES (9, 9)", ["a"]), ("insert into A values (9, 9)", ["a"]),
    ("DELETE FROM c", ["c"]), ("DELETE FROM a WHERE id = 1", ["a", "b", "log"]),
    ("UPDATE a SET n = 5 WHERE id = 1", ["a"]),
    ("UPDATE a SET id = 5 WHERE id = 1", ["a", "b"]), ("UPDATE c SET n = 7", ["a", "c"]),
    // Replacing deletes, and deleting cascades.
    ("REPLACE INTO a VALUES (1, 2)", ["a", "b", "log"]),
    ("INSERT INTO a VALUES (1, 2) ON CONFLICT DO UPDATE SET n = 8", ["a"]),
    ("INSERT INTO v VALUES (7)", ["a", "v"]), ("WITH q AS (SELECT 9) INSERT INTO c SELECT 9, 9 FROM q", ["c"]),
    ("UPDATE c SET n = 7 WHERE 0", ["a", "c"]), ("INSERT INTO counted DEFAULT VALUES", ["counted"]),
    ("INSERT INTO f VALUES ('x y')", ["f"]), ("INSERT INTO f(f) VALUES ('optimize')", ["f"]),
    ("CREATE TABLE z(id INTEGER)", ["*"]), ("DROP TABLE c", ["*"]), ("ALTER TABLE c ADD COLUMN m", ["*"]),
    ("CREATE INDEX i ON c(n)", ["*"]), ("CREATE VIRTUAL TABLE g USING fts5(text)", ["*"]),
    ("DROP TRIGGER deep", ["*"]), ("ANALYZE", ["*"]), ("REINDEX", ["*"]), ("PRAGMA optimize", ["*"]),
    ("VACUUM", ["*"]), ("PRAGMA user_version = 3", ["pragma.settings"]),
  ]

  @Test(arguments: cases.indices) func `a commit names what its statement wrote`(index: Int) throws {
    let (sql, tables) = Self.cases[index]
    let base = try TemporaryDatabase()
    for statement in Self.schema { try base.sql(statement) }
    let follower = base.database.subscribe(queueMax: 10) {}
    // Twice, because the second run finds the statement compiled.
    for round in 1...2 {
      let outcome = base.result(Trees.raw(sql))
      if round == 1 { #expect(outcome.error == nil, "\(sql): \(String(describing: outcome.error))") }
      let commits = follower.take().commits
      if outcome.error == nil { #expect(commits.map { FollowedShop.names($0.tables) } == [tables], "\(sql), \(round)") }
      if outcome.error != nil { #expect(commits.isEmpty, "\(sql), \(round)") }
    }
  }

  @Test(arguments: [true, false])
  func `what a new trigger writes is told of by statements that were compiled before it`(isWatched: Bool) throws {
    let base = try TemporaryDatabase()
    for statement in Self.schema { try base.sql(statement) }
    let insert = Trees.insert("c", ["n"])
    try base.run(insert, [1])
    let early = isWatched ? base.database.subscribe(queueMax: 100) {} : nil
    try base.sql("CREATE TRIGGER noting AFTER INSERT ON c BEGIN INSERT INTO log VALUES ('c'); END")
    // SQLite compiles the statement anew here, watched or not.
    try base.run(insert, [2])
    if let early {
      #expect(early.take().commits.map { FollowedShop.names($0.tables) } == [["*"], ["c", "log"]])
    }
    let late = base.database.subscribe(queueMax: 100) {}
    try base.run(insert, [3])
    #expect(late.take().commits.map { FollowedShop.names($0.tables) } == [["c", "log"]])
  }

  @Test func `a statement that keeps rows though it fails is told of`() throws {
    let base = try TemporaryDatabase()
    for statement in Self.schema { try base.sql(statement) }
    let follower = base.database.subscribe(queueMax: 10) {}
    let open = OpenTransaction(base.database)
    // The rows before the one that fails stay.
    #expect(open.run(Trees.raw("INSERT OR FAIL INTO a VALUES (8, 8), (1, 9)")).error != nil)
    open.finish(commit: true)
    #expect(follower.take().commits.map { FollowedShop.names($0.tables) } == [["a"]])
    #expect(try base.sql("SELECT n FROM a WHERE id = 8").rows == [[8]])
  }

  @Test func `writes through a setup's temporary view tell of the tables behind it`() throws {
    let base = try Setups.database()
    let session = try base.session(
      Trees.raw("CREATE TEMPORARY VIEW chosen AS SELECT title FROM items"),
      Trees.raw(
        """
        CREATE TEMPORARY TRIGGER choosing INSTEAD OF INSERT ON chosen BEGIN
          INSERT INTO items(title) VALUES (new.title);
        END
        """), Setups.notes("n"))
    let follower = base.database.subscribe(queueMax: 10) {}
    try session.run(Trees.insert("chosen", ["title"]), ["tea"])
    #expect(follower.take().commits.map { FollowedShop.names($0.tables) } == [["items", "log"]])
    // Without the setup, nothing is noted.
    try base.run(Setups.insert, ["coffee"])
    #expect(follower.take().commits.map { FollowedShop.names($0.tables) } == [["items"]])
  }

  @Test func `a commit to more tables than are counted is one to any`() throws {
    let base = try TemporaryDatabase { $0.limits.commitTablesMax = 2 }
    for statement in Self.schema { try base.sql(statement) }
    let follower = base.database.subscribe(queueMax: 10) {}
    try base.sql("UPDATE c SET n = 7")
    try base.sql("DELETE FROM a")
    #expect(follower.take().commits.map { FollowedShop.names($0.tables) } == [["a", "c"], ["*"]])
  }

  // MARK: - The log

  @Test func `frames follow each other, and begin anew with another log`() throws {
    let base = try TemporaryDatabase { $0.limits.walCheckpointBytes = 256 << 10 }
    try base.sql("CREATE TABLE t(a)")
    let follower = base.database.subscribe(queueMax: 1_000, wantsLog: true) {}
    var last: LogSpan?
    var restarts = 0
    for number in 0..<200 {
      try base.run(Trees.insert("t", ["a"]), [.text(String(repeating: "x", count: 100 + number * 40))])
      let span = try #require(follower.take().commits.first?.log)
      #expect(span.framesAfter > (span.framesBefore ?? -1))
      if let last, last.generation == span.generation {
        #expect(span.framesBefore == last.framesAfter)
      } else if last != nil {
        restarts += 1
        #expect(span.framesBefore == 0)
      }
      try Self.checkFrames(span, of: base.directory.path + "/test.sqlite")
      last = span
    }
    #expect(restarts > 1)
  }

  /// The log's file has those salts, and its last frame of the commit says that it commits.
  private static func checkFrames(_ span: LogSpan, of path: String) throws {
    let log = [UInt8](try Data(contentsOf: URL(filePath: path + "-wal")))
    func number(_ offset: Int) -> UInt64 { log[offset..<offset + 4].reduce(0) { $0 << 8 | UInt64($1) } }
    #expect(number(16) << 32 | number(20) == span.generation)
    let frame = 32 + (span.framesAfter - 1) * Int(24 + number(8))
    #expect(number(frame + 4) > 0, "a frame that commits has the size of the database")
    #expect(number(frame + 8) << 32 | number(frame + 12) == span.generation)
  }
}
