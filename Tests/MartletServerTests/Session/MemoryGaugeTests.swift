/// When a connection that holds much is not read, when it is again, and what is refused.
import MartletEngine
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct MemoryGaugeTests {
  private let limits = Limits()

  @Test func `more than a share pauses, and half of it resumes`() {
    var script = SessionScript.opened()
    #expect(script.memory(held: 100, allowed: 100) == [])
    #expect(script.memory(held: 101, allowed: 100) == [.pauseReading])
    #expect(!script.session.takesFrames)
    #expect(script.memory(held: 90, allowed: 100) == [])
    #expect(script.memory(held: 50, allowed: 100) == [.resumeReading])
    #expect(script.session.takesFrames)
  }

  @Test func `a pause that does not help ends in refusals, and one that does goes on`() {
    var script = SessionScript.opened()
    _ = script.memory(held: 1_000, allowed: 100)
    for held in stride(from: 990, to: 900, by: -10) {
      script.now = script.now.advanced(milliseconds: limits.memoryPauseMs - 1)
      #expect(script.memory(held: held, allowed: 100) == [], "it becomes less")
    }
    script.now = script.now.advanced(milliseconds: limits.memoryPauseMs)
    #expect(script.memory(held: 910, allowed: 100) == [.resumeReading])
    #expect(script.session.memory.isRefusing && script.session.takesFrames)
    #expect(script.memory(held: 60, allowed: 100) == [] && script.session.memory.isRefusing)
    #expect(script.memory(held: 60, allowed: 200) == [] && !script.session.memory.isTight)
  }

  @Test func `who holds no more than its share when the wait is over is served`() {
    var script = SessionScript.opened()
    #expect(script.memory(held: 300, allowed: 100) == [.pauseReading])
    #expect(script.memory(held: 300, allowed: 400) == [])
    script.now = script.now.advanced(milliseconds: limits.memoryPauseMs)
    #expect(script.memory(held: 300, allowed: 400) == [.resumeReading])
    #expect(!script.session.memory.isTight && script.session.takesFrames)
  }

  @Test func `who waits goes on a tick after others made room, however much of a request it holds`() {
    let tick = limits.sessionTickMs
    // Of a budget of 64 MiB, 3.5 MB are more than half of what one may have who is alone.
    for held in [51, 60, 100] {
      var script = SessionScript.opened()
      #expect(script.memory(held: held, allowed: 50) == [.pauseReading])
      script.now = script.now.advanced(milliseconds: 10 * tick)
      #expect(script.memory(held: held, allowed: 50) == [], "nobody has made room")
      #expect(script.memory(held: held, allowed: 100) == [.resumeReading], "\(held)")
      #expect(!script.session.memory.isTight)
      // One who comes to its bound again waits for a tick again, or each read would stop it.
      #expect(script.memory(held: 101, allowed: 100) == [.pauseReading])
      script.now = script.now.advanced(milliseconds: tick - 1)
      #expect(script.memory(held: 100, allowed: 100) == [])
      script.now = script.now.advanced(milliseconds: 1)
      #expect(script.memory(held: 100, allowed: 100) == [.resumeReading])
    }
  }

  @Test func `who is refused long requests is served again a tick after others made room`() {
    var script = SessionScript.opened()
    _ = script.memory(held: 80, allowed: 50)
    script.now = script.now.advanced(milliseconds: limits.memoryPauseMs)
    #expect(script.memory(held: 80, allowed: 50) == [.resumeReading] && script.session.memory.isRefusing)
    #expect(script.memory(held: 80, allowed: 100) == [] && script.session.memory.isRefusing)
    script.now = script.now.advanced(milliseconds: limits.sessionTickMs)
    #expect(script.memory(held: 80, allowed: 100) == [] && !script.session.memory.isTight)
  }

  @Test func `pauses that follow one another are one wait, which ends in refusals as one pause does`() {
    let tick = limits.sessionTickMs
    var script = SessionScript.opened()
    let began = script.now
    #expect(script.memory(held: 101, allowed: 100) == [.pauseReading])
    // Others come and go: each tick it has room, and then it is beyond it.
    while !script.session.memory.isRefusing {
      script.now = script.now.advanced(milliseconds: tick)
      #expect(script.now <= began.advanced(milliseconds: limits.memoryPauseMs + 2 * tick))
      guard script.memory(held: 101, allowed: 110) == [.resumeReading] else { break }
      guard script.memory(held: 102, allowed: 100) == [.pauseReading] else { break }
      script.now = script.now.advanced(milliseconds: tick)
      _ = script.memory(held: 102, allowed: 100)
    }
    #expect(script.session.memory.isRefusing && script.now >= began.advanced(milliseconds: limits.memoryPauseMs))
    // Room for a tick is no end of the wait: beyond it again, the wait is not begun anew.
    script.now = script.now.advanced(milliseconds: tick)
    #expect(script.memory(held: 101, allowed: 110) == [] && !script.session.memory.isTight)
    #expect(script.memory(held: 111, allowed: 110) == [.pauseReading])
    #expect(script.memory(held: 111, allowed: 110) == [.resumeReading] && script.session.memory.isRefusing)
  }

  @Test func `a wait is over when half of a share is left, or when nothing was waited for as long as it lasts`() {
    for ends in [false, true] {
      var script = SessionScript.opened()
      _ = script.memory(held: 101, allowed: 100)
      script.now = script.now.advanced(milliseconds: limits.memoryPauseMs - 1)
      #expect(script.memory(held: 101, allowed: 110) == [.resumeReading])
      if ends {
        _ = script.memory(held: 55, allowed: 110)
      } else {
        script.now = script.now.advanced(milliseconds: limits.memoryPauseMs)
      }
      #expect(script.memory(held: 111, allowed: 110) == [.pauseReading])
      script.now = script.now.advanced(milliseconds: limits.memoryPauseMs - 1)
      #expect(script.memory(held: 111, allowed: 110) == [] && script.session.memory.isPaused)
      script.now = script.now.advanced(milliseconds: 1)
      #expect(script.memory(held: 111, allowed: 110) == [.resumeReading] && script.session.memory.isRefusing)
    }
  }

  @Test func `a full output and full memory each keep the connection from being read`() {
    var script = SessionScript.opened()
    _ = script.receive(2, .execute(credit: .max))
    #expect(script.output(queued: limits.outputPauseBytes + 1, written: 0) == [.pauseReading])
    #expect(script.memory(held: 300, allowed: 100) == [.pauseReading])
    #expect(script.memory(held: 1, allowed: 100) == [])
    #expect(script.memory(held: 300, allowed: 100) == [.pauseReading])
    #expect(!script.output(queued: 0, written: 300_000).contains(.resumeReading))
    #expect(!script.session.takesFrames)
    #expect(script.memory(held: 1, allowed: 100).first == .resumeReading)
    #expect(script.session.takesFrames)
  }

  @Test func `while memory is short rows are fetched only for a peer that has taken what there was`() {
    var script = SessionScript.opened()
    _ = script.receive(2, .execute(credit: .max))
    _ = script.memory(held: 300, allowed: 100)
    _ = script.output(queued: 1_000, written: 0)
    let batch = RowBatch(rows: [[.blob([UInt8](repeating: 0, count: limits.outputPauseBytes))]], columnCount: 1)
    #expect(script.engine(.rows(batch), 2).extended == [:])
    _ = script.output(queued: 0, written: 1_000)
    #expect(script.memory(held: 300, allowed: 100).extended[2] != nil, "it is never left without credit")
  }

  @Test func `a frame that is passed over is answered, or ends a connection that cannot be told`() {
    var script = SessionScript.opened()
    var actions: [SessionAction] = []
    script.session.framePassedOver(7, now: script.now, &actions)
    #expect(actions.refusals == [7: .memory])
    actions = []
    script.session.framePassedOver(0, now: script.now, &actions)
    #expect(actions.refusals == [0: .memory] && actions.isEnding)
  }
}

extension SessionScript {
  fileprivate mutating func memory(held: Int, allowed: Int) -> [SessionAction] {
    var actions: [SessionAction] = []
    session.memoryChanged(heldBytes: held, allowedBytes: allowed, now: now, &actions)
    return actions
  }
}
