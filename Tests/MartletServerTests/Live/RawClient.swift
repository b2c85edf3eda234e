/// A client of blocking sockets: sends exactly the bytes that a test wants and reads what comes.
///
/// Always true: no wait is endless: the system gives up a read after half a minute, which fails the test.
import Foundation
import MartletAST
import MartletClient
import MartletProtocol
import MartletTestSupport
import MartletValues
import SwiftProtobuf
import Testing

// @unchecked because a test uses it on one thread at a time, or sends on one and receives on another.
final class RawClient: @unchecked Sendable {
  private let socket: BlockingSocket
  private var received: [UInt8] = []

  /// All bytes that have come, if `keepsAll` was set before.
  private(set) var all: [UInt8] = []
  /// Why the server ended transactions, as it said between answers.
  private(set) var endedTransactions: [UInt32: RequestError] = [:]
  var keepsAll = false

  struct Failure: Error { let message: String }

  /// Connects, and says hello if a database is named.
  init(_ url: MartletURL, database: String? = nil, create: Bool = true) throws {
    switch url.address {
    case .tcp(_, let port), .tls(_, let port): socket = try BlockingSocket(port: port, seconds: 30)
    case .unix(let path): socket = try BlockingSocket(path: path, seconds: 30)
    }
    guard let database else { return }
    send(1, .hello(.init(database: database, client: "test", create: create)))
    let reply = try receive()
    guard case .hello? = reply.parts.first else { throw Failure(message: "no hello: \(reply)") }
  }

  func close() { socket.close() }

  /// Ends the connection with a reset, as a peer that was killed may.
  func reset() { socket.reset() }

  // MARK: Sending

  func bytes(_ id: UInt32, _ kind: ClientMessage.Kind) -> [UInt8] {
    ClientMessageEncoder.bytes(of: ClientMessage(requestID: id, kind: kind))
  }

  func send(_ id: UInt32, _ kind: ClientMessage.Kind) { send(bytes(id, kind)) }

  /// Sends all bytes, or as many as the server takes before it closes. False if it did not take all.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool { socket.send(bytes) }

  /// Says that nothing more comes; what the server says is still read.
  func finishSending() { socket.finishSending() }

  /// Ends both directions; whoever sends or receives on another thread is woken.
  func shutDown() { socket.shutDown() }

  // MARK: Receiving

  /// The next message. Throws if the server closed or said nothing for half a minute.
  func receive() throws -> ServerMessage {
    while true {
      if received.count >= Frame.headerBytes {
        let length = received[1..<5].reduce(0) { $0 << 8 | Int($1) }
        if received.count >= Frame.headerBytes + length {
          let frame = Array(received[5..<(5 + length)])
          received.removeFirst(5 + length)
          return try frame.withUnsafeBytes { try ServerMessageDecoder.decode($0) }
        }
      }
      guard try receiveMore() else { throw Failure(message: "the server closed the connection") }
    }
  }

  /// Bytes as they come; none at the end of the stream.
  func receiveBytes() throws -> [UInt8] {
    defer { received = [] }
    return try received.isEmpty && !receiveMore() ? [] : received
  }

  /// False at the end of the stream.
  private func receiveMore() throws -> Bool {
    let bytes = try socket.receive()
    guard !bytes.isEmpty else { return false }
    received += bytes
    if keepsAll { all += bytes }
    return true
  }

  /// Messages until the server closes.
  func receiveUntilClosed() throws -> [ServerMessage] {
    var messages: [ServerMessage] = []
    while true {
      do {
        messages.append(try receive())
      } catch let failure as Failure where failure.message.contains("closed") {
        return messages
      }
    }
  }

  /// Everything that has come so far, and forgets it.
  func takeAll() -> [UInt8] {
    defer { all = [] }
    return all
  }

  // MARK: Whole requests

  /// What a request returned, however many messages it came in.
  struct Answer {
    var columns: ResultColumns?
    var rows: [[Value]] = []
    var completion: Completion?
    var error: RequestError?
    var steps: [UInt32: Completion] = [:]
    var batches = 0
  }

  /// Reads until the request has ended; messages of other requests are an error.
  func answer(_ id: UInt32) throws -> Answer {
    var answers: [UInt32: Answer] = [:]
    while answers[id]?.completion == nil && answers[id]?.error == nil {
      let message = try receive()
      if case .transactionEnded(let transaction, let error, _)? = message.parts.first {
        endedTransactions[transaction] = error
        continue
      }
      guard message.requestID == id else { throw Failure(message: "not for \(id): \(message)") }
      try Self.add(message, to: &answers)
    }
    return answers[id] ?? Answer()
  }

  /// Reads until all of the requests have ended.
  func answers(_ ids: Set<UInt32>) throws -> [UInt32: Answer] {
    var answers: [UInt32: Answer] = [:]
    while !ids.allSatisfy({ answers[$0]?.completion != nil || answers[$0]?.error != nil }) {
      try Self.add(try receive(), to: &answers)
    }
    return answers
  }

  private static func add(_ message: ServerMessage, to answers: inout [UInt32: Answer]) throws {
    var answer = answers[message.requestID] ?? Answer()
    for part in message.parts {
      switch part {
      case .columns(let columns): answer.columns = columns
      case .rows(let batch):
        answer.batches += 1
        for row in 0..<batch.rowCount { answer.rows.append(try batch.row(row)) }
      case .completion(let completion):
        if message.step == 0 { answer.completion = completion } else { answer.steps[message.step] = completion }
      case .error(let error): if message.step == 0 { answer.error = error }
      default: throw Failure(message: "not an answer: \(message)")
      }
    }
    answers[message.requestID] = answer
  }

  /// Sends a raw statement and waits for its end.
  @discardableResult
  func execute(
    _ id: UInt32, _ sql: String, _ parameters: [Value] = [], transaction: UInt32 = 0
  ) throws -> Answer {
    send(id, .raw(sql, parameters, transaction: transaction))
    return try answer(id)
  }
}

extension ClientMessage.Kind {
  /// A statement as its text; `?1` and so on are its parameters.
  static func raw(
    _ sql: String, _ parameters: [Value] = [], transaction: UInt32 = 0, deadlineMs: UInt32 = 0, credit: UInt32 = 0,
    mayShorten: Bool = false
  ) -> ClientMessage.Kind {
    .execute(
      .init(
        source: .statement(ASTStatement.raw(sql).bytes), parameters: parameters, transaction: transaction,
        deadlineMs: deadlineMs, credit: credit, mayShortenDeadline: mayShorten))
  }
}

extension ASTStatement {
  /// As it travels in a request.
  var bytes: [UInt8] { serialized }
}
