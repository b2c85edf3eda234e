/// The life of a streamed read, as scripts of events and the actions they lead to.
import Testing

@testable import MartletEngine

@Suite struct StreamFlowTests {
  @Test func `a stream runs while there is credit, pauses without, and goes on when credit comes`() {
    var flow = StreamFlow()
    #expect(flow.leased() == .run)
    #expect(flow.batchDelivered(hasCredit: true, othersWait: false) == .next)
    #expect(flow.batchDelivered(hasCredit: true, othersWait: true) == .yield)
    #expect(flow.creditExtended() == .none)
    #expect(flow.batchDelivered(hasCredit: false, othersWait: true) == .pause)
    #expect(flow.creditExtended() == .run)
    #expect(flow.creditExtended() == .none)
    #expect(flow.rowsEnded() == .finish)
    #expect(flow.state == .ended)
  }

  @Test func `a stop is carried out by whoever holds the stream`() {
    var waiting = StreamFlow()
    #expect(waiting.stopped() == .withdraw)
    #expect(waiting.leased() == .giveBack)

    var paused = StreamFlow()
    _ = paused.leased()
    _ = paused.batchDelivered(hasCredit: false, othersWait: false)
    #expect(paused.stopped() == .finish)

    var running = StreamFlow()
    _ = running.leased()
    #expect(running.stopped() == .interrupt)
    #expect(running.stopped() == .none)
    #expect(running.batchDelivered(hasCredit: false, othersWait: false) == .finish)

    var failing = StreamFlow()
    _ = failing.leased()
    _ = failing.stopped()
    #expect(failing.rowsEnded() == .finish)
  }

  @Test func `a paused stream whose connection others need goes on from memory, or ends`() {
    var flow = StreamFlow()
    #expect(flow.reclaimed() == .none)
    _ = flow.leased()
    #expect(flow.reclaimed() == .none)
    _ = flow.batchDelivered(hasCredit: false, othersWait: false)
    var full = flow
    #expect(flow.reclaimed() == .copy)
    #expect(flow.creditExtended() == .none)
    #expect(flow.copied(isComplete: true) == .detach)
    #expect(flow.detached(hasCredit: false) == .pause)
    #expect(flow.creditExtended() == .run)
    #expect(flow.rowsEnded() == .finish)

    #expect(full.reclaimed() == .copy)
    #expect(full.copied(isComplete: false) == .finish)
    #expect(full.state == .ended)
  }

  @Test func `a read that was put back waits for a connection again, unless it was stopped`() {
    var flow = StreamFlow()
    _ = flow.leased()
    #expect(flow.putBack() == .beginAgain)
    #expect(flow.leased() == .run)
    _ = flow.stopped()
    #expect(flow.putBack() == .finish)
    var gone = StreamFlow()
    _ = gone.leased()
    _ = gone.putBack()
    #expect(gone.stopped() == .withdraw)
    #expect(gone.leased() == .giveBack)
  }

  @Test func `nothing happens after the end, and it ends once`() {
    var seed: UInt64 = 7
    for _ in 0..<2_000 {
      var flow = StreamFlow()
      var ends = 0
      var threads = 0
      for _ in 0..<30 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let wasEnded = flow.state == .ended
        let action: StreamFlow.Action
        // What only a running thread tells comes from one.
        let isRunning = flow.state == .running
        switch (seed >> 60) % 10 {
        case 0: action = flow.leased()
        case 1 where isRunning:
          action = flow.batchDelivered(hasCredit: seed >> 40 & 1 == 0, othersWait: seed >> 41 & 1 == 0)
        case 2: action = flow.creditExtended()
        case 3: action = flow.stopped()
        case 4 where isRunning: action = flow.rowsEnded()
        case 5: action = flow.reclaimed()
        case 6 where isRunning: action = flow.putBack()
        case 7 where isRunning: action = flow.copied(isComplete: seed >> 40 & 1 == 0)
        case 8 where isRunning: action = flow.detached(hasCredit: seed >> 40 & 1 == 0)
        default: continue
        }
        if wasEnded { #expect(action == .none || action == .giveBack) }
        switch action {
        case .run, .copy: threads = 1
        case .pause, .beginAgain: threads = 0
        case .finish:
          ends += 1
          threads = 0
        case .withdraw: ends += 1
        default: break
        }
        #expect(threads <= 1 && threads >= 0)
      }
      #expect(ends <= 1)
      #expect((ends == 1) == (flow.state == .ended))
    }
  }
}
