/// What a session says of its requests when the connection is lost, the time is over, or the server breaks the rules.
import Foundation
import MartletProtocol
import MartletValues
import NIOCore
import SwiftProtobuf
import Testing

@testable import MartletClient

@Suite struct SessionLossTests {
  private let lost = ClientError(.connectionLost, "Gone.")

  @Test func `after a loss reads may be sent again and writes may have happened`() throws {
    let query = ClientRequest.query
    let change = ClientRequest.change
    let table: [(ClientRequest.Kind, isSent: Bool, isUnknown: Bool)] = [
      (.execute(query, []), true, false), (.execute(change, []), true, true), (.execute(change, []), false, false),
      (.execute(.sql("SELECT 1"), []), true, false), (.execute(.sql("PRAGMA user_version = 2"), []), true, true),
      (.batch([BatchStep(query), BatchStep(query)], isAtomic: true), true, false),
      (.batch([BatchStep(query), BatchStep(.sql("VALUES (1)"))], isAtomic: true), true, false),
      (.batch([BatchStep(query), BatchStep(change)], isAtomic: true), true, true), (.plain(.ping()), true, false),
      (.plain(.inspect(shapes: 1, sessions: 0)), true, false), (.plain(.administer(.list(after: ""))), true, false),
      (.plain(.administer(.drop("a", endsSessions: true))), true, true), (.plain(.begin(.write)), true, false),
    ]
    for (kind, isSent, isUnknown) in table {
      var script = try SessionScript.ready(requestsMax: 1)
      if !isSent { _ = try script.submit(.read(), id: 2) }
      _ = try script.submit(ClientRequest(kind: kind), id: 3)
      let steps = try script.when { $0.ended(lost, &$1) }
      let error = try #require(steps.clientErrors[3])
      #expect(error.isOutcomeUnknown == isUnknown, "\(kind)")
      #expect(error.isRetryable == !isUnknown, "\(kind)")
      #expect(steps.last == .close(.connectionLost))
    }
  }

  @Test(arguments: [(TransactionMode.read, true, false), (.write, true, true), (.write, false, false)])
  func `of a lost transaction only a write's commit is unknown`(
    mode: TransactionMode, commit: Bool, isUnknown: Bool
  ) throws {
    var script = try SessionScript.ready()
    _ = try script.submit(ClientRequest(kind: .plain(.begin(mode))), id: 2)
    _ = try script.submit(.write(transaction: 2), id: 3)
    _ = try script.submit(ClientRequest(kind: .plain(.finish(transaction: 2, commit: commit))), id: 4)
    let errors = try script.when { $0.ended(lost, &$1) }.clientErrors
    #expect(errors[2]?.isOutcomeUnknown == false)
    #expect(errors[3]?.isOutcomeUnknown == false)
    #expect(errors[4]?.isOutcomeUnknown == isUnknown)
  }

  @Test func `what the server calls unknown is not so for a request that cannot have written`() throws {
    var gone = ProtoServerMessage.error(3, .unavailable, .shuttingDown, retryable: true)
    gone.error.outcomeUnknown = true
    let table: [(ClientRequest, isUnknown: Bool)] = [(.read(), false), (.write(), true)]
    for (request, isUnknown) in table {
      var script = try SessionScript.ready()
      _ = try script.submit(request, id: 3)
      let told = try script.say(gone)
      let expected = RequestError(
        .unavailable, .shuttingDown, "No.", isRetryable: true, isOutcomeUnknown: isUnknown)
      #expect(told.first == .told(3, .failed(step: 0, .request(expected))), "\(request)")
    }
  }

  @Test func `nothing is told after the end`() throws {
    var script = try SessionScript.ready()
    _ = try script.submit(.read(), id: 2)
    _ = try script.when { $0.ended(lost, &$1) }
    #expect(try script.say(.completion(2)).isEmpty)
    #expect(try script.when { $0.ended(lost, &$1) }.isEmpty)
    #expect(try script.when { $0.cancelled(2, &$1) }.isEmpty)
    let late = try script.submit(.write(), id: 3)
    #expect(late.clientErrors[3]?.isRetryable == true)
  }

  @Test func `what is asked of a transaction after the server ended its connection is told why`() throws {
    let dropped = ProtoServerMessage.error(0, .aborted, .unknownDatabase)
    var script = try SessionScript.ready()
    _ = try script.submit(ClientRequest(kind: .plain(.begin(.write))), id: 2)
    _ = try script.say(.completion(2))
    #expect(try script.say(dropped).last == .close(.connectionLost))
    let commit = ClientRequest(kind: .plain(.finish(transaction: 2, commit: true)), transaction: 2)
    for (index, request) in [ClientRequest.write(transaction: 2), .read(transaction: 2), commit].enumerated() {
      let id = UInt32(3 + index)
      let told = try script.submit(request, id: id).first
      guard case .told(id, .failed(step: 0, .request(let error)))? = told else {
        Issue.record("\(String(describing: told))")
        continue
      }
      #expect(error.reason == .unknownDatabase && !error.isOutcomeUnknown)
    }
    // What is in no transaction may be sent again elsewhere, and knows why it has to.
    let other = try #require(try script.submit(.write(), id: 6).clientErrors[6])
    #expect(other.isRetryable && other.message == "The server ended the connection: No.")
  }

  @Test func `what comes after the end knows how the connection ended`() throws {
    var lostScript = try SessionScript.ready()
    _ = try lostScript.when { $0.ended(lost, &$1) }
    #expect(try lostScript.submit(.write(transaction: 2), id: 3).clientErrors[3]?.message == "Gone.")
    var leaving = try SessionScript.ready()
    _ = try leaving.say(.closing)
    let late = try #require(try leaving.submit(.read(), id: 2).clientErrors[2])
    #expect(late.isRetryable && late.message == "The server ended the connection: Good-bye.")
  }

  @Test func `a server that goes away finishes what it has and gets nothing new`() throws {
    var script = try SessionScript.ready()
    _ = try script.submit(ClientRequest(kind: .plain(.begin(.write))), id: 2)
    _ = try script.submit(.read(), id: 3)
    #expect(try script.say(.closing) == [.drain])
    #expect(try script.submit(.read(), id: 4).clientErrors[4]?.isRetryable == true)
    #expect(try script.submit(.read(transaction: 2), id: 5).sentIDs == [5])
    #expect(try script.say(.completion(3)).ends == [3])
  }

  @Test func `a deadline gives the server its grace and then speaks for it`() throws {
    var script = try SessionScript.ready()
    var request = ClientRequest.write()
    request.deadline = script.now.advanced(milliseconds: 500)
    #expect(try script.submit(request, id: 2).executes.map(\.deadlineMs) == [500])
    #expect(script.session.nextDeadline == script.now.advanced(milliseconds: 1_500))
    #expect(try script.pass(milliseconds: 1_499).isEmpty)
    _ = try script.say(.transactionEnded(9))
    let steps = try script.pass(milliseconds: 1)
    #expect(steps.first == .told(2, .failed(step: 0, .request(.noAnswer(isOutcomeUnknown: true)))))
    #expect(steps.sentIDs == [2] && steps.count == 2)
    // The server's own end comes late and is dropped; the number is free again.
    #expect(try script.say(.completion(2)).isEmpty)
    #expect(try script.submit(.read(), id: 2).sentIDs == [2])
  }

  @Test func `a server without a sign of life loses the connection with the deadline`() throws {
    var script = try SessionScript.ready()
    script.now = script.now.advanced(milliseconds: 1)
    var request = ClientRequest.read()
    request.deadline = script.now.advanced(milliseconds: 500)
    _ = try script.submit(request, id: 2)
    _ = try script.submit(.write(), id: 3)
    let steps = try script.pass(milliseconds: 1_500)
    #expect(steps.last == .close(.connectionLost))
    #expect(steps.clientErrors[3]?.isOutcomeUnknown == true)
  }

  @Test func `a request that waits has no grace, because nobody was asked`() throws {
    var script = try SessionScript.ready(requestsMax: 1)
    _ = try script.submit(.read(), id: 2)
    var request = ClientRequest.write()
    request.deadline = script.now.advanced(milliseconds: 500)
    _ = try script.submit(request, id: 3)
    #expect(
      try script.pass(milliseconds: 500) == [
        .told(3, .failed(step: 0, .request(.noAnswer(isOutcomeUnknown: false))))
      ])
    #expect(try script.say(.completion(2)).sentIDs.isEmpty)
  }

  @Test func `a transaction that the server ended takes no more statements`() throws {
    var script = try SessionScript.ready()
    _ = try script.submit(ClientRequest(kind: .plain(.begin(.write))), id: 2)
    _ = try script.say(.completion(2), .transactionEnded(2))
    let error = RequestError(.aborted, .transactionEnded, "It was idle.")
    #expect(try script.submit(.write(transaction: 2), id: 3) == [.told(3, .failed(step: 0, .request(error)))])
    let commit = ClientRequest(kind: .plain(.finish(transaction: 2, commit: true)))
    #expect(try script.submit(commit, id: 4) == [.told(4, .failed(step: 0, .request(error)))])
    #expect(script.session.transactions.isEmpty)
  }

  @Test func `a transaction that never began takes no more statements`() throws {
    var script = try SessionScript.ready()
    _ = try script.submit(ClientRequest(kind: .plain(.begin(.write))), id: 2)
    _ = try script.submit(.write(transaction: 2), id: 3)
    _ = try script.say(.error(2, .deadlineExceeded, .deadline), .error(3, .notFound, .unknownTransaction))
    #expect(try script.submit(.write(transaction: 2), id: 4).ends == [4])
    let rollback = ClientRequest(kind: .plain(.finish(transaction: 2, commit: false)))
    #expect(try script.submit(rollback, id: 5).ends == [5])
    #expect(script.session.transactions.isEmpty)
  }

  @Test(arguments: [
    [1, 0, 0, 0, 0], [0, 0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0, 1, 0xFF], [0, 0, 0, 0, 2, 0x2A, 0x7F],
    [0, 0, 0, 0, 1, 0x03], Array("HTTP/1.1 400 Bad Request\r\n".utf8),
  ])
  func `bytes that are no messages end the connection`(bytes: [UInt8]) throws {
    var script = try SessionScript.ready()
    _ = try script.submit(.read(), id: 2)
    let steps = try script.say(raw: bytes)
    #expect(steps.last == .close(.protocolViolation))
    #expect(steps.clientErrors[2]?.code == .protocolViolation)
  }

  @Test func `messages that break the rules end the connection`() throws {
    var badRows = ProtoServerMessage.rows(2, [1, 2])
    badRows.rows.rowCount = 3
    let table: [[ProtoServerMessage]] = [
      [.completion(77)], [.completion(2), .completion(2)], [.rows(2, [1])], [.columns(2, "a", "b"), .rows(2, [1])],
      [.columns(2, "a"), badRows], [.completion(2, step: 4)], [.hello()],
    ]
    for messages in table {
      var script = try SessionScript.ready()
      _ = try script.submit(.read(), id: 2)
      var steps: [SessionScript.Step] = []
      for message in messages { steps += try script.say(message) }
      // A second hello is only strange: it is for a request that is not in flight.
      #expect(steps.last == .close(.protocolViolation), "\(messages)")
    }
  }

  @Test func `credit is given back as rows are consumed, in quarters of the window`() throws {
    var script = try SessionScript.ready(windowBytes: 400)
    var request = ClientRequest.read()
    request.creditPolicy = .byConsumer
    #expect(try script.submit(request, id: 2).executes.map(\.credit) == [400])
    _ = try script.say(.columns(2, "n"))
    let values = [Int64](repeating: 1, count: 10)
    let bytes = RowBatch.integers(values).byteCount
    #expect(try script.say(.rows(2, values)).credits.isEmpty)
    #expect(try script.say(.rows(2, values)).credits.isEmpty)
    #expect(try script.when { $0.consumed(2, bytes: bytes, &$1) }.credits.isEmpty)
    #expect(try script.when { $0.consumed(2, bytes: bytes, &$1) }.credits == [UInt32(2 * bytes)])
    #expect(try script.say(.completion(2)).ends == [2])
    #expect(try script.when { $0.consumed(2, bytes: 1_000, &$1) }.isEmpty)
  }

  @Test func `a collected reply gives credit back by itself`() throws {
    var script = try SessionScript.ready(windowBytes: 400)
    _ = try script.submit(.read(), id: 2)
    _ = try script.say(.columns(2, "n"))
    let values = [Int64](repeating: 1, count: 20)
    #expect(try script.say(.rows(2, values)).credits == [UInt32(RowBatch.integers(values).byteCount)])
  }
}
