/// A schema that changes all the time, beside clients whose statements the server has compiled before.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@Suite(.serialized) struct SchemaChangeTests {
  private static let rowCount: Int64 = 200

  /// What changes the table's shape or the ways into it, and leaves the values of `id` and `body` as they are.
  private static let changes = [
    "ALTER TABLE item ADD COLUMN extra TEXT DEFAULT 'x'", "CREATE INDEX item_body ON item(body)",
    "ALTER TABLE item RENAME COLUMN extra TO other", "ANALYZE", "DROP INDEX item_body",
    "ALTER TABLE item DROP COLUMN other", "CREATE VIEW seen AS SELECT id FROM item", "DROP VIEW seen",
    "CREATE TABLE copy(extra, body TEXT, id INTEGER PRIMARY KEY)",
    "INSERT INTO copy(id, body) SELECT id, body FROM item", "DROP TABLE item", "ALTER TABLE copy RENAME TO item",
    "ALTER TABLE item DROP COLUMN extra",
  ]
  /// In between the table is not there.
  private static let together = 8...11

  @Test func `schema changes without a pause give other clients no wrong row`() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data")
    let url = server.url(database: "shape")
    let owner = try DatabaseClient(url, configuration: .init(createsDatabase: true))
    try await owner.execute(.sql("CREATE TABLE item(id INTEGER PRIMARY KEY, body TEXT)"))
    try await owner.execute(
      .sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) INSERT INTO item SELECT i, 'row ' || i FROM n"
      ), [.integer(Self.rowCount)])

    let (end, rounds) = (Flag(), scale("MARTLET_SCHEMA_ROUNDS", otherwise: 6))
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask { try await Self.read(url, number, until: end) }
      }
      for _ in 0..<rounds { try await Self.change(owner) }
      end.raise()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    await owner.close()
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .relaxed) }
    func raise() { value.store(true, ordering: .relaxed) }
  }

  private static func change(_ owner: DatabaseClient) async throws {
    for sql in changes[..<together.lowerBound] { try await owner.execute(.sql(sql)) }
    try await owner.batch(together.map { BatchStep(.sql(changes[$0])) })
    for sql in changes[(together.upperBound + 1)...] { try await owner.execute(.sql(sql)) }
  }

  /// Reads points, ranges and whole rows until it is told to end; returns the number of answers.
  private static func read(_ url: String, _ number: Int, until end: Flag) async throws -> Int {
    let database = try DatabaseClient(url)
    var answers = 0
    var id = Int64(number)
    while !end.isRaised {
      id = id % rowCount + 1
      let point = try await database.fetchAll(
        .sql("SELECT body, id FROM item WHERE id = ?1", isRead: true), [.integer(id)])
      try #require(point.count == 1)
      #expect(try point[0].get(String.self, 0) == "row \(id)" && point[0].get(Int64.self, 1) == id)
      let byBody = try await database.fetchAll(
        .sql("SELECT id FROM item WHERE body = ?1", isRead: true), [.text("row \(id)")])
      #expect(try byBody.map { try $0.get(Int64.self, 0) } == [id])
      let whole = try await database.fetchAll(.sql("SELECT * FROM item WHERE id = ?1", isRead: true), [.integer(id)])
      try #require(whole.count == 1)
      // The columns' names and the values are of one schema.
      let row = whole[0]
      #expect(try row.get(Int64.self, "id") == id && row.get(String.self, "body") == "row \(id)")
      let changed = try await database.execute(
        .sql("UPDATE item SET body = body WHERE id = ?1"), [.integer(id)])
      #expect(changed.rowsChanged == 1)
      answers += 1
    }
    await database.close()
    return answers
  }

  // MARK: - A schema that takes long to read

  private static let tableCount = 2_000

  /// How a client changes the schema over and over.
  enum Manner: String, CaseIterable {
    case alone, batch
    case transaction = "in a transaction"
    case newConnection = "in a transaction of a new connection each time"
  }

  @Test func `who changes a large schema without a pause leaves others most of the time`() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data")
    let url = server.url(database: "large")
    let owner = try DatabaseClient(url, configuration: .init(createsDatabase: true))
    try await PointReader.prepare(owner)
    for start in stride(from: 0, to: Self.tableCount, by: 500) {
      try await owner.batch(
        (start..<start + 500).map { BatchStep(.sql("CREATE TABLE t\($0)(a INTEGER PRIMARY KEY, b TEXT, c, d, e)")) })
    }
    let quiet = try await Self.time(of: 2_000, url)
    for manner in Manner.allCases {
      let end = Flag()
      async let changes = Self.change(url, manner, until: end)
      let beside = await Result { try await Self.time(of: 2_000, url) }
      end.raise()
      let changed = try await changes
      let ratio = try beside.get() / quiet
      print("schema: \(changed) changes \(manner.rawValue), reads took \(ratio) times as long")
      // Without a share of the time for changes hardly a read came through, and some failed.
      #expect(ratio < 12, "\(manner.rawValue)")
      // Some may have to wait for those of the manner before.
      #expect(changed > 0 || manner != .alone)
    }
    await owner.close()
  }

  /// How long so many reads take eight clients. Each of them has to be answered with its row.
  private static func time(of reads: Int, _ url: String) async throws -> Duration {
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          let database = try DatabaseClient(url)
          for round in 0..<reads / 8 {
            let id = Int64((number * 125 + round) % 1_000 + 1)
            let row = try await database.fetchOne(
              .sql("SELECT value FROM points WHERE id = ?1", isRead: true), [.integer(id)])
            #expect(try row?.get(Int64.self, 0) == id * 7)
          }
          await database.close()
        }
      }
      try await group.waitForAll()
    }
    return ContinuousClock.now - start
  }

  /// Returns how often the schema was changed. The only errors say that it may be tried again.
  private static func change(_ url: String, _ manner: Manner, until end: Flag) async throws -> Int {
    let two = ["CREATE TABLE IF NOT EXISTS one_more(a)", "DROP TABLE one_more"]
    var database = try DatabaseClient(url)
    var changes = 0
    while !end.isRaised {
      do {
        switch manner {
        case .alone: for sql in two { try await database.execute(.sql(sql)) }
        case .batch: try await database.batch(two.map { BatchStep(.sql($0)) })
        case .transaction, .newConnection:
          if manner == .newConnection {
            await database.close()
            database = try DatabaseClient(url)
          }
          try await database.write { transaction in for sql in two { try await transaction.execute(.sql(sql)) } }
        }
        changes += 1
      } catch let error as RequestError where error.reason == .overloaded && error.isRetryable {
        continue
      }
    }
    await database.close()
    return changes
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
