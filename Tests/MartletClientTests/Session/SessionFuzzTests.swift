/// A session between a program that does anything and a server that says anything.
import Foundation
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletClient

@Suite struct SessionFuzzTests {
  /// A session, and what it owes: each request that was submitted ends once.
  private struct Trial {
    var script: SessionScript
    var random: SeededGenerator
    var open: Set<UInt32> = []
    /// Those that a server has been sent.
    var sent: Set<UInt32> = []
    var endedTwice: [UInt32] = []
    var isClosed = false
    var events = 0
    private var nextID: UInt32 = 2

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      script = SessionScript(windowBytes: 1 << 10, waitingMax: 8)
      note(try script.open())
    }

    mutating func note(_ steps: [SessionScript.Step]) {
      for step in steps {
        switch step {
        case .told(let id, let part) where part.isEnd: if open.remove(id) == nil { endedTwice.append(id) }
        case .close: isClosed = true
        case .sent(let message):
          switch message.kind {
          case .hello?, .setup?, .credit?, .cancel?, nil: break
          default: sent.insert(message.requestID)
          }
        default: break
        }
      }
    }

    /// A number that was given, most of the time.
    private mutating func anyID() -> UInt32 {
      Int.random(in: 0..<40, using: &random) == 0
        ? UInt32.random(in: 0...UInt32.max, using: &random) : UInt32.random(in: 0...nextID, using: &random)
    }

    mutating func submit() throws {
      let id = Int.random(in: 0..<20, using: &random) == 0 ? anyID() : nextID
      nextID = max(nextID, id < 1_000_000 ? id + 1 : nextID)
      var request: ClientRequest =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .write(transaction: anyID())
        case 1: .read(.integer(1), transaction: anyID())
        case 2: ClientRequest(kind: .plain(.begin(Bool.random(using: &random) ? .write : .read)))
        case 3: ClientRequest(kind: .plain(.finish(transaction: anyID(), commit: Bool.random(using: &random))))
        case 4: ClientRequest(kind: .plain(.ping()))
        case 5: ClientRequest(kind: .batch([], isAtomic: true))
        default: .read()
        }
      if Int.random(in: 0..<4, using: &random) == 0 {
        request.deadline = script.now.advanced(milliseconds: Int.random(in: 0..<50, using: &random))
      }
      // One number for two requests at a time is refused, and the refusal is the second one's.
      let isNew = open.insert(id).inserted
      let steps = try script.submit(request, id: id)
      if isNew { note(steps) } else { #expect(steps.count == 1) }
    }

    /// Answers what it was sent; now and then another number, which ends the connection.
    private mutating func serverSays() -> ProtoServerMessage {
      let known = sent.intersection(open).sorted().randomElement(using: &random)
      let id = Int.random(in: 0..<100, using: &random) == 0 ? anyID() : known ?? 0
      return switch Int.random(in: 0..<200, using: &random) {
      case 0: .closing
      case 1: .hello(requestsMax: UInt32.random(in: 0...3, using: &random))
      case 2: .completion(id, step: UInt32.random(in: 0...2, using: &random))
      case 3...9: .transactionEnded(anyID())
      case 10...29: .error(id, .aborted, .unprepared)
      case 30...59: .error(id, .aborted, .overloaded)
      case 60...89: .columns(id, "a")
      case 90...94: .rows(id, [1, 2, 3])
      case 95...119: .pong(id)
      default: .completion(id)
      }
    }

    mutating func step() throws {
      events += 1
      switch Int.random(in: 0..<12, using: &random) {
      case 0...4: try submit()
      case 5: note(try script.pass(milliseconds: Int.random(in: 0..<2_000, using: &random)))
      case 6:
        let id = anyID()
        note(try script.when { $0.cancelled(id, &$1) })
      case 7:
        let (id, bytes) = (anyID(), Int.random(in: -5...5_000, using: &random))
        note(try script.when { $0.consumed(id, bytes: bytes, &$1) })
      default: note(try script.say(serverSays()))
      }
    }

    mutating func end() throws {
      note(try script.when { $0.ended(ClientError(.connectionLost, "It is over."), &$1) })
    }
  }

  @Test(arguments: UInt64(1)...8) func `each request ends once, whatever the program and the server do`(seed: UInt64)
    throws
  {
    var lived = 0
    for round in 0..<250 {
      var trial = try Trial(seed: seed &* 1_000 &+ UInt64(round))
      // Most servers greet at once; the others may say anything first.
      if round % 8 > 0 { trial.note(try trial.script.say(.hello(requestsMax: UInt32(1 + round % 5)))) }
      for _ in 0..<200 where !trial.isClosed {
        try trial.step()
        #expect(trial.script.session.contradiction == nil, "seed \(seed), round \(round)")
      }
      lived += trial.events
      try trial.end()
      #expect(trial.isClosed && trial.open.isEmpty, "seed \(seed), round \(round): \(trial.open) never ended")
      #expect(trial.endedTwice.isEmpty, "seed \(seed), round \(round): \(trial.endedTwice) ended twice")
    }
    #expect(lived > 5_000, "connections end too soon for anything to be seen")
  }

  @Test func `a request that ends twice and one that never ends are seen`() throws {
    var trial = try Trial(seed: 1)
    trial.open = [7, 8]
    let ending = SessionScript.Step.told(7, .failed(step: 0, .cancelled))
    trial.note([ending, ending])
    #expect(trial.endedTwice == [7])
    #expect(trial.open == [8])
  }
}
