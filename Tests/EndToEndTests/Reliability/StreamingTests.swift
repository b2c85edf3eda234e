/// A client that pauses in the middle of many rows costs the server no memory, and its snapshot has a limit.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized) struct StreamingTests {
  private static let many = RemoteStatement.sql(
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    SELECT i, 'row number ' || i, i / 7.0 FROM n
    """, isRead: true)

  @Test func `rows to a client that pauses leave the server's memory flat`() async throws {
    let count = scale("MARTLET_STREAM_ROWS", otherwise: 500_000)
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data", arguments: ["--deadline-ms", "600000"])
    var configuration = ClientConfiguration(createsDatabase: true)
    configuration.requestDeadline = .seconds(60)
    let database = try DatabaseClient(server.url(database: "stream"), configuration: configuration)
    try await database.execute(.sql("CREATE TABLE t(a)"))
    let idle = try server.residentBytes()
    var most = idle
    var rows = 0
    for try await row in try await database.rows(Self.many, [.integer(Int64(count))]) {
      rows += 1
      #expect(try row.get(Int64.self, 0) == Int64(rows))
      if rows % (count / 10) == 0 {
        // Nothing is read until the server's memory has stopped growing: what it could send must not pile up.
        try await suspendUntilQuiet(looks: scale("MARTLET_STREAM_LOOKS", otherwise: 100)) {
          let bytes = try server.residentBytes()
          defer { most = max(most, bytes) }
          return bytes > most
        }
      }
    }
    #expect(rows == count)
    print("stream: \(count) rows, memory \(idle >> 20) MiB idle, \(most >> 20) MiB at most")
    #expect(most - idle < 64 << 20)
    await database.close()
  }

  @Test func `a paused snapshot is evicted when the log has grown past its limit, and nobody else notices`()
    async throws
  {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(
      directory: folder.path + "/data", arguments: ["--wal-mib", "2", "--deadline-ms", "600000"])
    let url = server.url(database: "paused")
    let database = try DatabaseClient(url, configuration: .init(createsDatabase: true))
    let neighbour = try DatabaseClient(url)
    try await database.execute(.sql("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)"))
    let fill = RemoteStatement.sql(
      """
      WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + 19999)
      INSERT INTO t SELECT i, hex(randomblob(40)) FROM n
      """)
    // In parts, because a busy machine may take longer for all of them than a write may.
    for part in 0..<10 { try await database.execute(fill, [.integer(Int64(part * 20_000 + 1))]) }
    var iterator = try await database.rows(.sql("SELECT a, b FROM t", isRead: true)).makeAsyncIterator()
    _ = try await iterator.next()

    var writes: Int64 = 0
    // Each writes a page at least, so that is twice the limit.
    while writes < 1_024 {
      try await neighbour.execute(.sql("UPDATE t SET b = 'changed' WHERE a = ?1"), [.integer(writes % 1_000 + 1)])
      writes += 1
    }
    var read = 1
    let error = await #expect(throws: RequestError.self) {
      while try await iterator.next() != nil { read += 1 }
    }
    #expect(error?.reason == .snapshotEvicted)
    #expect(read < 200_000)
    let changed = try await neighbour.fetchOne(.sql("SELECT count(*) FROM t WHERE b = 'changed'", isRead: true))
    #expect(try changed?.get(Int64.self, 0) == min(writes, 1_000))
    await database.close()
    await neighbour.close()
  }
}
