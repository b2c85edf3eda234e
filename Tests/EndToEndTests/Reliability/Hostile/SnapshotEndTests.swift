/// SQLite ends the transaction of a query that runs out of room: the read is over then, and sees no other snapshot.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.timeLimit(.minutes(2))) struct SnapshotEndTests {
  private static let count = RemoteStatement.sql("SELECT count(*) FROM t", isRead: true)
  /// More than a mebibyte of temporary files.
  private static let sort = RemoteStatement.sql(
    """
    SELECT max(x) FROM (
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
      SELECT hex(randomblob(60)) || c AS x FROM n, (SELECT count(*) AS c FROM t) ORDER BY x LIMIT -1 OFFSET 1)
    """, isRead: true)

  @Test func `a read whose statement finds no room for temporary files is over, and sees no other snapshot`()
    async throws
  {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data", arguments: ["--temporary-mib", "1"])
    let database = try DatabaseClient(server.url(database: "db"), configuration: .init(createsDatabase: true))
    try await database.execute(.sql("CREATE TABLE t(a)"))
    var counts: [Int?] = []
    var errors: [RequestError.Reason] = []
    func note(_ body: () async throws -> Int?) async {
      do {
        counts.append(try await body())
      } catch {
        counts.append(nil)
        if let error = error as? RequestError { errors.append(error.reason) }
      }
    }
    _ = try? await database.read { transaction in
      await note { try await transaction.fetchOne(Self.count)?.get(Int.self, 0) }
      await note { try await transaction.fetchOne(Self.sort)?.get(Int.self, 0) }
      try await database.execute(.sql("INSERT INTO t VALUES (1)"))
      await note { try await transaction.fetchOne(Self.count)?.get(Int.self, 0) }
    }
    #expect(counts == [0, nil, nil] && errors.last == .transactionEnded, "\(counts) \(errors)")
    // The steps of a batch see one snapshot, or say that it is gone.
    let steps = try await database.batch(
      [BatchStep(Self.count), BatchStep(Self.sort), BatchStep(Self.count)], atomic: false)
    #expect(steps.map { $0.error == nil } == [true, false, false])
    #expect(steps[2].error?.reason == .transactionEnded)
    #expect(try await database.fetchOne(Self.count)?.get(Int.self, 0) == 1)
    await database.close()
  }
}
