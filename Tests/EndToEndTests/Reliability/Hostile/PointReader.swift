/// Somebody who reads rows by their key and inserts rows, one after another, and notes how long the slowest took.
///
/// Always true: its connections are its own; any failure of its requests is thrown.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import MartletValues
import Synchronization

struct PointReader: Sendable {
  struct Waits: Sendable {
    /// On an event loop, on the reader pool, on the writer.
    var loop = Duration.zero
    var pool = Duration.zero
    var writer = Duration.zero

    var longestRead: Duration { max(loop, pool) }
  }

  let url: String

  private static let byKey: RemoteStatement = {
    var select = ASTSelect()
    var column = ASTResultColumn()
    column.expression = .column("value")
    select.columns = [column]
    select.from.table.name = "points"
    select.where = .call(.equal, .column("id"), .parameter(1))
    var statement = ASTStatement()
    statement.select = select
    return RemoteStatement(bytes: Trees.bytes(statement))
  }()

  static func prepare(_ database: DatabaseClient) async throws {
    try await database.execute(.sql("CREATE TABLE points(id INTEGER PRIMARY KEY, value)"))
    try await database.execute(
      .sql(
        """
        INSERT INTO points WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        SELECT i, i * 7 FROM n
        """))
  }

  /// Reads and inserts for as long as `body` runs, and at least for some rounds.
  func waits(while body: () async throws -> Void) async throws -> Waits {
    var configuration = ClientConfiguration()
    configuration.requestDeadline = .seconds(60)
    let database = try DatabaseClient(url, configuration: configuration)
    let isOver = AtomicFlag()
    async let waits = run(database, isOver)
    let outcome = await Result(catching: body)
    isOver.raise()
    let noted = try await waits
    await database.close()
    try outcome.get()
    return noted
  }

  private final class AtomicFlag: Sendable {
    private let value = Atomic<Bool>(false)
    var isRaised: Bool { value.load(ordering: .relaxed) }
    func raise() { value.store(true, ordering: .relaxed) }
  }

  private func run(_ database: DatabaseClient, _ isOver: AtomicFlag) async throws -> Waits {
    var waits = Waits()
    var round: Int64 = 0
    while !isOver.isRaised || round < 20 {
      let id = round % 1_000 + 1
      waits.loop = max(
        waits.loop,
        try await time {
          let row = try await database.fetchOne(Self.byKey, [.integer(id)])
          guard try row?.get(Int64.self, 0) == id * 7 else { throw WrongRow(id: id) }
        })
      // Text of SQL is not read on an event loop.
      waits.pool = max(
        waits.pool,
        try await time {
          let row = try await database.fetchOne(
            .sql("SELECT value FROM points WHERE id = ?1", isRead: true), [.integer(id)])
          guard try row?.get(Int64.self, 0) == id * 7 else { throw WrongRow(id: id) }
        })
      waits.writer = max(
        waits.writer,
        try await time {
          try await database.execute(.sql("INSERT INTO points(value) VALUES (?1)"), [.integer(round)])
        })
      round += 1
    }
    return waits
  }

  struct WrongRow: Error { var id: Int64 }

  private func time(_ body: () async throws -> Void) async throws -> Duration {
    let start = ContinuousClock.now
    try await body()
    return ContinuousClock.now - start
  }
}

extension Result where Failure == any Error {
  fileprivate init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
