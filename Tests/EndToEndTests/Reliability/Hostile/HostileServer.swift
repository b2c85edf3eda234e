/// A server with a database that hostile clients and a bystander share.
import Foundation
import MartletClient
import MartletTestSupport
import Testing

struct HostileServer {
  private let folder: TemporaryFolder
  private let server: ServerProcess
  let url: String

  /// `setup` runs in a new database, behind what `PointReader` needs.
  init(_ setup: [String]) async throws {
    folder = try TemporaryFolder()
    server = try ServerProcess(directory: folder.path + "/data")
    url = server.url(database: "hostile")
    let database = try Self.connect(url, createsDatabase: true)
    try await PointReader.prepare(database)
    for sql in setup { try await database.execute(.sql(sql)) }
    await database.close()
  }

  /// A client with more patience than any statement here may have.
  private static func connect(_ url: String, createsDatabase: Bool = false) throws -> DatabaseClient {
    var configuration = ClientConfiguration(createsDatabase: createsDatabase)
    configuration.requestDeadline = .seconds(60)
    return try DatabaseClient(url, configuration: configuration)
  }

  /// The statement several times at once. Returns when the last one has its answer, whatever it is.
  func attack(_ statement: RemoteStatement, times: Int, deadline: Duration) async throws -> Duration {
    let start = ContinuousClock.now
    let database = try Self.connect(url)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<times { group.addTask { _ = try? await database.fetchOne(statement, deadline: deadline) } }
    }
    let took = ContinuousClock.now - start
    await database.close()
    return took
  }

  /// The exit status after a signal to end.
  func end() -> Int32 { server.terminate() }
}
