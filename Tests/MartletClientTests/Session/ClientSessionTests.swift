/// The session as scripts: what the server says and the program asks, and what the session does.
import Foundation
import MartletProtocol
import MartletValues
import NIOCore
import SwiftProtobuf
import Testing

@testable import MartletClient

@Suite struct ClientSessionTests {
  @Test func `requests wait for the hello and then leave in order`() throws {
    var script = SessionScript()
    let hello = try script.open()
    let expected = ProtoClientMessage.with {
      $0.requestID = 1
      $0.hello.protocol = 1
      $0.hello.database = .init("shop".utf8)
      $0.hello.client = .init("martlet-swift".utf8)
    }
    #expect(hello == [.sent(expected)])
    #expect(try script.submit(.read(), id: 2).isEmpty)
    #expect(try script.submit(ClientRequest(kind: .plain(.ping())), id: 3).isEmpty)
    let steps = try script.say(.hello())
    #expect(steps.first == .ready(100))
    #expect(steps.sentIDs == [2, 3])
  }

  @Test func `a setup is in the hello, or follows it where it is long`() throws {
    for length in [10, 9_000] {
      var configuration = SessionConfiguration(database: "shop")
      configuration.setup = [[1], [], [UInt8](repeating: 7, count: length)]
      var script = SessionScript()
      script.session = ClientSession(configuration)
      let isLong = length > 8 << 10
      let steps = try script.open()
      guard case .sent(let hello)? = steps.first else {
        Issue.record("no hello")
        continue
      }
      #expect(hello.hello.setupFollows == isLong && steps.count == (isLong ? 2 : 1))
      #expect(hello.hello.setup.map { Array($0) } == (isLong ? [] : configuration.setup))
      if isLong, case .sent(let setup) = steps[1] {
        #expect(setup.requestID == hello.requestID)
        #expect(setup.setup.statements.map { Array($0) } == configuration.setup)
      }
    }
  }

  @Test func `a refused hello ends the connection with the server's words`() throws {
    var script = SessionScript()
    _ = try script.open()
    let steps = try script.say(.error(1, .notFound, .unknownDatabase))
    #expect(steps == [.refused(RequestError(.notFound, .unknownDatabase, "No.")), .close(.cannotConnect)])
  }

  @Test func `another version of the protocol is refused`() throws {
    var script = SessionScript()
    _ = try script.open()
    var hello = ProtoServerMessage.hello()
    hello.hello.protocol = 2
    #expect(try script.say(hello) == [.close(.protocolViolation)])
  }

  @Test func `no more requests leave than the server takes, and each end lets the next one go`() throws {
    var script = try SessionScript.ready(requestsMax: 2)
    #expect(try script.submit(.read(), id: 2).sentIDs == [2])
    #expect(try script.submit(.read(), id: 3).sentIDs == [3])
    #expect(try script.submit(.read(), id: 4).isEmpty)
    #expect(try script.submit(.read(), id: 5).isEmpty)
    let steps = try script.say(.completion(3))
    #expect(steps.ends == [3] && steps.sentIDs == [4])
    #expect(try script.say(.error(2, .internal, .internal)).sentIDs == [5])
  }

  @Test func `the end of a transaction waits with any number of others, which are too many for more`() throws {
    var script = SessionScript(waitingMax: 2)
    _ = try script.open()
    _ = try script.say(.hello(requestsMax: 1))
    #expect(try script.submit(ClientRequest(kind: .plain(.begin(.write))), id: 2).sentIDs == [2])
    for id in 3...4 as ClosedRange<UInt32> { #expect(try script.submit(.read(), id: id).isEmpty) }
    #expect(try script.submit(.read(), id: 5).ends == [5])
    let finish = ClientRequest(kind: .plain(.finish(transaction: 2, commit: true)), transaction: 2)
    #expect(try script.submit(finish, id: 6).isEmpty)
    for id in 2...4 as ClosedRange<UInt32> {
      #expect(try script.say(.completion(id)).sentIDs == [id == 4 ? 6 : id + 1])
    }
  }

  @Test func `answers come in any order and carry their rows`() throws {
    var script = try SessionScript.ready()
    _ = try script.submit(.read(), id: 2)
    _ = try script.submit(.read(), id: 3)
    let layout = ColumnLayout(ResultColumns(version: 7, columns: [.init(name: "n")]))
    let steps = try script.say(.columns(3, "n"), .rows(3, [1, 2]), .completion(3), .completion(2))
    #expect(
      steps == [
        .told(3, .rows(step: 0, .integers([1, 2]), layout)), .told(3, .completed(step: 0, Completion(), layout)),
        .told(2, .completed(step: 0, Completion(), nil)),
      ])
  }

  @Test func `columns, rows and completion may share one message, split anywhere`() throws {
    var message = ProtoServerMessage.columns(2, "n")
    message.rows = ProtoServerMessage.rows(2, [5]).rows
    message.completion = .init()
    let bytes = try message.framed()
    for cut in 0...bytes.count {
      var script = try SessionScript.ready()
      _ = try script.submit(.read(), id: 2)
      let first = try script.say(raw: Array(bytes[..<cut]))
      let steps = try first + script.say(raw: Array(bytes[cut...]))
      #expect(steps.count == 2 && steps.ends == [2], "cut at \(cut)")
    }
  }

  @Test func `the second request names the shape and the columns that the first one taught`() throws {
    var script = try SessionScript.ready()
    let shape = ClientRequest.query.shape
    let first = try script.submit(.read(1), id: 2)
    #expect(first.executes.map { $0.statement.isEmpty } == [false])
    _ = try script.say(.columns(2, version: 99, "n"), .rows(2, [1]), .completion(2, shape: shape))
    let second = try script.submit(.read(2), id: 3)
    #expect(second.executes.map { Array($0.shape) } == [shape.bytes])
    #expect(second.executes.map(\.columnsVersion) == [99])
    // The server spares the columns, and the rows still carry them.
    let steps = try script.say(.rows(3, [2]), .completion(3))
    let layout = ColumnLayout(ResultColumns(version: 99, columns: [.init(name: "n")]))
    #expect(steps.first == .told(3, .rows(step: 0, .integers([2]), layout)))
  }

  @Test func `an unknown shape is sent again with the bytes, once`() throws {
    var script = try SessionScript.ready()
    _ = try script.submit(.read(), id: 2)
    _ = try script.say(.completion(2, shape: ClientRequest.query.shape))
    #expect(try script.submit(.read(7), id: 3).executes.map { $0.shape.isEmpty } == [false])
    let again = try script.say(.error(3, .failedPrecondition, .unprepared))
    #expect(again.sentIDs == [3])
    #expect(again.executes.map { Array($0.statement) } == [ClientRequest.query.bytes])
    #expect(again.executes.map { $0.parameters.map(\.integer) } == [[7]])
    // Bytes that are refused as unprepared are the server's fault, and told.
    #expect(try script.say(.error(3, .failedPrecondition, .unprepared)).ends == [3])
  }

  @Test func `an unknown shape in a batch sends the whole batch again`() throws {
    var script = try SessionScript.ready()
    _ = try script.submit(.write(), id: 2)
    _ = try script.say(.completion(2, shape: ClientRequest.change.shape))
    let batch = ClientRequest(
      kind: .batch([BatchStep(ClientRequest.change), BatchStep(ClientRequest.query)], isAtomic: true))
    #expect(try script.submit(batch, id: 3).batches.map { $0.steps.map(\.shape.isEmpty) } == [[false, true]])
    let again = try script.say(
      .error(3, .failedPrecondition, .unprepared, step: 1), .error(3, .failedPrecondition, .unprepared))
    #expect(again.batches.map { $0.steps.map(\.statement.isEmpty) } == [[false, false]])
    #expect(again.count == 1)
  }

  @Test func `a cancelled request that has to be sent again is not`() throws {
    var script = try SessionScript.ready()
    _ = try script.submit(.read(), id: 2)
    _ = try script.say(.completion(2, shape: ClientRequest.query.shape))
    _ = try script.submit(.read(), id: 3)
    let cancel = try script.when { $0.cancelled(3, &$1) }
    #expect(cancel.sentIDs == [3])
    #expect(try script.say(.error(3, .failedPrecondition, .unprepared)) == [.told(3, .failed(step: 0, .cancelled))])
  }

  @Test func `a cancel reaches the server once, and a request that waits ends at once`() throws {
    var script = try SessionScript.ready(requestsMax: 1)
    _ = try script.submit(.write(), id: 2)
    _ = try script.submit(.write(), id: 3)
    #expect(
      try script.when { $0.cancelled(3, &$1) }
        == [.told(3, .failed(step: 0, .cancelled))])
    let cancel = try script.when { $0.cancelled(2, &$1) }
    let expected = ProtoClientMessage.with {
      $0.requestID = 2
      $0.cancel = .init()
    }
    #expect(cancel == [.sent(expected)])
    #expect(try script.when { $0.cancelled(2, &$1) }.isEmpty)
    // It happened all the same: the server's last word counts.
    #expect(try script.say(.completion(2, changed: 1)).ends == [2])
  }
}

extension [SessionScript.Step] {
  var sentIDs: [UInt32] {
    compactMap { if case .sent(let message) = $0 { message.requestID } else { nil } }
  }

  var executes: [ProtoExecute] {
    compactMap { if case .sent(let message) = $0, case .execute(let execute) = message.kind { execute } else { nil } }
  }

  var batches: [ProtoBatch] {
    compactMap { if case .sent(let message) = $0, case .batch(let batch) = message.kind { batch } else { nil } }
  }

  var credits: [UInt32] {
    compactMap {
      if case .sent(let message) = $0, case .credit(let credit) = message.kind { credit.bytes } else { nil }
    }
  }

  /// The requests that were told of their end.
  var ends: [UInt32] {
    compactMap { if case .told(let id, let part) = $0, part.isEnd { id } else { nil } }
  }

  /// The errors of requests that this program, not the server, gave.
  var clientErrors: [UInt32: ClientError] {
    var errors: [UInt32: ClientError] = [:]
    for case .told(let id, .failed(0, .client(let error))) in self { errors[id] = error }
    return errors
  }
}

extension RowBatch {
  static func integers(_ values: [Int64]) -> RowBatch {
    RowBatch(rows: values.map { [.integer($0)] }, columnCount: 1)
  }
}
