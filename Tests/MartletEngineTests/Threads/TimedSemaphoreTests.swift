/// A semaphore whose times are those of the monotonic clock.
import Dispatch
import Foundation
import MartletTestSupport
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct TimedSemaphoreTests {
  @Test func `each signal lets one wait through`() {
    let semaphore = TimedSemaphore(value: 1)
    semaphore.signal()
    #expect(semaphore.wait(by: .now()))
    semaphore.wait()
    #expect(!semaphore.wait(by: .now()))
    #expect(!semaphore.wait(by: .now() + .milliseconds(1)))
  }

  @Test func `threads that wait with a time and without one share the signals`() throws {
    let (semaphore, through) = (TimedSemaphore(), TimedSemaphore())
    for isTimed in [true, false, true, false] {
      Thread.detachNewThread {
        if isTimed { #expect(semaphore.wait(by: .distantFuture)) } else { semaphore.wait() }
        through.signal()
      }
    }
    #expect(!through.wait(by: .now()))
    for _ in 0..<4 {
      semaphore.signal()
      try waitUntil { through.wait(by: .now()) }
    }
    #expect(!through.wait(by: .now()))
  }
}
