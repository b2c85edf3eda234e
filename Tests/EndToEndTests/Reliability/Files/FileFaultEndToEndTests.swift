/// Files that go under a running server, from the client's side: what is refused, what is checked, and how it ends.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@Suite(.serialized) struct FileFaultEndToEndTests {
  private static let insert = RemoteStatement.sql("INSERT INTO t(a) VALUES (?1)")
  private static let count = RemoteStatement.sql("SELECT count(*) FROM t", isRead: true)

  private struct Bench {
    let folder: TemporaryFolder
    let server: ServerProcess
    let shop: DatabaseClient
    let neighbour: DatabaseClient

    var data: String { folder.path + "/data" }
    var file: String { data + "/shop.sqlite" }

    init() async throws {
      folder = try TemporaryFolder()
      server = try ServerProcess(directory: folder.path + "/data")
      shop = try Self.open(server, "shop")
      neighbour = try Self.open(server, "neighbour")
      for database in [shop, neighbour] {
        try await database.execute(.sql("CREATE TABLE t(a INTEGER PRIMARY KEY)"))
        try await database.execute(insert, [1])
      }
    }

    static func open(_ server: ServerProcess, _ name: String) throws -> DatabaseClient {
      try DatabaseClient(server.url(database: name), configuration: ClientConfiguration(createsDatabase: true))
    }

    func close() async {
      await shop.close()
      await neighbour.close()
    }
  }

  @Test func `a moved database is refused, comes back by unfence, and its sessions go on`() async throws {
    let bench = try await Bench()
    for round in 0..<3 {
      #expect(rename(bench.file, bench.file + ".away") == 0)
      let refused = await #expect(throws: RequestError.self) { try await bench.shop.execute(Self.insert, [100]) }
      #expect(refused?.reason == .fenced)
      #expect(refused?.message.contains("shop.sqlite") == true)
      try await bench.neighbour.execute(Self.insert, [.integer(Int64(round + 10))])
      let early = await #expect(throws: RequestError.self) { try await bench.shop.unfence() }
      #expect(early?.message.contains("still there") == true)
      #expect(rename(bench.file + ".away", bench.file) == 0)
      try await bench.shop.unfence(deadline: .seconds(60))
      // The same connections write and read; the write whose outcome was unknown may be there.
      try await bench.shop.execute(Self.insert, [.integer(Int64(round + 10))])
      _ = try await bench.shop.execute(.sql("DELETE FROM t WHERE a = 100"))
      let rows = try await bench.shop.fetchAll(Self.count)
      #expect(try rows.first?.get(Int64.self, 0) == Int64(round + 2))
    }
    let again = await #expect(throws: RequestError.self) { try await bench.shop.unfence() }
    #expect(again?.message.contains("not fenced") == true)
    #expect(try await bench.shop.check().isOk)
    await bench.close()
    #expect(bench.server.terminate() == 0)
  }

  @Test func `a server whose log's index is cut says which file that was, and has lost nothing`() async throws {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    #expect(FileManager.default.createFile(atPath: log, contents: nil))
    let errors = FileHandle(forWritingAtPath: log)
    let server = try ServerProcess(directory: folder.path + "/data", errors: errors)
    let shop = try Bench.open(server, "shop")
    try await shop.execute(.sql("CREATE TABLE t(a INTEGER PRIMARY KEY)"))
    var acknowledged: Int64 = 0
    for _ in 0..<50 {
      try await shop.execute(Self.insert, [.integer(acknowledged)])
      acknowledged += 1
    }
    #expect(truncate(folder.path + "/data/shop.sqlite-shm", 0) == 0)
    try await suspendUntil(within: .seconds(30)) {
      if (try? await shop.execute(Self.insert, [.integer(acknowledged)])) != nil { acknowledged += 1 }
      return !server.isRunning
    }
    await shop.close()
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains("shop.sqlite-shm was cut by another program"))
    let again = try ServerProcess(directory: folder.path + "/data")
    let database = try Bench.open(again, "shop")
    let rows = try await database.fetchAll(Self.count)
    #expect(try rows.first?.get(Int64.self, 0) ?? 0 >= acknowledged)
    #expect(try await database.check().isOk)
    await database.close()
    #expect(again.terminate() == 0)
  }

  @Test func `a directory that was removed and made again takes databases after unfence`() async throws {
    let bench = try await Bench()
    #expect(rename(bench.data, bench.data + "-away") == 0)
    await #expect(throws: RequestError.self) { try await bench.shop.execute(Self.insert, [2]) }
    try FileManager.default.createDirectory(atPath: bench.data, withIntermediateDirectories: false)
    for file in ["shop.sqlite", "shop.sqlite-wal"] {
      try FileManager.default.copyItem(atPath: bench.data + "-away/" + file, toPath: bench.data + "/" + file)
    }
    try await bench.shop.unfence(deadline: .seconds(60))
    try await bench.shop.execute(Self.insert, [3])
    let second = try Self.run(["serve", "--data", bench.data, "--listen", "martlet://127.0.0.1:0"])
    #expect(second.status == 1)
    await bench.close()
    #expect(bench.server.terminate() == 0)
  }

  @Test func `a database that took the name is not joined with the log of the former one`() async throws {
    let bench = try await Bench()
    try FileManager.default.copyItem(atPath: bench.data + "/neighbour.sqlite", toPath: bench.data + "/copy")
    #expect(rename(bench.data + "/copy", bench.file) == 0)
    await #expect(throws: RequestError.self) { try await bench.shop.execute(Self.insert, [2]) }
    let refused = await #expect(throws: RequestError.self) { try await bench.shop.unfence() }
    #expect(refused?.message.contains("shop.sqlite-wal belongs to another") == true, "\(String(describing: refused))")
    await bench.close()
    bench.server.kill()
  }

  @Test func `a check finds what is damaged, and says so in text, in JSON and by its exit code`() async throws {
    let bench = try await Bench()
    try await bench.shop.execute(.sql("CREATE TABLE child(a INTEGER REFERENCES t(a))"))
    try await bench.shop.execute(.sql("CREATE TABLE b(x UNIQUE)"))
    try await bench.shop.execute(
      .sql("INSERT INTO b WITH n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<2000) SELECT i FROM n"))
    for whole in [false, true] {
      let report = try await bench.shop.check(wholeFile: whole)
      #expect(report.isOk)
      #expect(report.entries.contains { $0.object == "page_count" && ($0.value ?? 0) > 1 })
    }
    let url = bench.server.url(database: "shop")
    let fine = try Self.run(["check", url])
    #expect(fine.status == 0 && fine.output.contains("Nothing is wrong."))
    await bench.close()
    #expect(bench.server.terminate() == 0)
    try Self.damage(bench.file)
    let server = try ServerProcess(directory: bench.data)
    let broken = try Self.run(["check", server.url(database: "shop"), "--json"])
    #expect(broken.status == 2)
    #expect(broken.output.contains("\"ok\" : false") && broken.output.contains("integrity"))
    server.terminate()
  }

  /// Overwrites the middle of the file's last pages, which are the index's.
  private static func damage(_ path: String) throws {
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    let bytes = try handle.seekToEnd()
    for page in 1...4 {
      try handle.seek(toOffset: bytes - UInt64(page) * 4096 + 2_000)
      try handle.write(contentsOf: Data(repeating: 0x5A, count: 64))
    }
    try handle.close()
  }

  @Test func `moving a database away and back under load loses nothing and harms no neighbour`() async throws {
    let bench = try await Bench()
    let rounds = scale("MARTLET_FILE_ROUNDS", otherwise: 5)
    for round in 0..<rounds {
      let base = Int64(1_000_000 * (round + 1))
      let (shop, neighbour) = (bench.shop, bench.neighbour)
      let (seen, seenOfNeighbour) = (Acknowledged(), Acknowledged())
      async let neighbours = Self.write(to: neighbour, from: base, count: 200, seen: seenOfNeighbour)
      async let acknowledged = Self.write(to: shop, from: base, count: 200_000, seen: seen)
      try await suspendUntil { seen.count > 0 && seenOfNeighbour.count > 0 }
      for _ in 0..<20 {
        _ = rename(bench.file, bench.file + ".away")
        // It is away for so long: some commits see that, others do not.
        usleep(500)
        _ = rename(bench.file + ".away", bench.file)
      }
      _ = rename(bench.file, bench.file + ".away")
      let (written, other) = await (acknowledged, neighbours)
      #expect(other.count == 200)
      _ = rename(bench.file + ".away", bench.file)
      try await bench.shop.unfence(deadline: .seconds(60))
      let rows = try await bench.shop.fetchAll(
        .sql("SELECT a FROM t WHERE a >= \(base)", isRead: true))
      let present = Set(try rows.map { try $0.get(Int64.self, 0) })
      #expect(Set(written).subtracting(present).isEmpty)
    }
    #expect(try await bench.shop.check(wholeFile: true).isOk)
    await bench.close()
    #expect(bench.server.terminate() == 0)
  }

  /// How many writes have been acknowledged by now.
  private final class Acknowledged: Sendable {
    private let number = Atomic(0)
    var count: Int { number.load(ordering: .relaxed) }
    func note() { number.add(1, ordering: .relaxed) }
  }

  /// Inserts numbers until one is refused; returns those that were acknowledged.
  private static func write(
    to database: DatabaseClient, from first: Int64, count: Int64, seen: Acknowledged
  ) async -> [Int64] {
    var acknowledged: [Int64] = []
    for number in first..<(first + count) {
      do {
        try await database.execute(insert, [.integer(number)])
        acknowledged.append(number)
        seen.note()
      } catch {
        return acknowledged
      }
    }
    return acknowledged
  }

  @Test func `of two servers of one port or one directory that start at once one serves`() async throws {
    let folder = try TemporaryFolder()
    // An address that no connection comes from, which could have the port between two rounds.
    let host = "127.1.\(Int.random(in: 0...255)).\(Int.random(in: 1...254))"
    let port = try Self.freePort()
    for round in 0..<scale("MARTLET_START_ROUNDS", otherwise: 10) {
      let isOneDirectory = round % 2 == 0
      let outcomes = try (0..<2).map { number in
        let data = isOneDirectory ? folder.path + "/one" : folder.path + "/data\(number)"
        let listen = isOneDirectory ? "martlet://127.0.0.1:0" : "martlet://\(host):\(port)"
        return try Start(data: data, listen: listen, ready: folder.path + "/ready\(round)-\(number)")
      }
      let ready = try outcomes.map { try $0.waitUntilReadyOrEnded() }
      #expect(ready.filter { $0 }.count == 1, "round \(round)")
      for start in outcomes { start.end() }
    }
  }

  private static func freePort() throws -> Int {
    let server = try ServerProcess(directory: try TemporaryFolder().path + "/data")
    let port = Int(server.url.split(separator: ":").last ?? "") ?? 0
    server.kill()
    return port
  }

  /// A server that may not come up.
  private final class Start {
    private let process = Process()
    private let ready: String

    init(data: String, listen: String, ready: String) throws {
      self.ready = ready
      process.executableURL = URL(filePath: try ServerProcess.program())
      process.arguments = [
        "serve", "--data", data, "--listen", listen, "--ready-file", ready, "--log-level", "critical",
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    deinit { end() }

    /// Whether it is ready.
    func waitUntilReadyOrEnded() throws -> Bool {
      var isReady = false
      try waitUntil("a server neither is ready nor ends") {
        guard process.isRunning else { return true }
        isReady = FileManager.default.fileExists(atPath: ready)
        return isReady
      }
      return isReady
    }

    func end() {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
    }
  }

  /// Runs a verb, and returns its exit code and what it printed.
  private static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: try ServerProcess.program())
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
