/// Sessions without sockets: several of them on one transport, each with a subject of its own.
import Foundation
import Logging
import MartletAST
import MartletClient
import MartletEngine
import MartletLoop
import MartletProtocol
import MartletTestSupport
import MartletValues
import MartletWire
import Synchronization
import Testing

@testable import MartletServer

@Suite struct SessionHostTests {
  private static func frame(_ id: UInt32, _ kind: ClientMessage.Kind) -> [UInt8] {
    ClientMessageEncoder.bytes(of: ClientMessage(requestID: id, kind: kind))
  }

  /// The messages in what was sent, by the request that each is for.
  private static func messages(_ bytes: [UInt8]) throws -> [ServerMessage] {
    var messages: [ServerMessage] = []
    var frames = FrameDecoder(frameBytesMax: 1 << 20)
    try bytes.withUnsafeBytes { bytes in
      frames.feed(bytes)
      while let frame = try frames.next() { messages.append(try ServerMessageDecoder.decode(frame)) }
    }
    return messages
  }

  /// Sends the frames, and waits until the session has answered so many requests. `first` happens just before, in the
  /// same turn of the loop.
  private func ask(
    _ stage: LoopStage, _ transport: ArrayTransport, _ session: UInt64, _ frames: [[UInt8]], answers: Int = 1,
    after first: @escaping @Sendable () -> Void = {}
  ) throws -> [ServerMessage] {
    let shard = stage.shard
    let before = stage.onLoop { transport.lines[session]?.sent.count ?? 0 }
    stage.onLoop {
      first()
      if let host = shard.host(session) { transport.receive(frames, for: host) }
    }
    var messages: [ServerMessage] = []
    // The loop's turns bring the answers of other threads; each look is one.
    try waitUntil("no answer") {
      let sent = stage.onLoop { transport.lines[session]?.sent ?? [] }
      messages = try Self.messages(Array(sent.dropFirst(before)))
      return messages.filter(\.endsRequest).count >= answers
    }
    return messages
  }

  private func open(
    _ stage: LoopStage, _ transport: ArrayTransport,
    subject: Subject = Subject(origin: .unnamedProcess, permissions: .all),
    setup: [[UInt8]] = []
  ) throws -> UInt64 {
    let shard = stage.shard
    let session = stage.onLoop { shard.makeHost(on: transport, peer: "a test", subject: subject).id }
    let hello = Self.frame(1, .hello(.init(database: "db", create: true, setup: setup)))
    let greeting = try ask(stage, transport, session, [hello])
    guard case .hello? = greeting.first?.parts.first else { throw RawClient.Failure(message: "\(greeting)") }
    return session
  }

  @Test func `two sessions of one transport have their own requests under the same ids`() throws {
    let stage = try LoopStage()
    let transport = ArrayTransport()
    let first = try open(stage, transport)
    let second = try open(stage, transport)
    for (session, word) in [(first, "one"), (second, "two")] {
      let answers = try ask(
        stage, transport, session, [Self.frame(2, .raw("SELECT '\(word)'"))])
      let parts = answers.flatMap(\.parts)
      guard case .rows(let rows)? = parts.first(where: { if case .rows = $0 { true } else { false } }) else {
        Issue.record("no rows: \(answers)")
        continue
      }
      #expect(try rows.row(0) == [.text(word)])
    }
    // The end of one is not the other's.
    let shard = stage.shard
    stage.onLoop { shard.host(first)?.peerClosed(failed: false, now: ServerClock.now) }
    #expect(stage.onLoop { (transport.lines[first]?.isClosed, transport.lines[second]?.isClosed) } == (true, false))
    let pong = try ask(stage, transport, second, [Self.frame(3, .ping([7]))])
    #expect(pong.first?.requestID == 3)
  }

  @Test func `a setup that was allowed when the database began to open is not when it is open`() throws {
    let stage = try LoopStage()
    let transport = ArrayTransport()
    let shard = stage.shard
    let trigger = ASTStatement.createTrigger("x", .after, .insert, on: "t", [.delete(from: "t")]) {
      $0.temporary = true
    }
    let setup = [trigger.bytes]
    for (permissions, isTaken) in [(Permissions.all, true), ([.insert], false), (.all, true)] {
      // The database opens on another thread, and comes back in a later turn of the loop.
      let session = stage.onLoop {
        let subject = Subject(origin: .unnamedProcess, permissions: .all)
        let host = shard.makeHost(on: transport, peer: "a test", subject: subject)
        let name = "db\(host.id)"
        transport.receive([Self.frame(1, .hello(.init(database: name, create: true, setup: setup)))], for: host)
        host.session.permissionsChanged(Subject(origin: .unnamedProcess, permissions: permissions), ends: nil)
        return host.id
      }
      let answer = try ask(stage, transport, session, [])
      if case .hello? = answer.first?.parts.first {
        #expect(isTaken)
      } else {
        #expect(!isTaken && Self.error(answer)?.reason == .permission, "\(answer)")
      }
    }
  }

  @Test func `who may not have a database that sleeps is told so, and it wakes for the others who wait`() throws {
    let stage = try LoopStage()
    let transport = ArrayTransport()
    let shard = stage.shard
    let trigger = ASTStatement.createTrigger("x", .after, .insert, on: "t", [.delete(from: "t")]) {
      $0.temporary = true
    }
    let sessions = try (0..<3).map { _ in try open(stage, transport, setup: [trigger.bytes]) }
    #expect(shard.sleep(databaseNamed: "db") == true)
    // The first one asks first, and may not have such a setup any more.
    let answers = try ask(stage, transport, sessions[2], [Self.frame(2, .raw("SELECT 1"))]) {
      shard.host(sessions[0])?.session.permissionsChanged(
        Subject(origin: .unnamedProcess, permissions: [.insert]), ends: nil)
      for session in sessions.dropLast() {
        guard let host = shard.host(session) else { continue }
        transport.receive([Self.frame(2, .raw("SELECT 1"))], for: host)
      }
    }
    #expect(Self.error(answers) == nil && answers.contains(where: \.endsRequest))
    let ends = stage.onLoop { sessions.map { transport.lines[$0]?.isFinished } }
    #expect(ends == [true, false, false])
  }

  @Test func `a peer that takes nothing is given up after the same time, whatever encryption adds`() throws {
    for overhead in [0, 22] {
      let stage = try LoopStage()
      let transport = ArrayTransport()
      let session = try open(stage, transport)
      let shard = stage.shard
      stage.onLoop {
        transport.overhead = overhead
        transport.isStuck = true
        guard let host = shard.host(session) else { return }
        for id in UInt32(2)..<5 { transport.receive([Self.frame(id, .request(.ping([1])))], for: host) }
        host.tick(now: ServerClock.now.advanced(milliseconds: Limits().outputStallMs - 1_000))
      }
      #expect(stage.onLoop { transport.lines[session]?.isClosed } == false)
      stage.onLoop {
        shard.host(session)?.tick(now: ServerClock.now.advanced(milliseconds: Limits().outputStallMs + 1_000))
      }
      #expect(stage.onLoop { transport.lines[session]?.isClosed } == true, "\(overhead)")
    }
  }

  @Test func `what came before a pause for memory is taken when the session goes on, though nothing more comes`() throws
  {
    let stage = try LoopStage()
    let transport = ArrayTransport()
    let session = try open(stage, transport)
    let shard = stage.shard
    let (isPaused, taken, before) = stage.onLoop {
      guard let host = shard.host(session) else { return (false, [UInt8](), 0) }
      let now = ServerClock.now
      let before = transport.lines[session]?.sent.count ?? 0
      host.session.memoryChanged(heldBytes: 100, allowedBytes: 1, now: now, &host.actions)
      host.perform(now: now)
      transport.lines[session]?.waiting = [Self.frame(2, .request(.ping([1])))]
      transport.takeWaitingFrames(of: host, now: now)
      let isPaused = transport.lines[session]?.isPaused == true && transport.lines[session]?.sent.count == before
      // It holds next to nothing, as it finds at the next tick.
      host.tick(now: now.advanced(milliseconds: Limits().sessionTickMs))
      return (isPaused, transport.lines[session]?.sent ?? [], before)
    }
    #expect(isPaused)
    #expect(try Self.messages(Array(taken.dropFirst(before))).map(\.requestID) == [2])
  }

  @Test func `a client that left while it was not read is let go at the next tick`() throws {
    let stage = try LoopStage()
    let transport = ArrayTransport()
    let sessions = try (0..<2).map { _ in try open(stage, transport) }
    let shard = stage.shard
    stage.onLoop {
      let now = ServerClock.now
      for session in sessions {
        guard let host = shard.host(session) else { continue }
        host.session.memoryChanged(heldBytes: 100, allowedBytes: 1, now: now, &host.actions)
        host.perform(now: now)
        transport.lines[session]?.hasPeerLeft = session == sessions[0]
        host.tick(now: now.advanced(milliseconds: 1))
      }
    }
    #expect(stage.onLoop { sessions.map { transport.lines[$0]?.isClosed } } == [true, false])
  }

  @Test func `what one subject has compiled is not another's to run`() throws {
    let stage = try LoopStage()
    let transport = ArrayTransport()
    let mayAll = try open(stage, transport)
    let mayRead = try open(
      stage, transport,
      subject: Subject(
        origin: .address(high: 0, low: 7, isThisMachine: false), permissions: Permissions.all.subtracting(.raw)))
    let text = ASTStatement.raw("SELECT 1").bytes
    let shape = text.withUnsafeBytes { ShapeID(hashing: $0) }
    for _ in 0..<3 {
      let done = try ask(
        stage, transport, mayAll, [Self.frame(2, .execute(.init(source: .statement(text))))])
      #expect(Self.error(done) == nil)
      for (id, source) in [(2, .shape(shape)), (3, .statement(text))] as [(UInt32, StatementSource)] {
        let refused = try ask(
          stage, transport, mayRead, [Self.frame(id, .execute(.init(source: source)))])
        #expect(Self.error(refused)?.reason == .permission)
      }
    }
  }

  private static func error(_ messages: [ServerMessage]) -> RequestError? {
    for message in messages { for case .error(let error) in message.parts { return error } }
    return nil
  }

  @Test func `frames that come while a session opens wait in its transport`() throws {
    let stage = try LoopStage()
    let transport = ArrayTransport()
    let shard = stage.shard
    let session = stage.onLoop {
      shard.makeHost(on: transport, peer: "", subject: Subject(origin: .unnamedProcess, permissions: .all)).id
    }
    let frames = [
      Self.frame(1, .hello(.init(database: "late", create: true))), Self.frame(2, .ping([1])),
      Self.frame(3, .raw("SELECT 3")),
    ]
    let answers = try ask(stage, transport, session, frames, answers: 3)
    #expect(answers.filter(\.endsRequest).map(\.requestID) == [1, 2, 3])
  }
}

extension ServerMessage {
  /// Whether it is the last one of its request.
  fileprivate var endsRequest: Bool {
    parts.contains { part in
      switch part {
      case .completion, .error, .hello, .pong: true
      default: false
      }
    }
  }
}
