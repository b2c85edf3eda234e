/// What a thread waits for that no request stands for yet, and the cancel that ends it.
import Foundation
import MartletValues
import Synchronization
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(1))) struct BlockingWaitTests {
  /// Runs `body` on a thread of its own, and returns what it threw.
  private func error(of body: @escaping @Sendable () throws -> Void) async -> (any Error)? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        do {
          try body()
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error)
        }
      }
    }
  }

  /// A server that cancels as soon as `isTime`, and answers nothing but what `answers` does.
  private func server(
    _ canceller: RequestCanceller, when isTime: @escaping @Sendable (ProtoClientMessage) -> Bool
  ) async throws -> FakeServer {
    try await FakeServer(greets: false) { message, peer in
      if isTime(message) { canceller.cancel() }
      guard case .hello = message.kind else { return TransactionScript.agree(message, peer) }
      if !isTime(message) { peer.say(.hello(requestsMax: 100)) }
    }
  }

  @Test(arguments: ["begin", "begin and wait", "statement"])
  func `a cancel ends the wait for a connection`(kind: String) async throws {
    let canceller = RequestCanceller()
    let server = try await server(canceller) { if case .hello = $0.kind { true } else { false } }
    let database = try server.database { $0.connectTimeout = .seconds(50) }
    let error = await error {
      let session = BlockingSession(database, canceller: canceller)
      switch kind {
      case "begin": try session.begin(.write)
      case "begin and wait": _ = try session.beginAndWait(.write)
      default: _ = try session.start(ClientRequest.change, [1])
      }
    }
    #expect((error as? RequestError)?.code == .cancelled, "\(String(describing: error))")
    #expect(canceller.count == 0)
  }

  @Test func `a cancel ends the wait for a begin`() async throws {
    let canceller = RequestCanceller()
    let server = try await FakeServer { message, peer in
      switch message.kind {
      case .begin: canceller.cancel()
      case .cancel: peer.say(.error(message.requestID, .cancelled, .cancelled))
      default: TransactionScript.agree(message, peer)
      }
    }
    let database = try server.database()
    let error = await error {
      _ = try BlockingSession(database, canceller: canceller).beginAndWait(.write)
    }
    #expect((error as? RequestError)?.code == .cancelled, "\(String(describing: error))")
    #expect(canceller.count == 0)
  }

  @Test func `a cancel ends the pause before a read begins again`() async throws {
    let canceller = RequestCanceller()
    let server = try await FakeServer(script: TransactionScript.agree)
    let database = try server.database()
    let error = await error {
      let session = BlockingSession(database, canceller: canceller)
      try session.begin(.read)
      canceller.cancel()
      try session.beginAgain(after: .seconds(50))
    }
    #expect((error as? RequestError)?.code == .cancelled, "\(String(describing: error))")
  }
}
