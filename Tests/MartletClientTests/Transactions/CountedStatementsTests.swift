/// Statements of a transaction that nobody waits for, and the commit that counts them, against a scripted server.
import Foundation
import MartletValues
import SwiftProtobuf
import Synchronization
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(1))) struct CountedStatementsTests {
  private let change = ClientRequest.change
  private struct Oops: Error {}

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
            let canceller = RequestCanceller()
            let session = BlockingSession(database, canceller: canceller)
            try session.begin(.write)
            for _ in 0..<3 { try session.sendDeferred(change, [1], sql: { "a change" }) { _ in } }
            try session.finish()
            #expect(canceller.count == 0, "it knows nothing of what has ended")
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
      TransactionScript.words(server).suffix(5) == ["execute in 2", "cancel 2", "cancel 3", "cancel 4", "roll back 2"],
      "\(TransactionScript.words(server))"
    )
  }

  @Test func `a server that does not count is waited for, and asked for nothing that it does not know`() async throws {
    let server = try await FakeServer(script: TransactionScript.agree)
    let database = try server.database()
    try await database.write { transaction in
      try await transaction.send(change)
      try await transaction.send(change)
    }
    #expect(required(server) == [0] && executes(server).map(\.required) == [false, false])
  }
}
