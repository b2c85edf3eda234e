/// A server that the system gives few descriptors: it serves as many as fit, and tells the rest.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import Testing

@Suite(.serialized) struct DescriptorTests {
  @Test(arguments: [256, 512]) func `connections beyond the limit on open files are told so`(limit: Int) async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data", descriptorLimit: limit)
    var sockets: [HelloSocket] = []
    var refused = 0
    for _ in 0..<(limit * 2) {
      let socket = try HelloSocket(server.url, database: "db")
      switch try socket.answer() {
      case .hello: sockets.append(socket)
      case .error(let reason):
        #expect(reason == "OVERLOADED")
        refused += 1
      }
    }
    #expect(sockets.count >= limit / 4, "\(sockets.count) of \(limit)")
    #expect(refused == limit * 2 - sockets.count)
    #expect(try server.openDescriptors() < limit)
    print("nofile \(limit): \(sockets.count) connections served, \(refused) told OVERLOADED")
    // It does its work, and takes others again once some have gone.
    let count = sockets.count
    sockets.removeAll()
    var configuration = ClientConfiguration(createsDatabase: true)
    configuration.connectAttemptsMax = 20
    let database = try DatabaseClient(server.url(database: "db"), configuration: configuration)
    try await database.execute(.sql("CREATE TABLE t(a)"))
    try await database.execute(.sql("INSERT INTO t VALUES (1)"))
    await database.close()
    for _ in 0..<(count / 2) {
      let socket = try HelloSocket(server.url, database: "db")
      if case .hello = try socket.answer() { sockets.append(socket) }
    }
    #expect(sockets.count >= count / 2 - 2)
    sockets.removeAll()
    #expect(server.terminate() == 0)
  }

  @Test func `a server that could serve nobody does not start, and says what it needs`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: ServerProcess.Failure.self) {
      _ = try ServerProcess(directory: folder.path + "/data", descriptorLimit: 40)
    }
  }
}
