/// When a reader lets go of its page cache, with the time passed in.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct IdlePagesTests {
  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms) }

  @Test func `the pages go once, when nobody has read for a while`() {
    var pages = IdlePages()
    #expect(pages.mustGo(at(5_000), isPinned: false, idleMs: 100) == false, "nobody has read yet")
    pages.readArrived()
    #expect(pages.mustGo(at(5_000), isPinned: false, idleMs: 100) == false, "somebody has read since the last look")
    #expect(pages.mustGo(at(5_099), isPinned: false, idleMs: 100) == false)
    #expect(pages.mustGo(at(5_100), isPinned: false, idleMs: 100) == true)
    #expect(pages.mustGo(at(9_000), isPinned: false, idleMs: 100) == false, "they have gone")
    pages.readArrived()
    #expect(pages.mustGo(at(9_001), isPinned: false, idleMs: 0) == false)
    #expect(pages.mustGo(at(9_001), isPinned: false, idleMs: 0) == true, "memory is short")
  }

  @Test func `they stay while a snapshot is open, and while somebody reads`() {
    var pages = IdlePages()
    for now in [0, 100, 200] {
      pages.readArrived()
      #expect(pages.mustGo(at(now), isPinned: false, idleMs: 100) == false)
    }
    #expect(pages.mustGo(at(300), isPinned: true, idleMs: 100) == false)
    #expect(pages.mustGo(at(301), isPinned: false, idleMs: 100) == true)
  }
}
