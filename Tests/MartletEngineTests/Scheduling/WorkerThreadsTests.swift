/// A thread that does not come back keeps nobody from a slot, nor from the processor.
import Foundation
import MartletTestSupport
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct WorkerThreadsTests {
  private final class Held: Sendable {}

  @Test func `a thread that waits for its next read holds nothing of the last one`() throws {
    let threads = WorkerThreads(count: 1, heavyMax: 4, label: "martlet-waits", copiesBytesMax: 1 << 20)
    let share = TimeShares.Share(database: 1, subject: 0, session: 1)
    weak var gone: Held?
    func submit() {
      let held = Held()
      gone = held
      threads.submit(
        Turn(on: threads, as: share, clock: EngineConfiguration.systemClock) { _ in
          withExtendedLifetime(held) { .done }
        })
    }
    for _ in 0..<3 {
      submit()
      try waitUntil(within: .seconds(20)) { gone == nil }
    }
    threads.stop()
    #expect(threads.threadCount == 0)
  }

  #if os(Linux)
    private final class Seen: Sendable {
      let other = Atomic(false)
      let thread = Atomic<Int32>(0)
      var hasOther: Bool { other.load(ordering: .acquiring) }
    }

    @Test func `one in a step that does not come back runs behind all others, which have its slot`() {
      let threads = WorkerThreads(count: 1, heavyMax: 4, label: "martlet-astray", copiesBytesMax: 1 << 20)
      let (began, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let seen = Seen()
      func turn(session: UInt64, _ body: @escaping @Sendable () -> Void) -> Turn {
        let share = TimeShares.Share(database: 1, subject: 0, session: session)
        return Turn(on: threads, as: share, clock: EngineConfiguration.systemClock) { _ in
          body()
          return .done
        }
      }
      let stuck = turn(session: 1) {
        seen.thread.store(ThreadPriority.ownNumber, ordering: .relaxed)
        began.signal()
        released.wait()
      }
      threads.submit(stuck)
      began.wait()
      threads.submit(turn(session: 2) { seen.other.store(true, ordering: .releasing) })
      var beats: [UInt64: UInt64] = [:]
      // Whatever comes of it, the thread that is stuck is let go below.
      try? waitUntil(within: .seconds(20)) {
        threads.look(at: &beats)
        return seen.hasOther
      }
      #expect(seen.hasOther)
      let niceness = getpriority(
        __priority_which_t(PRIO_PROCESS.rawValue), id_t(seen.thread.load(ordering: .relaxed)))
      #expect(niceness == ThreadPriority.last)
      released.signal()
      threads.stop()
      #expect(threads.threadCount == 0)
    }

    @Test func `one whose statement is compiled for long gives its slot away by itself, and goes on when it is done`() {
      let threads = WorkerThreads(count: 1, heavyMax: 4, label: "martlet-compiles", copiesBytesMax: 1 << 20)
      let (began, waits, ended) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      let seen = Seen()
      func turn(session: UInt64, _ body: @escaping @Sendable (Turn) -> Void) -> Turn {
        let share = TimeShares.Share(database: 1, subject: 0, session: session)
        return Turn(on: threads, as: share, clock: EngineConfiguration.systemClock) { turn in
          body(turn)
          return .done
        }
      }
      threads.submit(
        turn(session: 1) { compiling in
          seen.thread.store(ThreadPriority.ownNumber, ordering: .relaxed)
          compiling.compilesLong()
          #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) == 0, "nobody waits yet")
          began.signal()
          waits.wait()
          // SQLite allocates, again and again.
          for _ in 0..<3 { compiling.compilesLong() }
          // Nobody looks from outside. Whatever comes of it, this ends.
          try? waitUntil(within: .seconds(20)) { seen.hasOther }
          #expect(seen.hasOther)
          #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) == ThreadPriority.behind)
          #expect(!compiling.mustEnd(), "a slot is free again")
          ended.signal()
        })
      began.wait()
      threads.submit(turn(session: 2) { _ in seen.other.store(true, ordering: .releasing) })
      waits.signal()
      ended.wait()
      threads.stop()
      #expect(threads.threadCount == 0)
    }
  #endif
}
