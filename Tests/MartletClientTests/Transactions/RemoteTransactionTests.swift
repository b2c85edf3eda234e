/// Transactions, batches, deadlines and blocking calls against a scripted server.
import Foundation
import MartletValues
import NIOCore
import NIOPosix
import SwiftProtobuf
import Synchronization
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(1))) struct RemoteTransactionTests {
  private let query = ClientRequest.query
  private let change = ClientRequest.change
  private struct Oops: Error {}

  private static let agree: FakeServer.Script = { message, peer in
    switch message.kind {
    case .cancel, .credit: break
    case .ping: peer.say(.pong(message.requestID))
    default: peer.say(.completion(message.requestID))
    }
  }

  /// What was heard, in words.
  private func words(_ server: FakeServer) -> [String] {
    server.heard.map { message in
      switch message.kind {
      case .begin(let begin): "begin \(begin.mode == .read ? "read" : "write")"
      case .execute(let execute): execute.transaction == 0 ? "execute" : "execute in \(execute.transaction)"
      case .finish(let finish): "\(finish.commit ? "commit" : "roll back") \(finish.transaction)"
      case .savepoint(let savepoint):
        "\(["", "set", "release", "roll back to"][savepoint.action.rawValue]) \(savepoint.number)"
      case .batch(let batch): "batch in \(batch.transaction)"
      case .cancel: "cancel \(message.requestID)"
      default: "other"
      }
    }
  }

  @Test func `a transaction begins, runs on one connection and commits`() async throws {
    let server = try await FakeServer(script: Self.agree)
    let database = try server.database()
    let result = try await database.write { transaction in
      try await transaction.execute(change)
      try await transaction.batch([BatchStep(change)])
      return 5
    }
    #expect(result == 5)
    try await database.read { transaction in _ = try await transaction.fetchAll(query) }
    #expect(
      words(server) == [
        "begin write", "execute in 2", "batch in 2", "commit 2", "begin read", "execute in 6", "commit 6",
      ])
  }

  /// Says that it counts required statements, and answers none of a transaction's statements until a while after its
  /// end has come.
  private static func silentUntilEnd(
    failing: UInt32? = nil, delay: Duration = .zero, holdsBegin: Bool = false
  ) -> FakeServer.Script {
    let waiting = Mutex<[UInt32]>([])
    let answer: FakeServer.Script = { message, peer in
      for id in waiting.withLock({ $0 }) {
        if id == failing {
          peer.say(.error(id, .failedPrecondition, .constraint))
        } else {
          peer.say(.completion(id, shape: ClientRequest.change.shape))
        }
      }
      waiting.withLock { $0 = [] }
      if message.finish.commit, failing != nil {
        peer.say(.error(message.requestID, .aborted, .transactionEnded))
      } else {
        peer.say(.completion(message.requestID))
      }
    }
    return { message, peer in
      switch message.kind {
      case .hello:
        var reply = ProtoServerMessage.hello(requestsMax: 100)
        reply.hello.countsRequired = true
        peer.say(reply)
      case .finish where delay == .zero: answer(message, peer)
      case .finish:
        Task {
          // The server that takes its time: longer than what the client gives a request.
          try? await Task.sleep(for: delay)
          answer(message, peer)
        }
      case .cancel: break
      case .begin where !holdsBegin: peer.say(.completion(message.requestID))
      default: waiting.withLock { $0.append(message.requestID) }
      }
    }
  }

  private func executes(_ server: FakeServer) -> [ProtoExecute] {
    server.heard.compactMap { if case .execute(let execute) = $0.kind { execute } else { nil } }
  }

  private func required(_ server: FakeServer) -> [UInt32] {
    server.heard.compactMap { if case .finish(let finish) = $0.kind, finish.commit { finish.required } else { nil } }
  }

  @Test func `statements are sent whole and without waiting, and the commit counts them`() async throws {
    let server = try await FakeServer(greets: false, script: Self.silentUntilEnd())
    let database = try server.database()
    for _ in 0..<2 {
      try await database.write { transaction in
        for _ in 0..<3 { try await transaction.send(change, [1]) }
      }
    }
    #expect(required(server) == [3, 3])
    #expect(executes(server).map(\.required) == Array(repeating: true, count: 6))
    // The server has the shape from the first on, and might forget it while later statements are on their way.
    #expect(executes(server).map { Array($0.statement) } == Array(repeating: change.bytes, count: 6))
  }

  @Test func `the statement that failed is told, not the commit that was refused for it`() async throws {
    // The hello is 1 and the begin 2.
    let server = try await FakeServer(greets: false, script: Self.silentUntilEnd(failing: 4))
    let database = try server.database()
    let error = await #expect(throws: RequestError.self) {
      try await database.write { transaction in
        for _ in 0..<3 { try await transaction.send(change) }
      }
    }
    #expect(error?.reason == .constraint && error?.message.contains("nobody had waited for: number 2 of") == true)
  }

  /// What three statements without waiting and a commit are, for programs without concurrency.
  private func writeBlocking(_ database: DatabaseClient) async throws {
    let change = change
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let session = BlockingSession(database, canceller: RequestCanceller())
            try session.begin(.write)
            for _ in 0..<3 { try session.sendDeferred(change, [1], sql: { "a change" }) { _ in } }
            try session.finish()
          })
      }
    }
  }

  @Test func `the blocking twin does not wait either`() async throws {
    let server = try await FakeServer(greets: false, script: Self.silentUntilEnd())
    try await writeBlocking(try server.database())
    #expect(required(server) == [3] && executes(server).map(\.required) == [true, true, true])
  }

  @Test func `a commit has its own time behind statements that may take longer than it`() async throws {
    let server = try await FakeServer(greets: false, script: Self.silentUntilEnd(delay: .milliseconds(900)))
    let database = try server.database {
      $0.requestDeadline = .milliseconds(100)
      $0.replyGrace = .milliseconds(50)
    }
    try await withDeadline(.seconds(30)) { try await writeBlocking(database) }
    try await database.write { transaction in try await transaction.send(change, deadline: .seconds(30)) }
    try await writeBlocking(database)
    #expect(required(server) == [3, 1, 3])
  }

  @Test func `a closure that throws cancels what it sent`() async throws {
    // A begin that was answered by then would not be cancelled.
    let server = try await FakeServer(greets: false, script: Self.silentUntilEnd(holdsBegin: true))
    let database = try server.database()
    await #expect(throws: Oops.self) {
      try await database.write { transaction in
        for _ in 0..<2 { try await transaction.send(change) }
        throw Oops()
      }
    }
    #expect(
      words(server).suffix(5) == ["execute in 2", "cancel 2", "cancel 3", "cancel 4", "roll back 2"], "\(words(server))"
    )
  }

  @Test func `a server that does not count is waited for, and asked for nothing that it does not know`() async throws {
    let server = try await FakeServer(script: Self.agree)
    let database = try server.database()
    try await database.write { transaction in
      try await transaction.send(change)
      try await transaction.send(change)
    }
    #expect(required(server) == [0] && executes(server).map(\.required) == [false, false])
  }

  @Test func `what throws is rolled back, and savepoints undo their part`() async throws {
    let server = try await FakeServer(script: Self.agree)
    let database = try server.database()
    await #expect(throws: Oops.self) {
      try await database.write { transaction in
        try await transaction.savepoint { try await transaction.execute(change) }
        do { try await transaction.savepoint { throw Oops() } } catch is Oops {}
        throw Oops()
      }
    }
    #expect(
      words(server) == [
        "begin write", "set 1", "execute in 2", "release 1", "set 2", "roll back to 2", "release 2", "roll back 2",
      ])
  }

  @Test func `the first statement travels with the begin, and a begin that fails explains it`() async throws {
    let begun = Mutex<UInt32>(0)
    let server = try await FakeServer { message, peer in
      switch message.kind {
      case .begin: begun.withLock { $0 = message.requestID }
      case .execute:
        // Only now is the begin answered: the statement did not wait for it.
        peer.say(.error(message.requestID, .notFound, .unknownTransaction))
        peer.say(.error(begun.withLock { $0 }, .deadlineExceeded, .deadline))
      default: peer.say(.error(message.requestID, .notFound, .unknownTransaction))
      }
    }
    let database = try server.database()
    let error = await #expect(throws: RequestError.self) {
      try await database.write { transaction in _ = try await transaction.execute(change) }
    }
    #expect(error?.reason == .deadline)
  }

  @Test func `a commit whose answer is lost is unknown, a statement's is not`() async throws {
    for word in ["commit", "execute"] {
      let server = try await FakeServer { message, peer in
        let isHangUp =
          switch message.kind {
          case .finish: word == "commit"
          case .execute: word == "execute"
          default: false
          }
        if isHangUp { peer.hangUp() } else { Self.agree(message, peer) }
      }
      let database = try server.database()
      let error = await #expect(throws: ClientError.self) {
        try await database.write { transaction in _ = try await transaction.execute(change) }
      }
      #expect(error?.isOutcomeUnknown == (word == "commit"))
      #expect(server.connections == 1)
    }
  }

  @Test func `a transaction that the server ended says why`() async throws {
    let server = try await FakeServer { message, peer in
      Self.agree(message, peer)
      if case .begin = message.kind { peer.say(.transactionEnded(message.requestID)) }
    }
    let database = try server.database()
    let error = await #expect(throws: RequestError.self) {
      try await database.write { transaction in
        try await database.ping()
        _ = try await transaction.execute(change)
      }
    }
    #expect(error?.reason == .transactionEnded)
  }

  @Test func `a transaction cannot be used after its closure`() async throws {
    let server = try await FakeServer(script: Self.agree)
    let database = try server.database()
    let escaped = try await database.write { (transaction: RemoteTransaction) in transaction }
    let error = await #expect(throws: ClientError.self) { try await escaped.execute(change) }
    #expect(error?.code == .transactionOver)
  }

  @Test func `a cancelled transaction is rolled back all the same`() async throws {
    let server = try await FakeServer { message, peer in
      switch message.kind {
      case .execute: break
      case .cancel: peer.say(.error(message.requestID, .cancelled, .cancelled))
      default: Self.agree(message, peer)
      }
    }
    let database = try server.database()
    let task = Task { [change] in
      try await database.write { transaction in _ = try await transaction.execute(change) }
    }
    await server.hears { $0.count == 2 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(words(server) == ["begin write", "execute in 2", "cancel 3", "roll back 2"])
  }

  @Test func `a stream of a transaction is fetched before the next statement`() async throws {
    // The server works in order: the second statement's turn comes when the stream has ended, whichever is heard first.
    let state = Mutex<(hasEnded: Bool, second: UInt32?)>((false, nil))
    let server = try await FakeServer { message, peer in
      var isEnd = false
      switch message.kind {
      case .execute(let execute) where execute.parameters.isEmpty:
        peer.say(.columns(message.requestID, "n"), .rows(message.requestID, [1]))
      case .credit(let credit) where credit.bytes > 32 << 20:
        peer.say(.rows(message.requestID, [2]), .completion(message.requestID))
        isEnd = true
      case .execute: state.withLock { $0.second = message.requestID }
      default: Self.agree(message, peer)
      }
      let due = state.withLock { state -> UInt32? in
        state.hasEnded = state.hasEnded || isEnd
        guard state.hasEnded, let second = state.second else { return nil }
        state.second = nil
        return second
      }
      if let due { peer.say(.completion(due)) }
    }
    let database = try server.database()
    try await database.write { transaction in
      var seen: [Int] = []
      for try await row in try await transaction.rows(query) {
        seen.append(try row.get(Int.self, 0))
        if seen.count == 1 { try await transaction.execute(change, [1]) }
      }
      #expect(seen == [1, 2])
    }
  }

  @Test func `a batch carries conditions and references, and its steps' results come back`() async throws {
    let server = try await FakeServer { message, peer in
      let id = message.requestID
      var skipped = ProtoServerMessage.completion(id, step: 3)
      skipped.completion.skipped = true
      peer.say(
        .columns(id, step: 1, "n"), .rows(id, step: 1, [4, 5]), .completion(id, step: 1, changed: 2),
        .error(id, .alreadyExists, .constraint, step: 2), skipped, .completion(id))
    }
    let results = try await server.database().batch(atomic: false) { [change] batch in
      let parent = batch.add(change, ["Anna"])
      let child = batch.add(change, [parent.lastInsertRowID, parent.firstRow(column: 0)], when: parent.succeeded)
      batch.add(change, [child.rowsChanged], whenAny: [child.changedRows, !child.failed])
    }
    #expect(try results[0].rows.map { try $0.get(Int.self, "n") } == [4, 5])
    #expect(results[0].completion?.rowsChanged == 2 && results[0].error == nil)
    #expect(results[1].error?.reason == .constraint && results[1].completion == nil)
    #expect(results[2].completion?.isSkipped == true)
    let sent = try #require(server.heard.first).batch
    #expect(!sent.atomic && sent.steps.count == 3)
    #expect(sent.steps[1].conditions.map(\.step) == [1] && sent.steps[2].any)
  }

  @Test func `an atomic batch that fails throws the step's error with its place`() async throws {
    let server = try await FakeServer { message, peer in
      var error = ProtoServerMessage.error(message.requestID, .alreadyExists, .constraint, step: 2)
      error.error.path = "insert.values"
      peer.say(.completion(message.requestID, step: 1), error, .error(message.requestID, .aborted, .batchAborted))
    }
    let database = try server.database()
    let error = await #expect(throws: RequestError.self) {
      try await database.batch([BatchStep(change), BatchStep(change)])
    }
    #expect(error?.reason == .constraint && error?.path == "steps[1].insert.values")
  }

  @Test func `the nearest deadline travels with the request`() async throws {
    let server = try await FakeServer(script: Self.agree)
    let database = try server.database {
      $0.requestDeadline = .seconds(100)
      $0.writeDeadline = .seconds(100)
    }
    try await database.execute(change)
    try await database.execute(change, deadline: .seconds(50))
    try await withDeadline(.seconds(20)) {
      try await database.execute(change)
      try await database.execute(change, deadline: .seconds(50))
      try await withDeadline(.seconds(90)) { try await database.execute(change, deadline: .seconds(5)) }
    }
    let bounds: [ClosedRange<UInt32>] = [
      50_001...100_000, 20_001...50_000, 5_001...20_000, 5_001...20_000, 1...5_000,
    ]
    for (message, bound) in zip(server.heard, bounds) { #expect(bound.contains(message.execute.deadlineMs)) }
    // The server may shorten a deadline that no call has named.
    #expect(server.heard.map(\.execute.deadlineMayShrink) == [true, false, true, false, false])
  }

  @Test func `a request without an answer ends with its deadline`() async throws {
    let server = try await FakeServer { message, peer in
      if case .ping = message.kind { peer.say(.pong(message.requestID)) }
    }
    let database = try server.database { $0.replyGrace = .zero }
    try await database.ping()
    let error = await #expect(throws: RequestError.self) {
      try await database.execute(change, deadline: .milliseconds(20))
    }
    #expect(error?.code == .deadlineExceeded && error?.isOutcomeUnknown == true)
  }

  @Test func `a request that finds no free connection ends with its deadline, unsent`() async throws {
    let server = try await FakeServer { _, _ in }
    let database = try server.database {
      $0.connectionsMax = 1
      $0.pipelineDepth = 1
    }
    let first = Task { [change] in try await database.execute(change) }
    await server.hears { $0.count == 1 }
    let error = await #expect(throws: RequestError.self) {
      try await database.execute(change, deadline: .milliseconds(20))
    }
    #expect(error?.code == .deadlineExceeded && error?.isOutcomeUnknown == false)
    await database.close()
    let closed = await #expect(throws: ClientError.self) { try await first.value }
    #expect(closed?.code == .closed && closed?.isOutcomeUnknown == true)
  }

  @Test func `blocking twins work on a thread and refuse an event loop's`() async throws {
    let server = try await FakeServer(script: Self.agree)
    let database = try server.database()
    let changed = try await onThread { [change] in
      try database.write { transaction in
        try transaction.execute(change)
        try transaction.savepoint { try transaction.execute(change) }
        return try transaction.fetchAll(change).count
      }
    }
    #expect(changed == 0)
    #expect(words(server).first == "begin write" && words(server).last == "commit 2")
    let failure = try await MultiThreadedEventLoopGroup.singleton.next().submit {
      #expect(throws: ClientError.self) { try database.read { _ in } }?.code
    }.get()
    #expect(failure == .wrongThread)
  }

  /// Runs blocking work outside of the cooperative pool.
  private func onThread<Success: Sendable>(
    _ work: @escaping @Sendable () throws -> Success
  ) async throws -> Success {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result(catching: work)) }.start()
    }
  }
}
