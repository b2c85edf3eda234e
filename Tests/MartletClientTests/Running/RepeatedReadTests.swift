/// A read whose snapshot the server ended comes back by itself, as long as its caller has seen nothing of it.
import MartletValues
import Synchronization
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(1))) struct RepeatedReadTests {
  private let query = ClientRequest.query

  /// Ends the first `times` statements to make room, behind `rows` if there are any, and answers the others.
  private func server(evicting times: Int, behind rows: [Int64] = []) async throws -> FakeServer {
    let left = Mutex(times)
    return try await FakeServer { message, peer in
      let id = message.requestID
      guard case .execute = message.kind else { return peer.say(.completion(id)) }
      let isEvicted = left.withLock { left in
        left -= 1
        return left >= 0
      }
      guard isEvicted else { return peer.say(.columns(id, "n"), .rows(id, [7]), .completion(id)) }
      if !rows.isEmpty { peer.say(.columns(id, "n"), .rows(id, rows)) }
      peer.say(.error(id, .aborted, .snapshotEvicted, retryable: true))
    }
  }

  private func statements(_ server: FakeServer) -> Int {
    server.heard.count { if case .execute = $0.kind { true } else { false } }
  }

  @Test func `a read on its own is sent again, however it is asked for`() async throws {
    let server = try await server(evicting: 2)
    let database = try server.database()
    #expect(try await database.fetchAll(query).map { try $0.get(Int.self, 0) } == [7])
    #expect(statements(server) == 3)

    let second = try await self.server(evicting: 3)
    var seen: [Int64] = []
    for try await row in try await second.database().rows(query) { seen.append(try row.get(Int64.self, 0)) }
    #expect(seen == [7] && statements(second) == 4)
  }

  @Test func `rows that were collected and not handed over do not count`() async throws {
    let server = try await server(evicting: 1, behind: [1, 2])
    #expect(try await server.database().fetchAll(query).map { try $0.get(Int.self, 0) } == [7])
  }

  @Test func `a stream that has given rows is over`() async throws {
    let server = try await server(evicting: 1, behind: [1])
    var seen: [Int64] = []
    let error = await #expect(throws: RequestError.self) {
      for try await row in try await server.database().rows(query) { seen.append(try row.get(Int64.self, 0)) }
    }
    #expect(error?.reason == .snapshotEvicted && seen == [1] && statements(server) == 1)
  }

  @Test func `it ends, with the server's own error`() async throws {
    let server = try await server(evicting: 100)
    let database = try server.database { $0.readRepeatsMax = 2 }
    let error = await #expect(throws: RequestError.self) { try await database.fetchAll(query) }
    #expect(error?.reason == .snapshotEvicted && statements(server) == 3)
  }

  @Test func `a statement of a transaction is not sent again`() async throws {
    let server = try await server(evicting: 1)
    let database = try server.database()
    let error = await #expect(throws: RequestError.self) {
      try await database.read { [query] transaction in _ = try await transaction.fetchAll(query) }
    }
    #expect(error?.reason == .snapshotEvicted && statements(server) == 1)
  }
}
