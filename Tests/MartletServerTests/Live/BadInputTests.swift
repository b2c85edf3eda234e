/// A real server against clients that break the protocol, on purpose or by dying.
///
/// Always true: after each abuse a neighbour is served as before.
import Foundation
import MartletProtocol
import MartletServer
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized) struct BadInputTests {
  private let live: LiveServer

  init() throws { live = try LiveServer() }

  private func error(in message: ServerMessage?) throws -> RequestError {
    for case .error(let error) in message?.parts ?? [] { return error }
    throw RawClient.Failure(message: "no error: \(String(describing: message))")
  }

  private func inspection(in message: ServerMessage) throws -> Inspection {
    for case .inspection(let inspection) in message.parts { return inspection }
    throw RawClient.Failure(message: "no inspection: \(message)")
  }

  private func expectHealthy() throws {
    let neighbour = try live.connect()
    neighbour.send(2, .ping([1, 2, 3]))
    let pong = try neighbour.receive()
    #expect(pong == ServerMessage(requestID: 2, .pong([1, 2, 3])))
  }

  @Test func `bytes of another protocol are answered with a sentence and the end`() throws {
    for text in [
      "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u{16}\u{3}\u{1}\0\u{5}hello", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
      let client = try RawClient(live.tcp)
      client.send(Array(text.utf8))
      let messages = try client.receiveUntilClosed()
      let error = try error(in: messages.first)
      #expect(error.reason == .malformed && messages.count == 1)
    }
    try expectHealthy()
  }

  @Test(arguments: [(16 << 10) + 1, 1 << 31, Int(UInt32.max)])
  func `a length beyond the limit ends the connection before anything is read`(length: Int) throws {
    let client = try RawClient(live.tcp)
    client.send(withUnsafeBytes(of: UInt32(length).bigEndian) { [0] + Array($0) })
    let messages = try client.receiveUntilClosed()
    let error = try error(in: messages.first)
    #expect(error.reason == .malformed && error.message.contains("\(length)"))
    try expectHealthy()
  }

  @Test func `a message of no bytes, of no kind and of nonsense ends or fails with a reason`() throws {
    for body: [UInt8] in [[], [0x0D, 1, 0, 0, 0], [0xFF, 0xFF, 0xFF], Array(repeating: 0x0B, count: 1_000)] {
      let client = try RawClient(live.tcp)
      client.send(withUnsafeBytes(of: UInt32(body.count).bigEndian) { [0] + Array($0) } + body)
      let messages = try client.receiveUntilClosed()
      _ = try error(in: messages.first)
    }
    try expectHealthy()
  }

  @Test func `a conversation split at every byte is answered all the same`() throws {
    let client = try RawClient(live.tcp)
    let bytes =
      client.bytes(1, .hello(.init(database: "db", create: true))) + client.bytes(2, .ping([7]))
      + client.bytes(3, .inspect(shapes: 1, sessions: 0))
    for byte in bytes { client.send([byte]) }
    guard case .hello(let hello)? = try client.receive().parts.first else {
      throw RawClient.Failure(message: "no hello")
    }
    #expect(hello.server == Server.version && hello.sqlite.hasPrefix("3."))
    #expect(try client.receive() == ServerMessage(requestID: 2, .pong([7])))
    let inspection = try inspection(in: client.receive())
    #expect(inspection.counters.contains { $0.name == "connections" && $0.value >= 1 })
  }

  @Test func `a conversation that is cut at any byte leaves nothing behind`() throws {
    let template = try RawClient(live.tcp)
    let bytes =
      template.bytes(1, .hello(.init(database: "db", create: true))) + template.bytes(2, .begin(.write, deadlineMs: 0))
    for end in 0...bytes.count {
      let client = try RawClient(live.tcp)
      client.send(Array(bytes[..<end]))
      if end % 2 == 0 { client.reset() } else { client.close() }
    }
    try expectHealthy()
    template.close()
    let last = try live.connect()
    try waitUntil {
      last.send(9, .inspect(shapes: 0, sessions: 0))
      let inspection = try inspection(in: last.receive())
      return inspection.counters.first { $0.name == "connections" }?.value == 1
    }
    // The writer is free again: a transaction begins and commits.
    last.send(20, .begin(.write, deadlineMs: 0))
    #expect(try last.answer(20).completion != nil)
    last.send(21, .finish(transaction: 20, commit: true))
    #expect(try last.answer(21).completion != nil)
  }

  @Test func `what comes after a refusal is ignored and the reason still arrives`() throws {
    let client = try RawClient(live.tcp)
    client.send(client.bytes(5, .ping([])) + Array(repeating: 0xAA, count: 3_000_000))
    let messages = try client.receiveUntilClosed()
    let error = try error(in: messages.first)
    #expect(messages.first?.requestID == 5 && error.reason == .notAllowed && messages.count == 1)
    try expectHealthy()
  }

  @Test func `ten thousand requests that nobody reads the answers of are held back, not stored`() throws {
    let client = try live.connect()
    let ping = client.bytes(2, .ping(Array(repeating: 9, count: 64)))
    let flood = Array(repeating: ping, count: 10_000).flatMap { $0 }
    let ended = DispatchSemaphore(value: 0)
    Thread {
      for _ in 0..<20 where !client.send(flood) { break }
      ended.signal()
    }.start()
    try expectHealthy()
    // The descriptor is closed only when nobody sends on it: the next connection may get its number.
    client.shutDown()
    ended.wait()
    client.reset()
    try expectHealthy()
  }

  @Test func `connections beyond the limit are told so at once`() throws {
    var limits = Limits()
    limits.connectionsMax = 3
    let small = try LiveServer(limits: limits)
    var clients = try (0..<3).map { _ in try small.connect() }
    let refused = try RawClient(small.tcp)
    let error = try error(in: try refused.receive())
    #expect(error.reason == .overloaded && error.isRetryable)
    #expect(try refused.receiveUntilClosed().isEmpty)
    clients.removeAll()
    try waitUntil { small.counter("connections") == 0 }
    _ = try small.connect()
    #expect(small.counter("connections_refused") == 1)
  }

  @Test func `half-open and silent sockets are reaped at the hello deadline`() throws {
    var limits = Limits()
    limits.helloDeadlineMs = 50
    limits.sessionTickMs = 10
    let strict = try LiveServer(limits: limits)
    let silent = try (0..<50).map { _ in try RawClient(strict.tcp) }
    for (index, client) in silent.enumerated() where index % 2 == 0 { client.send([0, 0, 0]) }
    for client in silent {
      let told = try client.receiveUntilClosed()
      #expect(try told.count == 1 && error(in: told[0]).reason == .deadline)
    }
    try waitUntil { strict.counter("closed_hello_too_late") == 50 }
  }
}
