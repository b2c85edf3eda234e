/// The thread that reacts to signals: in order, one at a time, and until its end.
import Dispatch
import Synchronization
import Testing

@testable import MartletServer

@Suite struct ReactionThreadTests {
  @Test func `reactions run in the order in which they came, one at a time`() throws {
    let thread = ReactionThread()
    try thread.start()
    let order = Mutex<[Int]>([])
    let running = Atomic<Int>(0)
    let done = DispatchSemaphore(value: 0)
    for number in 0..<200 {
      thread.act {
        if running.wrappingAdd(1, ordering: .relaxed).newValue != 1 { order.withLock { $0.append(-1) } }
        order.withLock { $0.append(number) }
        running.wrappingSubtract(1, ordering: .relaxed)
        done.signal()
      }
    }
    for _ in 0..<200 { done.wait() }
    thread.end()
    #expect(order.withLock { $0 } == Array(0..<200))
  }

  @Test func `a reaction may end the thread, and what comes behind it is not run`() throws {
    let thread = ReactionThread()
    let ran = Mutex<[Int]>([])
    let isOver = DispatchSemaphore(value: 0)
    // Before it runs, so that all of them wait when the first one does.
    thread.act { ran.withLock { $0.append(1) } }
    thread.act {
      ran.withLock { $0.append(2) }
      thread.end()
      isOver.signal()
    }
    thread.act { ran.withLock { $0.append(3) } }
    try thread.start()
    isOver.wait()
    #expect(ran.withLock { $0 } == [1, 2])
  }

  @Test func `a thread that has ended lets go of itself and of what it was to call`() throws {
    final class Witness: Sendable {}
    weak var left: Witness?
    weak var old: ReactionThread?
    do {
      let (thread, witness) = (ReactionThread(), Witness())
      (left, old) = (witness, thread)
      thread.end()
      thread.act { _ = witness }
      try thread.start()
    }
    for _ in 0..<10_000 where old != nil { DispatchQueue.global().sync {} }
    let deadline = DispatchTime.now() + .seconds(10)
    while old != nil, DispatchTime.now() < deadline { DispatchQueue.global().sync {} }
    #expect(old == nil && left == nil)
  }
}
