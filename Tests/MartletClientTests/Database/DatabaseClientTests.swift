/// A remote database against a scripted server: reconnects, pipelining, shapes, cancellation, back-pressure.
import Foundation
import MartletValues
import NIOCore
import NIOPosix
import SwiftProtobuf
import Synchronization
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(1))) struct DatabaseClientTests {
  private let query = ClientRequest.query
  private let change = ClientRequest.change

  /// One row with the first parameter, or with 0.
  private static let echo: FakeServer.Script = { message, peer in
    let id = message.requestID
    switch message.kind {
    case .execute(let execute):
      peer.say(.columns(id, "n"), .rows(id, [execute.parameters.first?.integer ?? 0]), .completion(id, changed: 1))
    case .ping: peer.say(.pong(id))
    case .begin, .finish, .savepoint: peer.say(.completion(id))
    default: break
    }
  }

  @Test func `rows, completions and pings come back`() async throws {
    let server = try await FakeServer(script: Self.echo)
    let database = try server.database()
    try await database.ping()
    #expect(try await database.execute(change).rowsChanged == 1)
    #expect(try await database.fetchAll(query, [7]).map { try $0.get(Int.self, "n") } == [7])
    #expect(try await database.fetchOne(Int.self, query, [8]) == 8)
    var seen: [Int64] = []
    for try await row in try await database.rows(query, [9]) { seen.append(try row.get(Int64.self, 0)) }
    #expect(seen == [9])
    let batches = try await database.batches(query, [10])
    #expect(batches.columns.columns.map(\.name) == ["n"])
    for try await batch in batches { #expect(batch == .integers([10])) }
    #expect(batches.completion?.rowsChanged == 1)
    #expect(server.connections == 1)
    await database.close()
    await #expect(throws: ClientError.self) { try await database.ping() }
  }

  @Test func `many requests are in flight on one connection and end in any order`() async throws {
    let held = Mutex<[(UInt32, FakeServer.Peer)]>([])
    let server = try await FakeServer { message, peer in
      let ready = held.withLock { held in
        held.append((message.requestID, peer))
        return held.count == 20 ? held : []
      }
      for (id, peer) in ready.reversed() { peer.say(.completion(id, changed: Int64(id))) }
    }
    let database = try server.database { $0.pipelineDepth = 20 }
    let total = try await withThrowingTaskGroup(of: Int64.self) { [change] group in
      for _ in 0..<20 { group.addTask { try await database.execute(change).rowsChanged } }
      return try await group.reduce(0, +)
    }
    #expect(total == (2...21).reduce(0, +))
    #expect(server.connections == 1)
  }

  @Test func `a read whose connection is lost is sent again once, a write is not`() async throws {
    let server = try await FakeServer { message, peer in
      if peer.number == 1 { peer.hangUp() } else { Self.echo(message, peer) }
    }
    let database = try server.database()
    #expect(try await database.fetchAll(query, [3]).count == 1)
    #expect(server.connections == 2)

    let deaf = try await FakeServer { _, peer in peer.hangUp() }
    let second = try deaf.database()
    let write = await #expect(throws: ClientError.self) { try await second.execute(change) }
    #expect(write?.code == .connectionLost && write?.isOutcomeUnknown == true && write?.isRetryable == false)
    #expect(deaf.connections == 1)
    let read = await #expect(throws: ClientError.self) { try await second.execute(query) }
    #expect(read?.code == .connectionLost && read?.isOutcomeUnknown == false && read?.isRetryable == true)
    #expect(deaf.connections == 3)
  }

  @Test func `a stream that has given rows is not started again`() async throws {
    let server = try await FakeServer { message, peer in
      peer.say(.columns(message.requestID, "n"), .rows(message.requestID, [1]))
      peer.hangUp()
    }
    var rows = try await server.database().rows(query).makeAsyncIterator()
    #expect(try await rows.next() != nil)
    await #expect(throws: ClientError.self) { try await rows.next() }
    #expect(server.connections == 1)
  }

  @Test func `a server that goes away hands over to the next connection`() async throws {
    let server = try await FakeServer { message, peer in
      Self.echo(message, peer)
      if peer.number == 1 { peer.say(.closing) }
    }
    let database = try server.database()
    for number in 1...3 { #expect(try await database.fetchAll(query, [.integer(Int64(number))]).count == 1) }
    #expect(server.connections == 2)
  }

  @Test func `an unknown shape is answered with the bytes without the program seeing it`() async throws {
    let query = query
    let server = try await FakeServer { message, peer in
      if message.execute.shape.isEmpty {
        peer.say(.completion(message.requestID, shape: query.shape))
      } else {
        peer.say(.error(message.requestID, .failedPrecondition, .unprepared))
      }
    }
    let database = try server.database()
    for _ in 0..<2 { try await database.execute(query) }
    #expect(server.heard.map { $0.execute.shape.isEmpty } == [true, false, true])
  }

  @Test func `no server is one sentence`() async throws {
    let server = try await FakeServer(script: Self.echo)
    try await server.stopListening()
    let error = await #expect(throws: ClientError.self) { try await DatabaseClient.connect(to: server.url()) }
    #expect(error?.code == .cannotConnect)
    #expect(error?.message.hasSuffix("there is no such socket; is the server running?") == true)
    let database = try server.database()
    await #expect(throws: ClientError.self) { try await database.ping() }
    try await server.reopen()
    try await database.ping()
    #expect(throws: ClientError.self) { try DatabaseClient("martlet://localhost") }
    #expect(throws: ClientError.self) { try DatabaseClient("martlet://localhost:0/shop") }
    #expect(throws: ClientError.self) { try DatabaseClient("http://localhost/shop") }
  }

  @Test func `a refused database is the server's error`() async throws {
    let server = try await FakeServer(greets: false) { message, peer in
      peer.say(.error(message.requestID, .notFound, .unknownDatabase))
    }
    let database = try server.database()
    let error = await #expect(throws: RequestError.self) { try await database.ping() }
    #expect(error?.reason == .unknownDatabase)
    #expect(server.connections == 1)
  }

  @Test func `a server that never says hello is given up`() async throws {
    let server = try await FakeServer(greets: false) { _, _ in }
    let database = try server.database {
      $0.connectTimeout = .milliseconds(20)
      $0.connectAttemptsMax = 2
    }
    let error = await #expect(throws: ClientError.self) { try await database.ping() }
    #expect(error?.code == .cannotConnect)
    #expect(server.connections == 2)
  }

  @Test func `what is no Martlet server is told as such`() async throws {
    // A server of another protocol, and one that wants TLS.
    for bytes in [Array("SSH-2.0-OpenSSH\r\n".utf8), [0x15, 3, 3, 0, 2, 2, 80]] {
      let server = try await FakeServer(greets: false) { _, peer in peer.say(raw: bytes) }
      let error = await #expect(throws: ClientError.self) { try await server.database().ping() }
      #expect(error?.code == .protocolViolation && error?.message.contains("martlet+tls://") == true, "\(bytes)")
    }
  }

  @Test func `garbage is an error and the next request gets a new connection`() async throws {
    let server = try await FakeServer { message, peer in
      if peer.number == 1 { peer.say(raw: Array("SSH-2.0-OpenSSH".utf8)) } else { Self.echo(message, peer) }
    }
    let database = try server.database()
    let error = await #expect(throws: ClientError.self) { try await database.execute(query) }
    #expect(error?.code == .protocolViolation)
    try await database.ping()
  }

  @Test func `a cancelled task cancels at the server and ends as cancelled`() async throws {
    let server = try await FakeServer { message, peer in
      if case .cancel = message.kind { peer.say(.error(message.requestID, .cancelled, .cancelled)) }
    }
    let database = try server.database()
    let task = Task { [change] in try await database.execute(change) }
    await server.hears { $0.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.heard.map(\.requestID) == [2, 2])
  }

  @Test func `a write that happened in spite of the cancel is reported as done`() async throws {
    let server = try await FakeServer { message, peer in
      if case .cancel = message.kind { peer.say(.completion(message.requestID, changed: 5)) }
    }
    let database = try server.database()
    let task = Task { [change] in try await database.execute(change) }
    await server.hears { $0.count == 1 }
    task.cancel()
    #expect(try await task.value.rowsChanged == 5)
  }

  @Test func `a stream that is dropped is cancelled at the server`() async throws {
    let server = try await FakeServer { message, peer in
      if case .execute = message.kind { peer.say(.columns(message.requestID, "n"), .rows(message.requestID, [1])) }
    }
    let database = try server.database()
    do {
      var rows = try await database.rows(query).makeAsyncIterator()
      #expect(try await rows.next()?.get(Int.self, 0) == 1)
    }
    await server.hears { $0.contains { if case .cancel = $0.kind { true } else { false } } }
    let task = Task { [query] in
      for try await _ in try await database.rows(query) {}
    }
    await server.hears { $0.count { if case .execute = $0.kind { true } else { false } } == 2 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await server.hears { $0.count { if case .cancel = $0.kind { true } else { false } } == 2 }
  }

  /// What a program makes of the rows of one statement: how many it was given.
  enum Reading: String, CaseIterable, Sendable {
    case rows, batches, fetchAll, fetchOne, first

    func count(_ database: DatabaseClient, _ statement: RemoteStatement) async throws -> Int {
      var count = 0
      switch self {
      case .rows: for try await _ in try await database.rows(statement) { count += 1 }
      case .batches: for try await batch in try await database.batches(statement) { count += batch.rowCount }
      case .fetchAll: count = try await database.fetchAll(statement).count
      case .fetchOne: count = try await database.fetchOne(Int.self, statement) == nil ? 0 : 1
      case .first: count = try await database.fetchOne(statement) == nil ? 0 : 1
      }
      return count
    }

    var isWhole: Bool { self != .fetchOne && self != .first }
  }

  @Test(arguments: Reading.allCases)
  func `a write that returns rows ends with the server's last word, also if it is cancelled`(reading: Reading)
    async throws
  {
    /// What the server says to a cancel, and how many rows the program is given then, if it is given all of them.
    func end(_ answer: @escaping @Sendable (UInt32, FakeServer.Peer) -> Void) async throws -> Result<Int, any Error> {
      let server = try await FakeServer { message, peer in
        if case .cancel = message.kind { answer(message.requestID, peer) }
      }
      let database = try server.database()
      let task = Task { [change] in try await reading.count(database, change) }
      await server.hears { $0.count == 1 }
      task.cancel()
      return await task.result
    }
    let undone = try await end { $1.say(.error($0, .cancelled, .cancelled)) }
    #expect(throws: CancellationError.self) { try undone.get() }
    let done = try await end {
      $1.say(.columns($0, "n"), .rows($0, [1, 2, 3]), .completion($0, changed: 3, returned: 3))
    }
    #expect(try done.get() == (reading.isWhole ? 3 : 1))
    // It happened, and some of its rows are gone: less than all of them would be a wrong answer.
    let dropped = try await end { $1.say(.columns($0, "n"), .rows($0, [1]), .completion($0, changed: 3, returned: 3)) }
    if reading.isWhole {
      let error = #expect(throws: RequestError.self) { try dropped.get() }
      #expect(error?.isOutcomeUnknown == true && error?.isRetryable == false)
    } else {
      #expect(try dropped.get() == 1)
    }
    let none = try await end { $1.say(.columns($0, "n"), .completion($0, changed: 3, returned: 3)) }
    let error = #expect(throws: RequestError.self) { try none.get() }
    #expect(error?.isOutcomeUnknown == true)
  }

  @Test(arguments: Reading.allCases)
  func `a cancelled query is cancelled, whatever the server still says`(reading: Reading) async throws {
    let server = try await FakeServer { message, peer in
      if case .cancel = message.kind {
        peer.say(.columns(message.requestID, "n"), .completion(message.requestID, returned: 3))
      }
    }
    let database = try server.database()
    let task = Task { [query] in try await reading.count(database, query) }
    await server.hears { $0.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `credit is extended only as rows are consumed`() async throws {
    let page = [Int64](repeating: 1, count: 64)
    let bytes = RowBatch.integers(page).byteCount
    let server = try await FakeServer { message, peer in
      switch message.kind {
      case .execute:
        peer.say(.columns(message.requestID, "n"))
        for _ in 0..<4 { peer.say(.rows(message.requestID, page)) }
      case .credit: peer.say(.completion(message.requestID))
      default: break
      }
    }
    let database = try server.database { $0.streamWindowBytes = 4 * bytes }
    var batches = try await database.batches(query).makeAsyncIterator()
    #expect(server.heard.allSatisfy { if case .credit = $0.kind { false } else { true } })
    #expect(try await batches.next()?.rowCount == 64)
    await server.hears { $0.contains { $0.credit.bytes == UInt32(bytes) } }
    var rest = 0
    while let batch = try await batches.next() { rest += batch.rowCount }
    #expect(rest == 192)
  }
}
