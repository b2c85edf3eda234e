/// What is asked of the server as a whole: nobody is kept waiting by it, and nobody is refused because others ask too.
import Foundation
import MartletEngine
import MartletProtocol
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletServer

@Suite(.serialized) struct ServerWorkTests {
  private func inspections(_ client: RawClient, _ count: Int) throws -> [Inspection] {
    try (0..<count).map { _ in
      let message = try client.receive()
      guard case .inspection(let inspection)? = message.parts.first else {
        throw RawClient.Failure(message: "no inspection: \(message)")
      }
      return inspection
    }
  }

  @Test func `an inspection is bounded in bytes, and as many as are asked for are answered`() throws {
    let live = try LiveServer()
    let client = try live.connect()
    let padding = String(repeating: "z", count: 3_000)
    for id in 2...301 as ClosedRange<UInt32> {
      #expect(try client.execute(id, "SELECT \(id), '\(padding)'").error == nil)
    }
    let askers = try (0..<4).map { _ in try live.connect() }
    for asker in askers {
      for id in 2..<92 as Range<UInt32> { asker.send(id, .inspect(shapes: 1_000, sessions: 1_000)) }
    }
    for asker in askers {
      for inspection in try inspections(asker, 90) {
        let bytes = inspection.shapes.reduce(0) { $0 + $1.sql.utf8.count }
        #expect(bytes <= 256 << 10 && inspection.shapes.count > 20 && inspection.sessions.count == 5)
      }
    }
    client.send(999, .inspect(shapes: 3, sessions: 1))
    let few = try inspections(client, 1)
    #expect(few[0].shapes.count == 3 && few[0].sessions.count == 1)
  }

  @Test func `what one session asks for at once is done in its order, and nobody is refused because others ask too`()
    throws
  {
    let live = try LiveServer()
    let clients = try (0..<6).map { _ in try RawClient(live.tcp, database: "") }
    for (number, client) in clients.enumerated() {
      var id: UInt32 = 2
      for round in 0..<5 {
        let name = "made\(number)-\(round)"
        for task: Administration in [
          .create(name), .rename(name, to: name + "x", endsSessions: false), .drop(name + "x", endsSessions: false),
        ] {
          client.send(id, .request(.administer(task)))
          id += 1
        }
      }
    }
    for client in clients {
      for (id, answer) in try client.answers(Set(2..<17)) { #expect(answer.error == nil, "\(id)") }
    }
  }
}

@Suite struct FairWorkerTests {
  private func asker(_ session: UInt64, presence: Presence = Presence(), deadline: MonotonicTime = .distantFuture)
    -> Asker
  {
    Asker(share: .init(subject: 1, session: session), deadline: deadline, presence: presence)
  }

  @Test func `one after the other is done, in turns by session; who has gone or is late is passed over`() {
    let worker = FairWorker(label: "test", waitingMax: 8)
    let done = Mutex<[String]>([])
    let (begun, goOn, end) = (Gate(), Gate(), Gate(count: 5))
    worker.submit(for: asker(1), refuse: { _ in }) {
      begun.open()
      goOn.wait()
    }
    begun.wait()
    func submit(_ name: String, _ asker: Asker) {
      worker.submit(
        for: asker,
        refuse: { error in
          done.withLock { $0.append("\(name) \(error.reason.rawValue)") }
          end.open()
        },
        {
          done.withLock { $0.append(name) }
          end.open()
        })
    }
    let gone = Presence()
    for name in ["a", "b", "c"] { submit(name, asker(2)) }
    submit("gone", asker(3, presence: gone))
    submit("late", asker(4, deadline: ServerClock.now))
    submit("x", asker(5))
    gone.leave()
    goOn.open()
    end.wait()
    #expect(done.withLock { $0 } == ["late DEADLINE", "a", "x", "b", "c"])
  }

  @Test func `jobs that take long do not keep an ordinary one waiting, whoever asked for them`() {
    let worker = FairWorker(label: "test", .init(quick: 4, slow: 8, slowMs: 1))
    let (goOn, end, served) = (Gate(), Gate(count: 4), Gate())
    for session in 1...4 as ClosedRange<UInt64> {
      worker.submit(for: asker(session), topic: "slow\(session)", refuse: { _ in end.open() }) {
        goOn.wait()
        end.open()
      }
    }
    worker.submit(for: asker(5), topic: "ordinary", refuse: { _ in }) { served.open() }
    #expect(served.wait(ms: 20_000))
    goOn.open()
    end.wait()
  }

  @Test func `where too many wait, whoever has the most of them is told so`() {
    let worker = FairWorker(label: "test", waitingMax: 3)
    let refused = Mutex<[String]>([])
    let (begun, goOn, end) = (Gate(), Gate(), Gate(count: 5))
    worker.submit(for: asker(1), refuse: { _ in }) {
      begun.open()
      goOn.wait()
    }
    begun.wait()
    for (name, session) in [("a", 1), ("b", 1), ("c", 1), ("d", 1), ("x", 2)] as [(String, UInt64)] {
      worker.submit(
        for: asker(session),
        refuse: { error in
          if error.isRetryable { refused.withLock { $0.append(name) } }
          end.open()
        },
        { end.open() })
    }
    goOn.open()
    end.wait()
    #expect(refused.withLock { $0 } == ["d", "c"])
  }
}
