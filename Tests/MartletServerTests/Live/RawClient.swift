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
  private let descriptor: Int32
  private var received: [UInt8] = []
  private var isOpen = true

  /// All bytes that have come, if `keepsAll` was set before.
  private(set) var all: [UInt8] = []
  /// Why the server ended transactions, as it said between answers.
  private(set) var endedTransactions: [UInt32: RequestError] = [:]
  var keepsAll = false

  struct Failure: Error { let message: String }

  /// Connects, and says hello if a database is named.
  init(_ url: MartletURL, database: String? = nil, create: Bool = true) throws {
    switch url.address {
    case .tcp(_, let port), .tls(_, let port): descriptor = try Self.connect(port: UInt16(port))
    case .unix(let path): descriptor = try Self.connect(path: path)
    }
    var timeout = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    guard let database else { return }
    send(1, .hello(.init(database: database, client: "test", create: create)))
    let reply = try receive()
    guard case .hello? = reply.parts.first else { throw Failure(message: "no hello: \(reply)") }
  }

  deinit { close() }

  func close() {
    if isOpen { Foundation.close(descriptor) }
    isOpen = false
  }

  /// Ends the connection with a reset, as a peer that was killed may.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  private static func connect(port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Failure(message: "cannot connect: \(errno)") }
    return descriptor
  }

  private static func connect(path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else { throw Failure(message: "cannot connect: \(errno)") }
    return descriptor
  }

  // MARK: Sending

  func bytes(_ id: UInt32, _ kind: ClientMessage.Kind) -> [UInt8] {
    ClientMessageEncoder.bytes(of: ClientMessage(requestID: id, kind: kind))
  }

  func send(_ id: UInt32, _ kind: ClientMessage.Kind) { send(bytes(id, kind)) }

  /// Sends all bytes, or as many as the server takes before it closes. False if it did not take all.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Says that nothing more comes; what the server says is still read.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends both directions; whoever sends or receives on another thread is woken.
  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

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
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0 && errno == EAGAIN { throw Failure(message: "the server said nothing for half a minute") }
    guard count > 0 else { return false }
    received.append(contentsOf: buffer[..<count])
    if keepsAll { all.append(contentsOf: buffer[..<count]) }
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
  var bytes: [UInt8] { (try? serializedBytes()) ?? [] }
}
