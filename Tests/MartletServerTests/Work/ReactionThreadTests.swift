/// The thread that reacts to signals: in order, one at a time, and until its end.
import Dispatch
import Synchronization
import Testing

@testable import MartletServer

@Suite struct ReactionThreadTests {
  @Test func `reactions run in the order in which they came, one at a time`() throws {
    let thread = ReactionThread()
    #expect(thread.start())
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

  /// Waits until the thread has ended, and with it what it was to call.
  private func awaitEnd(_ isOver: () -> Bool) {
    let deadline = DispatchTime.now() + .seconds(10)
    while !isOver(), DispatchTime.now() < deadline { DispatchQueue.global().sync {} }
    #expect(isOver())
  }

  @Test func `what came before the end is run, also behind it in the queue, and what comes later is not`() throws {
    final class Witness: Sendable {}
    let ran = Mutex<[Int]>([])
    weak var left: Witness?
    weak var old: ReactionThread?
    do {
      let (thread, witness) = (ReactionThread(), Witness())
      (left, old) = (witness, thread)
      // Before it runs, so that all of them wait when the first one does.
      thread.act { ran.withLock { $0.append(1) } }
      thread.act { [weak thread] in
        ran.withLock { $0.append(2) }
        thread?.end()
        thread?.act {
          _ = witness
          ran.withLock { $0.append(4) }
        }
      }
      thread.act { ran.withLock { $0.append(3) } }
      #expect(thread.start())
    }
    awaitEnd { old == nil && left == nil }
    #expect(ran.withLock { $0 } == [1, 2, 3])
  }

  @Test func `a thread that ends before it begins calls nothing, and goes`() throws {
    weak var old: ReactionThread?
    let ran = Atomic<Bool>(false)
    do {
      let thread = ReactionThread()
      old = thread
      thread.end()
      thread.act { ran.store(true, ordering: .relaxed) }
      #expect(thread.start())
    }
    awaitEnd { old == nil }
    let hasRun = ran.load(ordering: .relaxed)
    #expect(!hasRun)
  }
}
