/// Database setups from a client's configuration to the rows, over TCP and over a Unix socket.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.timeLimit(.minutes(2))) struct SetupEndToEndTests {
  private static let schema = [
    "CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT)", "CREATE TABLE log (id INTEGER PRIMARY KEY, note TEXT)",
  ]
  private static let insert = RemoteStatement.sql("INSERT INTO items (title) VALUES (?1)")
  private static let notes = RemoteStatement.sql(
    "SELECT note, count(*) FROM log GROUP BY note ORDER BY note", isRead: true)

  private static func trigger(_ note: String) -> RemoteStatement {
    .sql("CREATE TEMP TRIGGER noting AFTER INSERT ON items BEGIN INSERT INTO log (note) VALUES ('\(note)'); END")
  }

  private static func view() throws -> RemoteStatement {
    let query = ASTStatement.select {
      $0.columns = [.expression(.column("title"))]
      $0.from = .table("items")
    }
    return try RemoteStatement(.createView("titles", query) { $0.temporary = true })
  }

  private static let titles = ASTStatement.select {
    $0.columns = [.expression(.column("title"))]
    $0.from = .table("titles")
  }

  private static func configuration(_ setup: [RemoteStatement], connections: Int = 3) -> ClientConfiguration {
    var configuration = ClientConfiguration(createsDatabase: true)
    configuration.setup = setup
    configuration.connectionsMax = connections
    configuration.pipelineDepth = 4
    return configuration
  }

  private static func counts(_ database: DatabaseClient) async throws -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for row in try await database.fetchAll(notes) { counts[try row.get(String.self, 0)] = try row.get(Int64.self, 1) }
    return counts
  }

  @Test(arguments: [false, true])
  func `each program has its own temporary views and triggers on every connection of its pool`(isUnix: Bool)
    async throws
  {
    let directory = TemporaryDirectory()
    let server = try TestServer(directory: directory.path)
    let url = isUnix ? try server.unixURL("db") : try server.url("db")
    let plain = try DatabaseClient(url, configuration: Self.configuration([]))
    for sql in Self.schema { try await plain.execute(.sql(sql)) }
    // One is longer than a hello.
    let long = RemoteStatement.sql("CREATE TEMP VIEW long AS SELECT '\(String(repeating: "x", count: 40_000))' AS x")
    let red = try DatabaseClient(url, configuration: Self.configuration([Self.trigger("red"), long, try Self.view()]))
    let blue = try DatabaseClient(url, configuration: Self.configuration([Self.trigger("blue")]))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for database in [plain, red, blue] {
        for _ in 0..<40 { group.addTask { try await database.execute(Self.insert, ["x"]) } }
      }
      try await group.waitForAll()
    }
    #expect(try await Self.counts(plain) == ["red": 40, "blue": 40])
    let titles = try RemoteStatement(Self.titles)
    for _ in 0..<20 { #expect(try await red.fetchAll(titles).count == 120) }
    #expect(try await red.fetchAll(.sql("SELECT length(x) FROM long", isRead: true)).count == 1)
    for database in [plain, blue] {
      let error = await #expect(throws: RequestError.self) { try await database.fetchAll(titles) }
      #expect(error?.message == "No such table: titles.")
    }
    for database in [plain, red, blue] { await database.close() }
  }

  @Test func `a setup is declared again when the server comes back`() async throws {
    let directory = TemporaryDirectory()
    let data = directory.path + "/data"
    let path = NSTemporaryDirectory() + "martlet-\(UUID().uuidString.prefix(8)).sock"
    defer { unlink(path) }
    let url = try MartletURL(address: .unix(path: path))
    var process = try ServerProcess(directory: data, arguments: ["--listen", url.description])
    let database = try DatabaseClient(
      url.with(database: "db"), configuration: Self.configuration([Self.trigger("n")], connections: 1))
    for sql in Self.schema { try await database.execute(.sql(sql)) }
    try await database.execute(Self.insert, ["a"])
    process.kill()
    process = try ServerProcess(directory: data, arguments: ["--listen", url.description])
    try await database.ping()
    try await database.execute(Self.insert, ["b"])
    #expect(try await Self.counts(database) == ["n": 2])
    await database.close()
    process.kill()
  }

  @Test func `a setup that cannot be is an error of the first request, with its place`() async throws {
    let directory = TemporaryDirectory()
    let server = try TestServer(directory: directory.path)
    let database = try DatabaseClient(
      server.url("db"), configuration: Self.configuration([try Self.view(), Self.insert]))
    let error = await #expect(throws: RequestError.self) { try await database.ping() }
    #expect(error?.path == "setup[1]" && error?.message.hasPrefix("Statement 2 of the setup: ") == true)
    await database.close()
    let temporary = try DatabaseClient(server.url("db"), configuration: Self.configuration([]))
    let refused = await #expect(throws: RequestError.self) { try await temporary.execute(try Self.view()) }
    #expect(refused?.reason == .notAllowed && refused?.path == "create_view.temporary")
    await temporary.close()
  }
}
