/// Credit, output and time of a session: nothing grows without bound, nobody holds a connection for ever.
///
/// Always true: time moves only when the script moves it.
import MartletEngine
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct SessionFlowTests {
  private let limits = Limits()

  /// Rows that cost exactly `bytes` of credit.
  private func rows(_ bytes: Int) -> RowBatch {
    var column = ColumnValues()
    [UInt8](repeating: 0, count: bytes - 20).withUnsafeBytes { column.appendBlob($0, row: 0) }
    let batch = RowBatch(rowCount: 1, columns: [column])
    #expect(batch.byteCount == bytes)
    return batch
  }

  @Test func `the engine gets the client's credit in windows and never more`() {
    var script = SessionScript.opened()
    var given = script.receive(1, .execute(credit: 1_000_000)).started[1] ?? 0
    #expect(given == limits.outputPauseBytes)
    var delivered = 0
    while delivered < 1_000_000 {
      given += script.engine(.rows(rows(50_000)), 1).extended[1] ?? 0
      delivered += 50_000
      #expect(given <= 1_000_000 && given - delivered <= limits.outputPauseBytes)
    }
    #expect(given == 1_000_000)
    #expect(script.engine(.rows(rows(60_000)), 1).extended == [:], "a batch may overdraw once")
    #expect(script.receive(1, .credit(bytes: 60_000)).extended == [1: 60_000])
    #expect(script.receive(1, .credit(bytes: 10_000)).extended == [1: 10_000])
  }

  @Test func `all credit that a client gives is counted, and overflow does no harm`() {
    var script = SessionScript.opened()
    #expect(script.receive(1, .execute(credit: .max)).started[1] == limits.outputPauseBytes)
    #expect(script.session.requests[0].clientCredit == Int(UInt32.max))
    for _ in 0..<100 { _ = script.receive(1, .credit(bytes: .max)) }
    #expect(script.receive(1, .credit(bytes: 0)) == [])
    #expect(script.session.requests[0].clientCredit == 101 * Int(UInt32.max))
    script.session.requests[0].clientCredit = limits.creditMaxBytes - 1
    _ = script.receive(1, .credit(bytes: .max))
    #expect(script.session.requests[0].clientCredit == limits.creditMaxBytes)
    #expect(script.receive(2, .execute(credit: 10)).started[2] == 10)
    #expect(script.receive(3, .execute()).started[3] ?? 0 >= limits.rowBatchBytes)
  }

  @Test func `a hundred streams share the memory of one`() {
    var script = SessionScript.opened()
    var outstanding = 0
    for id in 1...100 { outstanding += script.receive(UInt32(id), .execute(credit: .max)).started[UInt32(id)] ?? 0 }
    #expect(outstanding <= 100 * limits.rowBatchBytes + 6 * limits.outputPauseBytes)
  }

  @Test func `a full output stops rows and requests until half of it has drained`() {
    var script = SessionScript.opened()
    _ = script.receive(1, .execute(credit: 10_000_000))
    #expect(script.output(queued: limits.outputPauseBytes, written: 0) == [])
    #expect(script.output(queued: limits.outputPauseBytes + 1, written: 0) == [.pauseReading])
    #expect(!script.session.takesFrames)
    #expect(script.engine(.rows(rows(limits.outputPauseBytes)), 1).extended == [:])
    #expect(script.output(queued: limits.outputPauseBytes, written: 1) == [])
    let resumed = script.output(queued: limits.outputPauseBytes / 2, written: 2)
    #expect(resumed.first == .resumeReading && resumed.extended == [1: limits.outputPauseBytes])
    #expect(script.session.takesFrames)
  }

  @Test func `a peer that takes nothing is closed, one that is slow is not`() {
    var dead = SessionScript.opened()
    _ = dead.output(queued: 100, written: 0)
    #expect(dead.tick(afterMs: limits.outputStallMs - 1) == [])
    #expect(dead.tick(afterMs: 1) == [.close(.outputStalled)])
    #expect(dead.tick(afterMs: 1) == [])

    var slow = SessionScript.opened()
    _ = slow.receive(1, .execute())
    var written = 0
    for _ in 0..<50 {
      _ = slow.output(queued: 500_000, written: written)
      written += limits.rowBatchBytes
      _ = slow.output(queued: 500_000, written: written)
      #expect(slow.tick(afterMs: limits.outputStallMs) == [])
    }

    var quick = SessionScript.opened()
    _ = quick.output(queued: 100, written: 0)
    _ = quick.output(queued: 0, written: 100)
    _ = quick.receive(1, .execute())
    #expect(quick.tick(afterMs: limits.outputStallMs * 2) == [])
  }

  @Test func `rows that a client leaves for long after the deadline are dropped, once, and credit gives more time`() {
    let (deadlineMs, patienceMs) = (5_000, limits.outputStallMs)
    var script = SessionScript.opened()
    _ = script.receive(1, .execute(credit: 100, deadlineMs: UInt32(deadlineMs)))
    _ = script.receive(2, .execute(credit: 1_000_000, deadlineMs: UInt32(deadlineMs)))
    _ = script.receive(3, .begin(.write, deadlineMs: UInt32(deadlineMs)))
    _ = script.engine(.rows(rows(200)), 1)
    #expect(script.tick(afterMs: deadlineMs + patienceMs - 1) == [])
    #expect(script.tick(afterMs: 1) == [.dropUntakenRows(1)], "the other has credit, and what it waits for is here")
    #expect(script.tick(afterMs: patienceMs * 5) == [])
    #expect(script.engine(.failed(.shuttingDown), 1).contains(.forgetRequest(1)))

    var slow = SessionScript.opened()
    _ = slow.receive(1, .execute(credit: 100, deadlineMs: UInt32(deadlineMs)))
    _ = slow.engine(.rows(rows(200)), 1)
    #expect(slow.tick(afterMs: deadlineMs + patienceMs - 1) == [])
    for _ in 0..<10 {
      _ = slow.receive(1, .credit(bytes: 1))
      #expect(slow.tick(afterMs: patienceMs - 1) == [])
    }
    #expect(slow.tick(afterMs: 1) == [.dropUntakenRows(1)])
  }

  @Test func `a connection that says nothing is told so at the hello deadline, and closed`() {
    var script = SessionScript()
    #expect(script.tick(afterMs: limits.helloDeadlineMs - 1) == [])
    #expect(script.tick(afterMs: 1) == [.send(.error(.helloTooLate(limits)), to: 0, step: 0), .finishWriting])
    #expect(script.session.ignoresInput)
    #expect(script.tick(afterMs: limits.lingerMs) == [.close(.helloTooLate)])
  }

  @Test func `a frame that drips is closed at its deadline, frames that come in time are not`() {
    var script = SessionScript.opened()
    script.session.inputRested(partialBytes: 3, framesTaken: 0, now: script.now)
    #expect(script.tick(afterMs: limits.frameCompletionDeadlineMs - 1) == [])
    script.session.inputRested(partialBytes: 4, framesTaken: 0, now: script.now)
    #expect(script.tick(afterMs: 1) == [.send(.error(.frameTooSlow(limits)), to: 0, step: 0), .finishWriting])
    #expect(script.tick(afterMs: limits.lingerMs) == [.close(.frameTooSlow)])

    var busy = SessionScript.opened()
    for _ in 0..<10 {
      busy.session.inputRested(partialBytes: 3, framesTaken: 1, now: busy.now)
      #expect(busy.tick(afterMs: limits.frameCompletionDeadlineMs - 1) == [])
    }
    busy.session.inputRested(partialBytes: 0, framesTaken: 1, now: busy.now)
    #expect(busy.tick(afterMs: limits.frameCompletionDeadlineMs) == [])
  }

  @Test func `an idle connection is told and closed, one with work or a transaction is not`() {
    var idle = SessionScript.opened()
    #expect(idle.tick(afterMs: limits.connectionIdleMs - 1) == [])
    let told = idle.tick(afterMs: 1)
    #expect(told.isEnding && told.count == 2)
    #expect(idle.tick(afterMs: limits.lingerMs) == [.close(.idleTooLong)])

    var busy = SessionScript.opened()
    _ = busy.receive(1, .begin(.read, deadlineMs: 0))
    #expect(busy.tick(afterMs: limits.connectionIdleMs * 2) == [])
  }

  @Test func `a refused peer has a moment to read why`() {
    var script = SessionScript()
    #expect(script.receive(1, .ping([])).isEnding)
    #expect(script.session.ignoresInput)
    #expect(script.tick(afterMs: limits.lingerMs - 1) == [])
    #expect(script.tick(afterMs: 1) == [.close(.protocolViolation)])

    var polite = SessionScript()
    _ = polite.receive(1, .ping([]))
    #expect(polite.peerClosed() == [.close(.protocolViolation)])
  }

  @Test func `shutting down lets work finish, takes nothing new, and ends by itself`() {
    var script = SessionScript.opened()
    _ = script.receive(1, .execute())
    _ = script.receive(2, .begin(.write, deadlineMs: 0))
    _ = script.engine(.completed(Completion()), 2)
    #expect(script.shutDown() == [.send(.closing(DrainCause.shutdown.sentence), to: 0, step: 0)])
    #expect(script.receive(3, .execute()).refusals == [3: .shuttingDown])
    #expect(script.receive(4, .begin(.read, deadlineMs: 0)).refusals == [4: .shuttingDown])
    #expect(script.receive(5, .execute(transaction: 2)).started.keys.sorted() == [5])
    _ = script.engine(.completed(Completion()), 1)
    _ = script.engine(.completed(Completion()), 5)
    _ = script.receive(6, .finish(transaction: 2, commit: true))
    #expect(script.engine(.completed(Completion()), 6).isEnding)
    #expect(script.peerClosed() == [.close(.shuttingDown)])

    var idle = SessionScript.opened()
    #expect(idle.shutDown().isEnding)
    var silent = SessionScript()
    #expect(silent.shutDown().isEnding)
  }

  @Test func `of work that outlasts the drain only what may have been committed has an unknown outcome`() {
    let table: [(ClientMessage.Kind, isUnknown: Bool)] = [
      (.execute(), true), (.execute(transaction: 9), false), (.request(.begin(.write)), false),
      (.request(.finish(transaction: 9, commit: true)), true),
      (.request(.finish(transaction: 9, commit: false)), false),
      (.request(.savepoint(transaction: 9, .set, number: 1)), false),
      (.request(.inspect(shapes: 1, sessions: 0)), false),
    ]
    for (request, isUnknown) in table {
      var script = SessionScript.opened()
      _ = script.receive(9, .begin(.write, deadlineMs: 0))
      _ = script.engine(.completed(Completion()), 9)
      _ = script.receive(1, request)
      _ = script.shutDown()
      #expect(script.tick(afterMs: limits.shutdownDrainMs - 1) == [])
      let ended = script.tick(afterMs: 1)
      #expect(ended.isEnding && ended.contains(.forgetRequest(1)))
      for case .send(.error(let error), to: 1, step: 0) in ended {
        #expect(error.isOutcomeUnknown == isUnknown && error.reason == .shuttingDown, "\(request)")
      }
      #expect(ended.refusals == [1: .shuttingDown], "\(request)")
    }
  }

  @Test func `an answer on the loop ends its request like any other`() {
    var script = SessionScript.opened()
    _ = script.receive(1, .execute())
    _ = script.shutDown()
    var actions: [SessionAction] = []
    script.session.answeredInline(1, now: script.now, &actions)
    #expect(actions.isEnding)
  }

  @Test func `a session of a server that ends is over before the server stops waiting for it`() {
    let limits = Limits()
    let openers: [(String, (inout SessionScript) -> Void)] = [
      ("idle", { _ in }), ("in a transaction", { _ = $0.receive(9, .begin(.write, deadlineMs: 0)) }),
      ("in a read", { _ = $0.receive(1, .execute()) }),
    ]
    for (name, open) in openers {
      var script = SessionScript.opened()
      open(&script)
      _ = script.shutDown()
      _ = script.tick(afterMs: limits.shutdownDrainMs)
      let last = script.tick(afterMs: limits.shutdownCloseMs / 4)
      #expect(script.session.phase == .closed, "\(name): \(last)")
    }
    // One that lingers already, because it was refused, does not begin to.
    var refused = SessionScript()
    _ = refused.tick(afterMs: limits.helloDeadlineMs)
    _ = refused.shutDown()
    _ = refused.tick(afterMs: limits.shutdownCloseMs / 4)
    #expect(refused.session.phase == .closed)
  }
}
