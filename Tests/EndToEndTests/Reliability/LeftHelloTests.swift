/// Clients that say hello and are gone before they are answered: their places are free soon, and others are let in.
import Foundation
import MartletAST
import MartletClient
import MartletProtocol
import MartletTestSupport
import Testing

@Suite(.serialized) struct LeftHelloTests {
  private static let count = 1_500
  private static let viewCount = 40

  /// A hello whose setup nobody has announced before, so that the server has to open the database for it.
  private static func hello(_ number: Int) -> [UInt8] {
    let setup = (0..<viewCount).map { view -> [UInt8] in
      ASTStatement.raw("CREATE TEMP VIEW v\(view)_\(number) AS SELECT \(view)").serialized
    }
    return ClientMessageEncoder.bytes(
      of: ClientMessage(requestID: 1, kind: .hello(.init(database: "db", client: "left", setup: setup))))
  }

  @Test func `whoever comes while a thousand have said hello and left is let in, and nothing of theirs stays`()
    async throws
  {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data")
    let database = try DatabaseClient(server.url(database: "db"), configuration: .init(createsDatabase: true))
    try await database.execute(.sql("CREATE TABLE t(a)"))
    let port = try #require(Int(server.url.split(separator: ":").last ?? ""))
    let idle = try server.openDescriptors()

    var most = 0
    for number in 0..<Self.count {
      let socket = try BlockingSocket(port: port, seconds: 60)
      #expect(socket.send(Self.hello(number)))
      socket.close()
      guard number % 100 == 99 else { continue }
      most = max(most, try server.openDescriptors() - idle)
      let newcomer = try HelloSocket(server.url, database: "db")
      #expect(try newcomer.answer() == .hello, "after \(number + 1)")
    }
    var left = 0
    try await suspendUntil("\(left) descriptors of clients that have gone", within: .seconds(10)) {
      left = try server.openDescriptors() - idle
      return left <= 64
    }
    print("left hellos: \(Self.count), at most \(most) descriptors at once")
    #expect(most < 1_000, "their places were kept for as long as they would have waited")
    try await database.execute(.sql("INSERT INTO t VALUES (1)"))
    await database.close()
  }
}
