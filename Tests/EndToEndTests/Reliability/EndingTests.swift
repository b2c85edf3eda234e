/// A process that was asked to end ends, whatever its threads are in, and keeps what it acknowledged.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized) struct EndingTests {
  /// Sits in one step of its statement for two minutes.
  private static let block = RemoteStatement.sql("SELECT martlet_test_block(120000)", isRead: true)
  private static let environment = ["MARTLET_TEST_BLOCKING_FUNCTION": "1"]

  @Test(arguments: [1, 3])
  func `SIGTERM ends a server whose readers do not come back`(stuck: Int) async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(
      directory: folder.path + "/data", arguments: ["--drain-ms", "1000"],
      environment: Self.environment)
    let url = server.url(database: "ending")
    var configuration = ClientConfiguration(createsDatabase: true)
    configuration.requestDeadline = .seconds(60)
    let database = try DatabaseClient(url, configuration: configuration)
    try await database.execute(.sql("CREATE TABLE t(a INTEGER PRIMARY KEY)"))
    let blocked = (0..<stuck).map { _ in
      Task {
        var hurried = ClientConfiguration()
        hurried.requestDeadline = .seconds(3)
        hurried.streamDeadline = .seconds(3)
        let client = try DatabaseClient(url, configuration: hurried)
        defer { Task { await client.close() } }
        _ = try await client.fetchOne(Self.block)
      }
    }
    // They have waited in vain by then, and the threads of the pool are still in it; reads of others go on beside them.
    for task in blocked {
      if case .success = await task.result { Issue.record("the read was to be late") }
    }
    #expect(try await database.fetchOne(.sql("SELECT 1", isRead: true)) != nil)
    for number in 1...50 as ClosedRange<Int64> {
      try await database.execute(.sql("INSERT INTO t VALUES (?1)"), [.integer(number)])
    }
    let start = ContinuousClock.now
    let status = server.terminate()
    let elapsed = ContinuousClock.now - start
    print("ended with \(stuck) stuck reads after \(elapsed), status \(status)")
    #expect(status == 70)
    // Time is what is tested, with much room: the drain is a second, and the readers come back after two minutes.
    #expect(elapsed < .seconds(20))
    let again = try ServerProcess(directory: folder.path + "/data")
    let after = try DatabaseClient(again.url(database: "ending"))
    let count = try await after.fetchOne(.sql("SELECT count(*) FROM t", isRead: true))
    #expect(try count?.get(Int64.self, 0) == 50)
    #expect(again.terminate() == 0)
    await database.close()
    await after.close()
  }
}
