/// Clients that ask for more memory than there is: the server stays within its budget, serves others, and gives it
/// back.
import Foundation
import MartletClient
import MartletProtocol
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct MemoryTests {
  /// 1 in a quick run; ten or so for the numbers of the issue.
  private static let factor = scale("MARTLET_MEMORY_FACTOR", otherwise: 1)
  static let budget = 96 << 20

  /// What is beside the budget: requests that were taken before anybody knew, copies on their way, the allocator's
  /// rest, and the code of a test's build.
  static let slack = 96 << 20

  /// Runs blocking work on threads of its own, and returns the result of each.
  private static func onThreads<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Result
  ) async -> [Swift.Result<Result, any Error>] {
    await withTaskGroup(of: Swift.Result<Result, any Error>.self) { group in
      for index in 0..<count {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Swift.Result { try body(index) }) }
          }
        }
      }
      var results: [Swift.Result<Result, any Error>] = []
      for await result in group { results.append(result) }
      return results
    }
  }

  private static func run(
    _ name: String, addressBytes: Int? = nil, budget: Int = MemoryTests.budget,
    _ body: (MemoryStage) async throws -> Void
  ) async throws {
    let stage = try await MemoryStage(addressBytes: addressBytes)
    async let watching: Void = stage.watch()
    async let neighbour: Void = stage.serveNeighbour()
    try await body(stage)
    try await stage.end(name, budget: budget)
    _ = await (watching, neighbour)
  }

  /// Connections with pipelined inserts of 3.9 MB behind a write transaction that somebody holds. Gives how they ended.
  private static func pipelined(
    _ stage: MemoryStage, connections: Int, each count: Int
  ) async throws -> [RequestError.Reason?: Int] {
    let holder = try MemoryClient(port: stage.port)
    holder.send(holder.frame(2, .begin(.write, deadlineMs: 0)))
    _ = try holder.receive()
    let port = stage.port
    let insert = MemoryClient.raw(
      "INSERT INTO t VALUES (?1)", [.blob([UInt8](repeating: 7, count: 3_900_000))], deadlineMs: 20_000)
    let results = await onThreads(connections) { _ in
      let client = try MemoryClient(port: port)
      let reader = Mutex<[RequestError.Reason?]>([])
      let isRead = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let endings = (try? client.endings(of: count)) ?? []
        reader.withLock { $0 = endings }
        isRead.signal()
      }
      var frame = client.frame(2, insert)
      for id in 0..<count {
        MemoryClient.renumber(&frame, UInt32(2 + id))
        guard client.send(frame) else { break }
      }
      isRead.wait()
      return reader.withLock { $0 }
    }
    holder.shutDown()
    var sum: [RequestError.Reason?: Int] = [:]
    for result in results { for ending in try result.get() { sum[ending, default: 0] += 1 } }
    return sum
  }

  // MARK: - Requests that wait

  @Test func `inserts of megabytes behind a held transaction wait, are refused beyond the budget, and leave nothing`()
    async throws
  {
    try await Self.run("inserts") { stage in
      let endings = try await Self.pipelined(stage, connections: 4, each: 10 * Self.factor)
      #expect(endings.values.reduce(0, +) == 40 * Self.factor, "each is answered once: \(endings)")
      #expect(Set(endings.keys).isSubset(of: [nil, .memory]) && endings[nil, default: 0] > 0, "\(endings)")
    }
  }

  @Test func `batches of a thousand steps with values are counted as a whole`() async throws {
    try await Self.run("batches") { stage in
      let port = stage.port
      let holder = try MemoryClient(port: port)
      holder.send(holder.frame(2, .begin(.write, deadlineMs: 0)))
      _ = try holder.receive()
      let source = MemoryClient.source("INSERT INTO t VALUES (?1)")
      let steps = (0..<1_000).map { _ in
        StatementStep(
          source: .statement(source), parameters: [.value(.blob([UInt8](repeating: 1, count: 3_900)))])
      }
      let count = 6 * Self.factor
      let results = await Self.onThreads(4) { _ in
        let client = try MemoryClient(port: port)
        let first = client.frame(2, .batch(.init(steps: steps, isAtomic: true, deadlineMs: 30_000)))
        let isSent = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          var frame = first
          for id in 0..<count {
            MemoryClient.renumber(&frame, UInt32(2 + id))
            client.send(frame)
          }
          isSent.signal()
        }
        let endings = try client.endings(of: count)
        isSent.wait()
        return endings
      }
      for result in results { #expect(Set(try result.get()).isSubset(of: [nil, .memory])) }
      holder.shutDown()
    }
  }

  @Test func `halves of frames hold no more than the budget, and a whole one gets through beside them`() async throws {
    try await Self.run("halves") { stage in
      var halves: [(client: MemoryClient, sent: Int)] = []
      for _ in 0..<(200 * Self.factor) { halves.append((try MemoryClient(port: stage.port), 0)) }
      let claimed = withUnsafeBytes(of: UInt32(4_000_000).bigEndian) { [0] + Array($0) }
      let bytes = claimed + [0x0D, 2, 0, 0, 0, 0x1A] + [UInt8](repeating: 0x80, count: 2_000_000)
      // How much of the halves is taken is the server's to say: until it takes no more of them.
      try await suspendUntilQuiet(looks: 300) {
        var taken = 0
        for index in halves.indices where halves[index].sent < bytes.count {
          let count = halves[index].client.sendWithoutWaiting(bytes[halves[index].sent...])
          halves[index].sent += count
          taken += count
        }
        return taken > 0
      }
      // Those that have the memory are refused in time, so this one waits for no longer than that. It asks again after
      // a moment, as clients do: a connection that has waited is refused at once.
      let whole = try MemoryClient(port: stage.port)
      var endings: [RequestError.Reason?] = []
      try await suspendUntil("a whole frame gets through", within: .seconds(60)) {
        whole.send(
          whole.frame(
            UInt32(2 + endings.count),
            MemoryClient.raw("SELECT length(?1)", [.blob([UInt8](repeating: 1, count: 2_000_000))])))
        endings += try whole.endings(of: 1)
        return endings.last == .some(nil)
      }
      #expect(Set(endings).isSubset(of: [nil, .memory]), "\(endings)")
      for half in halves { half.client.shutDown() }
    }
  }

  // MARK: - Results that wait

  @Test func `rows of megabytes that nobody reads are refused where there is no room for more`() async throws {
    try await Self.run("unread rows") { stage in
      var clients: [MemoryClient] = []
      for _ in 0..<(60 * Self.factor) {
        let client = try MemoryClient(port: stage.port, window: 4_096)
        client.send(client.frame(2, MemoryClient.raw("SELECT zeroblob(3800000)", credit: .max)))
        clients.append(client)
      }
      // Nobody reads before each has the beginning of its rows, or its refusal.
      try await suspendUntil { clients.allSatisfy(\.hasAnswer) }
      var given = 0
      var refused = 0
      for client in clients {
        switch try client.rowsOrError() {
        case .success: given += 1
        case .failure(let error):
          #expect(error.reason == .memory && error.isRetryable && error.message.contains("96 MiB"))
          refused += 1
        }
      }
      #expect(given + refused == clients.count && given > 0 && refused > 0, "\(given) given, \(refused) refused")
      for client in clients { client.shutDown() }
    }
  }

  @Test func `what writes return is held within the budget, and a write that is refused for it changes nothing`()
    async throws
  {
    try await Self.run("returned rows") { stage in
      let sql =
        "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n "
        + "RETURNING zeroblob(1000000)"
      var clients: [MemoryClient] = []
      for _ in 0..<8 {
        let client = try MemoryClient(port: stage.port)
        for id in 0..<(4 * Self.factor) {
          client.send(client.frame(UInt32(2 + id), MemoryClient.raw(sql, deadlineMs: 20_000, credit: 1)))
        }
        clients.append(client)
      }
      var written = 0
      for client in clients {
        for id in 0..<(4 * Self.factor) { client.send(client.frame(UInt32(2 + id), .credit(bytes: .max))) }
        for ending in try client.endings(of: 4 * Self.factor) {
          #expect(ending == nil || ending == .memory)
          if ending == nil { written += 5 }
        }
      }
      #expect(written > 0)
      let reader = try DatabaseClient(stage.server.url(database: "db"))
      let count = try await reader.fetchOne(.sql("SELECT count(*) FROM t", isRead: true))?.get(Int.self, 0)
      #expect(count == written, "a refused write left rows")
      await reader.close()
      for client in clients { client.shutDown() }
    }
  }

  @Test func `a row of gigabytes within SQLite is an error of its statement`() async throws {
    try await Self.run("a wide row") { stage in
      // With more functions in it no value could be so long.
      let values = (0..<200).map { "randomblob(\(4_900_000 + $0))" }.joined(separator: ", ")
      let client = try MemoryClient(port: stage.port)
      for id in 2..<5 as Range<UInt32> {
        client.send(client.frame(id, MemoryClient.raw("SELECT \(values)", deadlineMs: 30_000)))
        let endings = try client.endings(of: 1)
        #expect(endings == [.memory])
      }
    }
  }

  // MARK: - A bounded address space

  @Test func `within a thousand megabytes of addresses nothing of this ends the process`() async throws {
    try await Self.run("few addresses", addressBytes: 1_000_000_000, budget: 256 << 20) { stage in
      let endings = try await Self.pipelined(stage, connections: 30, each: 3 * Self.factor)
      #expect(endings.values.reduce(0, +) == 90 * Self.factor, "\(endings)")
      #expect(Set(endings.keys).isSubset(of: [nil, .memory, .deadline]), "\(endings)")
      var clients: [MemoryClient] = []
      for _ in 0..<(30 * Self.factor) {
        let client = try MemoryClient(port: stage.port, window: 4_096)
        client.send(client.frame(2, MemoryClient.raw("SELECT zeroblob(3800000)", credit: .max)))
        clients.append(client)
      }
      // All of them hold what they may before the first goes.
      try await suspendUntil { clients.allSatisfy(\.hasAnswer) }
      for client in clients { client.shutDown() }
    }
  }

  @Test func `clients that come and go with large requests leave nothing behind`() async throws {
    try await Self.run("come and go") { stage in
      let port = stage.port
      let results = await Self.onThreads(4) { _ in
        for _ in 0..<(25 * Self.factor) {
          let client = try MemoryClient(port: port)
          let frame = client.frame(
            2, MemoryClient.raw("SELECT length(?1)", [.blob([UInt8](repeating: 1, count: 3_000_000))]))
          client.send(Array(frame[..<1_500_000]))
          client.shutDown()
          let other = try MemoryClient(port: port, window: 4_096)
          other.send(other.frame(2, MemoryClient.raw("SELECT zeroblob(3000000)", credit: .max)))
          other.shutDown()
        }
      }
      for result in results { try result.get() }
    }
  }
}
