/// Scripts for when a schema may be changed again, with the time passed in.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct SchemaPaceTests {
  /// Long after the start, so that what may be saved is saved.
  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: 1_000_000 + ms) }

  private func freeIn(_ pace: SchemaPace, at ms: Int) -> Int {
    pace.freeAt <= at(ms) ? 0 : pace.freeAt.milliseconds(since: at(ms))
  }

  private let ms: UInt64 = 1_000_000

  @Test func `what others spend on reading a changed schema has a tenth of the time, and some that was saved`() {
    var pace = SchemaPace()
    let saved = UInt64(EngineLimits.schemaSavedMs)
    pace.changed(by: 1, at: at(0))
    pace.wasRead((saved - 100) * ms, by: 2, at: at(0))
    #expect(freeIn(pace, at: 0) == 0)
    pace.wasRead(200 * ms, by: 3, at: at(0))
    // Ten times what is more than was saved, but for the time in which the first of it was spent.
    #expect(freeIn(pace, at: 0) == 10 * 100 - Int(saved - 100))
    pace.wasRead(100 * ms, by: nil, at: at(0))
    #expect(freeIn(pace, at: 0) == 10 * 200 - Int(saved - 100))
  }

  @Test func `what a session pays for its own changes counts for nothing, and neither does what nobody changed`() {
    var pace = SchemaPace()
    pace.wasRead(60_000 * ms, by: 2, at: at(0))
    #expect(freeIn(pace, at: 0) == 0)
    pace.changed(by: 1, at: at(0))
    pace.wasRead(60_000 * ms, by: 1, at: at(1))
    #expect(freeIn(pace, at: 1) == 0)
    // Another session changes it: now the first one is one of the others.
    pace.changed(by: 2, at: at(2))
    pace.wasRead(60_000 * ms, by: 1, at: at(3))
    #expect(freeIn(pace, at: 3) > 0)
  }

  @Test func `after a change the next one waits for a bounded time, whatever the schema costs`() {
    var pace = SchemaPace()
    pace.changed(by: 1, at: at(0))
    for _ in 0..<100 { pace.wasRead(60_000 * ms, by: 2, at: at(1)) }
    #expect(freeIn(pace, at: 1) == EngineLimits.schemaPauseMaxMs - 1)
    pace.wasRead(.max, by: 2, at: at(2))
    #expect(freeIn(pace, at: 2) == EngineLimits.schemaPauseMaxMs - 2)
    pace.changed(by: 1, at: at(EngineLimits.schemaPauseMaxMs))
    #expect(freeIn(pace, at: EngineLimits.schemaPauseMaxMs) == EngineLimits.schemaPauseMaxMs)
  }

  @Test func `who changed the schema lately is remembered for a while, and not too many are`() {
    var pace = SchemaPace()
    pace.changed(by: 1, at: at(0))
    #expect(pace.isChanger(1, at: at(1)) && !pace.isChanger(2, at: at(1)))
    #expect(!pace.isChanger(1, at: at(EngineLimits.schemaChangerMs)))
    // Who wanted to, and could not, is remembered too, and has changed nothing.
    pace.wanted(by: 7, at: at(1))
    #expect(pace.isChanger(7, at: at(2)))
    for session in 2..<UInt64(3 * EngineLimits.penalizedSessionsMax) { pace.changed(by: session, at: at(2)) }
    let sessions = 1..<UInt64(3 * EngineLimits.penalizedSessionsMax)
    let known = sessions.count { pace.isChanger($0, at: at(3)) }
    #expect(known > 0 && known <= EngineLimits.penalizedSessionsMax)
  }
}
