/// Transactions and their blocking twins against a scripted server.
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

  @Test func `a transaction begins, runs on one connection and commits`() async throws {
    let server = try await FakeServer(script: TransactionScript.agree)
    let database = try server.database()
    let result = try await database.write { transaction in
      try await transaction.execute(change)
      try await transaction.batch([BatchStep(change)])
      return 5
    }
    #expect(result == 5)
    try await database.read { transaction in _ = try await transaction.fetchAll(query) }
    #expect(
      TransactionScript.words(server) == [
        "begin write", "execute in 2", "batch in 2", "commit 2", "begin read", "execute in 6", "commit 6",
      ])
  }

  @Test func `what throws is rolled back, and savepoints undo their part`() async throws {
    let server = try await FakeServer(script: TransactionScript.agree)
    let database = try server.database()
    await #expect(throws: Oops.self) {
      try await database.write { transaction in
        try await transaction.savepoint { try await transaction.execute(change) }
        do { try await transaction.savepoint { throw Oops() } } catch is Oops {}
        throw Oops()
      }
    }
    #expect(
      TransactionScript.words(server) == [
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
        if isHangUp { peer.hangUp() } else { TransactionScript.agree(message, peer) }
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
      TransactionScript.agree(message, peer)
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
    let server = try await FakeServer(script: TransactionScript.agree)
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
      default: TransactionScript.agree(message, peer)
      }
    }
    let database = try server.database()
    let task = Task { [change] in
      try await database.write { transaction in _ = try await transaction.execute(change) }
    }
    await server.hears { $0.count == 2 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(TransactionScript.words(server) == ["begin write", "execute in 2", "cancel 3", "roll back 2"])
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
      default: TransactionScript.agree(message, peer)
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

  @Test func `blocking twins work on a thread and refuse an event loop's`() async throws {
    let server = try await FakeServer(script: TransactionScript.agree)
    let database = try server.database()
    let changed = try await onThread { [change] in
      try database.write { transaction in
        try transaction.execute(change)
        try transaction.savepoint { try transaction.execute(change) }
        return try transaction.fetchAll(change).count
      }
    }
    #expect(changed == 0)
    #expect(
      TransactionScript.words(server).first == "begin write" && TransactionScript.words(server).last == "commit 2")
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
