/// A server that the system gives few descriptors: it serves as many as fit, and tells the rest.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import MartletValues
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

  @Test func `connections for which there is no descriptor at all are told so, and served when there is one`()
    async throws
  {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    try Data().write(to: URL(filePath: log))
    let server = try ServerProcess(
      directory: folder.path + "/data", errors: FileHandle(forWritingTo: URL(filePath: log)), logLevel: "notice")
    var sockets: [HelloSocket] = []
    // Each loop has its reader by then.
    for _ in 0..<16 {
      sockets.append(try HelloSocket(server.url, database: "db"))
      #expect(try sockets.last?.answer() == .hello)
    }
    // Something other than connections has taken the rest: the server's plan knows nothing of it.
    let highest = try #require(server.descriptors().max())
    try server.limitDescriptors(to: highest + 8)
    var refused = 0
    for _ in 0..<200 {
      // Several at once, so that both loops accept, and each may get the number that the other has in reserve.
      for socket in try (0..<6).map({ _ in try HelloSocket(server.url, database: "db") }) {
        // One that is closed without a word throws, and so does one that nobody takes.
        switch try socket.answer() {
        case .hello: sockets.append(socket)
        case .error(let reason):
          #expect(reason == "OVERLOADED")
          refused += 1
        }
      }
    }
    #expect(refused > 1_000, "\(sockets.count) served")
    print("out of descriptors: \(sockets.count) connections served, \(refused) told OVERLOADED")
    let client = try ServerClient(MartletURL(server.url))
    try server.limitDescriptors(to: highest + 1_000)
    let counters = try await client.inspect().counters
    let counted = try #require(counters.first { $0.name == "connections_refused" }?.value)
    #expect(counted >= Int64(refused))
    await client.close()
    for _ in 0..<50 {
      sockets.append(try HelloSocket(server.url, database: "db"))
      #expect(try sockets.last?.answer() == .hello)
    }
    sockets.removeAll()
    #expect(server.terminate() == 0)
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("no file descriptor left") }
    #expect(lines.count > 0 && lines.count < refused, "\(lines.count) lines")
  }

  @Test func `a server that could serve nobody does not start, and says what it needs`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: ServerProcess.Failure.self) {
      _ = try ServerProcess(directory: folder.path + "/data", descriptorLimit: 40)
    }
  }
}

extension ServerProcess {
  fileprivate func descriptors() throws -> [Int] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/fd").compactMap { Int($0) }
  }

  fileprivate func limitDescriptors(to count: Int) throws { try limit("nofile", to: "\(count)") }
}
