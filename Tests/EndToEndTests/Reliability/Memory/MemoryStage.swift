import Foundation
import MartletClient
import MartletProtocol
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

/// A server with a budget, a neighbour that makes small requests, and the most memory that was seen.
// Unchecked because the process's handle is only asked for its memory, from one task at a time.
final class MemoryStage: @unchecked Sendable {
  let folder: TemporaryFolder
  let server: ServerProcess
  let port: UInt16
  let base: Int
  let most = Atomic<Int>(0)
  private let neighbour: DatabaseClient
  private let isOver = Atomic<Bool>(false)
  private let served = Atomic<Int>(0)
  private let failed = Mutex<[String]>([])
  private let slowest = Mutex(Duration.zero)

  init(addressBytes: Int? = nil) async throws {
    folder = try TemporaryFolder()
    let arguments = addressBytes == nil ? ["--memory", "\(MemoryTests.budget >> 20)M"] : []
    server = try ServerProcess(
      directory: folder.path + "/data", arguments: arguments, addressBytes: addressBytes)
    port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
    let database = try DatabaseClient(server.url(database: "db"), configuration: .init(createsDatabase: true))
    try await database.execute(.sql("CREATE TABLE t(a)"))
    await database.close()
    neighbour = try DatabaseClient(server.url(database: "other"), configuration: .init(createsDatabase: true))
    try await neighbour.execute(.sql("CREATE TABLE t(a)"))
    // What a first use leaves is no peak.
    for _ in 0..<50 { try await neighbour.execute(.sql("INSERT INTO t VALUES (1)")) }
    try await Self.useOnce(neighbour)
    // Nothing says when the server has given back what it can: the base is what it holds when that stays the same.
    var settled = try server.residentBytes()
    try await suspendUntilQuiet(looks: 500) { [server] in
      let bytes = try server.residentBytes()
      defer { settled = bytes }
      return abs(bytes - settled) > settled / 200
    }
    base = settled
  }

  /// One large batch, whose code and first blocks of the allocator stay.
  private static func useOnce(_ database: DatabaseClient) async throws {
    try await database.execute(.sql("CREATE TABLE w(a)"))
    let blob = Value.blob([UInt8](repeating: 1, count: 3_900))
    try await database.batch { batch in
      for _ in 0..<900 { batch.add(.sql("INSERT INTO w VALUES (?1)"), [.value(blob)]) }
    }
    try await database.execute(.sql("DROP TABLE w"))
  }

  func watch() async {
    // A test's own limit comes first.
    try? await suspendUntil(within: .seconds(600)) {
      let bytes = (try? server.residentBytes()) ?? 0
      most.store(max(bytes, most.load(ordering: .relaxed)), ordering: .relaxed)
      return isOver.load(ordering: .relaxed)
    }
  }

  /// Small reads and writes, one after another, until the stage is over.
  func serveNeighbour() async {
    while !isOver.load(ordering: .relaxed), !Task.isCancelled {
      let begun = ContinuousClock.now
      do {
        try await neighbour.execute(.sql("INSERT INTO t VALUES (1)"))
        _ = try await neighbour.fetchOne(.sql("SELECT count(*) FROM t", isRead: true))
        served.add(1, ordering: .relaxed)
      } catch {
        failed.withLock { $0.append("\(error)") }
      }
      slowest.withLock { $0 = max($0, ContinuousClock.now - begun) }
      // The pace of one who makes small requests: it is to measure the others, and not to be a load of its own.
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Whether memory comes back in time to a tenth above what it was: a page cache may be idle for so long.
  func comesBack() async throws -> Bool {
    do {
      try await suspendUntil(within: .seconds(15)) { try server.residentBytes() <= base + base / 10 }
      return true
    } catch is NeverMet {
      return false
    }
  }

  func end(_ name: String, budget: Int = MemoryTests.budget) async throws {
    let isBack = try await comesBack()
    isOver.store(true, ordering: .relaxed)
    let peak = most.load(ordering: .relaxed)
    print(
      "memory, \(name): \(base >> 20) MiB idle, \(peak >> 20) MiB at most, \(try server.residentBytes() >> 20) after; "
        + "\(served.load(ordering: .relaxed)) of a neighbour, the slowest \(slowest.withLock { $0 })")
    #expect(server.isRunning)
    #expect(peak <= base + budget + MemoryTests.slack)
    #expect(isBack, "memory did not come back")
    #expect(failed.withLock { $0 } == [])
    #expect(served.load(ordering: .relaxed) > 10)
    await neighbour.close()
  }
}
