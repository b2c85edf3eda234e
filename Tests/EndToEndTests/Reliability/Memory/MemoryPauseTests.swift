/// A request that waits for memory while others have it: it goes on when they have gone, and not at the end of the
/// longest wait.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct MemoryPauseTests {
  @Test func `who has come with most of a large request goes on as soon as the others have gone`() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data", arguments: ["--memory", "64M"])
    let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
    let watcher = try ServerClient(MartletURL(server.url))
    func counter(_ name: String) async throws -> Int64 {
      try await watcher.inspect().counters.first { $0.name == name }?.value ?? 0
    }
    let insert = MemoryClient.raw("SELECT length(?1)", [.blob([UInt8](repeating: 7, count: 3_600_000))])
    // It holds more than half of what one may have who is alone, and less than that.
    let waiting = try MemoryClient(port: port)
    let frame = waiting.frame(2, insert)
    waiting.send(Array(frame[..<3_300_000]))
    try await suspendUntil { try await counter("memory_held_bytes") > 3_200_000 }
    // Others take so much that its share is less than what it has.
    let others = try (0..<24).map { _ in try MemoryClient(port: port) }
    var sent = [Int](repeating: 0, count: others.count)
    try await suspendUntil {
      for (index, client) in others.enumerated() {
        sent[index] += client.sendWithoutWaiting(frame[sent[index]..<3_000_000])
      }
      return try await counter("memory_held_bytes") > 30_000_000
    }
    let pauses = try await counter("memory_pauses")
    let rest = Thread { waiting.send(Array(frame[3_300_000...])) }
    rest.start()
    try await suspendUntil { try await counter("memory_pauses") > pauses }
    for client in others { client.shutDown() }
    let gone = ContinuousClock.now
    #expect(try waiting.rowsOrError().isRows)
    let waited = ContinuousClock.now - gone
    print("a request of 3.6 MB went on \(waited) after the others had gone")
    #expect(waited < .milliseconds(Limits().memoryPauseMs) / 2)
    await watcher.close()
    #expect(server.terminate() == 0)
  }
}

extension Result {
  fileprivate var isRows: Bool { if case .success = self { true } else { false } }
}
