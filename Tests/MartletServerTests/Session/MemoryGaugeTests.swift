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
