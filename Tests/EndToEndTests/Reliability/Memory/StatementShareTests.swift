/// What one statement may take of a server's memory.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct StatementShareTests {
  /// So many texts of 4.9 MB, all there at the same time.
  private static func insert(_ count: Int) -> RemoteStatement {
    .sql("INSERT INTO t SELECT \((0..<count).map { "length(printf('%4900000d', \($0)))" }.joined(separator: " + "))")
  }

  private static func reason(_ body: () async throws -> Void) async -> RequestError.Reason? {
    do { try await body() } catch { return (error as? RequestError)?.reason }
    return nil
  }

  @Test func `one statement has a part of the budget, and whoever is refused does harm to nobody`() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data", arguments: ["--memory", "64M"])
    let database = try DatabaseClient(server.url(database: "db"), configuration: .init(createsDatabase: true))
    try await database.execute(.sql("CREATE TABLE t(a)"))
    for (count, reason) in [(3, nil), (8, .memory), (3, nil), (12, .memory)] as [(Int, RequestError.Reason?)] {
      #expect(await Self.reason { try await database.execute(Self.insert(count)) } == reason, "\(count)")
    }
    // A value of an earlier step is copied for each parameter that names it.
    for (count, reason) in [(2, nil), (9, .limit)] as [(Int, RequestError.Reason?)] {
      let names = (1...count).map { "?\($0)" }.joined(separator: ", ")
      let ended = await Self.reason {
        try await database.batch { batch in
          batch.add(.sql("SELECT zeroblob(3900000)"))
          batch.add(
            .sql("INSERT INTO t SELECT 1 WHERE 1 NOT IN (\(names))"),
            (0..<count).map { _ in .firstRow(step: 1, column: 0) })
        }
      }
      #expect(ended == reason, "\(count)")
    }
    #expect(try await database.fetchAll(.sql("SELECT a FROM t", isRead: true)).count == 3)
    await database.close()
    #expect(server.terminate() == 0)
  }
}
