/// What an operator denies, nobody gets: not as text, not inside a tree, not as a shape, not in a setup.
import MartletAST
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized) struct PermissionEndToEndTests {
  private static let text = RemoteStatement.sql("SELECT 1", isRead: true)

  private func reason(_ body: () async throws -> Void) async -> RequestError.Reason? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? RequestError)?.reason
    }
  }

  private func select(_ expression: ASTExpression) throws -> RemoteStatement {
    var column = ASTResultColumn()
    column.expression = expression
    var select = ASTSelect()
    select.columns = [column]
    var tree = ASTStatement()
    tree.select = select
    return try RemoteStatement(tree)
  }

  private var rawExpression: ASTExpression {
    var part = ASTRaw.Part()
    part.sql = "1"
    var expression = ASTExpression()
    expression.raw.parts = [part]
    return expression
  }

  private var parameter: ASTExpression {
    var expression = ASTExpression()
    expression.parameter.index = 1
    return expression
  }

  private func makeTable(_ name: String) -> RemoteStatement { .sql("CREATE TABLE \(name)(a INTEGER PRIMARY KEY)") }

  @Test func `a server that denies raw SQL refuses it in every place and takes trees`() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data", arguments: ["--deny", "raw"])
    let url = server.url(database: "db")
    let database = try DatabaseClient(url, configuration: .init(createsDatabase: true))
    let tree = try select(parameter)
    #expect(try await database.fetchOne(tree, [.integer(7)])?.get(Int64.self, 0) == 7)
    #expect(await reason { _ = try await database.fetchOne(Self.text) } == .permission)
    let fragment = try select(rawExpression)
    // Again and again: the second time the client would send the shape if the server knew it.
    for _ in 0..<3 {
      #expect(await reason { _ = try await database.fetchOne(fragment) } == .permission)
      #expect(await reason { try await database.batch([BatchStep(Self.text)]) } == .permission)
      #expect(await reason { _ = try await database.write { try await $0.execute(Self.text) } } == .permission)
      #expect(await reason { _ = try await database.read { try await $0.execute(Self.text) } } == .permission)
    }
    var configuration = ClientConfiguration()
    configuration.setup = [.sql("CREATE TEMPORARY VIEW v AS SELECT 1")]
    let prepared = try DatabaseClient(url, configuration: configuration)
    #expect(await reason { try await prepared.ping() } == .permission)
    await prepared.close()
    await database.close()
  }

  @Test func `a server that denies changes of the schema refuses them as trees and as text, and takes rows`()
    async throws
  {
    let folder = try TemporaryFolder()
    var server = try ServerProcess(directory: folder.path + "/data")
    var database = try DatabaseClient(server.url(database: "db"), configuration: .init(createsDatabase: true))
    try await database.execute(makeTable("t"))
    await database.close()
    server.terminate()

    server = try ServerProcess(directory: folder.path + "/data", arguments: ["--deny", "schema"])
    database = try DatabaseClient(server.url(database: "db"))
    var drop = ASTDrop()
    drop.kind = .table
    drop.name = "t"
    var tree = ASTStatement()
    tree.drop = drop
    let changes: [RemoteStatement] = [
      makeTable("u"), .sql("DROP TABLE t"), .sql("ALTER TABLE t ADD COLUMN b"), .sql("CREATE INDEX i ON t(a)"),
      .sql("CREATE VIEW v AS SELECT 1"), .sql("CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END"),
      .sql("CREATE VIRTUAL TABLE f USING fts5(a)"), try RemoteStatement(tree),
    ]
    for change in changes {
      #expect(await reason { try await database.execute(change) } == .permission)
      #expect(await reason { _ = try await database.write { try await $0.execute(change) } } == .permission)
    }
    try await database.execute(.sql("INSERT INTO t VALUES (1)"))
    let count = try await database.fetchOne(.sql("SELECT count(*) FROM t", isRead: true))
    #expect(try count?.get(Int64.self, 0) == 1)
    await database.close()
  }

  @Test func `what is denied over TCP is allowed on a Unix socket of the same server`() async throws {
    let folder = try TemporaryFolder()
    let socket = "martlet+unix://\(folder.path)/s"
    let server = try ServerProcess(
      directory: folder.path + "/data", arguments: ["--deny", "drop", "--deny-tcp", "raw", "--listen", socket])
    let local = try DatabaseClient(socket + "?db=db", configuration: .init(createsDatabase: true))
    try await local.execute(makeTable("t"))
    let remote = try DatabaseClient(server.url(database: "db"))
    for _ in 0..<3 {
      #expect(try await local.fetchOne(Self.text)?.get(Int64.self, 0) == 1)
      #expect(await reason { _ = try await remote.fetchOne(Self.text) } == .permission)
    }
    await local.close()
    await remote.close()
  }

  @Test func `a server can deny making databases and inspecting`() async throws {
    let folder = try TemporaryFolder()
    var server = try ServerProcess(directory: folder.path + "/data")
    var database = try DatabaseClient(server.url(database: "there"), configuration: .init(createsDatabase: true))
    try await database.execute(makeTable("t"))
    _ = try await database.inspect()
    await database.close()
    server.terminate()

    server = try ServerProcess(directory: folder.path + "/data", arguments: ["--deny", "create,inspect"])
    database = try DatabaseClient(server.url(database: "there"), configuration: .init(createsDatabase: true))
    #expect(try await database.fetchOne(Self.text)?.get(Int64.self, 0) == 1)
    #expect(await reason { _ = try await database.inspect() } == .permission)
    await database.close()
    database = try DatabaseClient(server.url(database: "missing"), configuration: .init(createsDatabase: true))
    #expect(await reason { try await database.ping() } == .permission)
    await database.close()
  }
}
