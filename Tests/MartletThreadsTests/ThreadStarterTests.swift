/// Threads that the system does not give at once: they start later, in order, each once.
import Dispatch
import Synchronization
import Testing

@testable import MartletThreads

@Suite struct ThreadStarterTests {
  /// A system that gives so many threads, and runs their work on the spot.
  private final class System: Sendable {
    let left: Mutex<Int>
    let ran = Mutex<[String]>([])

    init(threads: Int) { left = Mutex(threads) }

    func create(_ order: ThreadStarter.Order) -> Bool {
      let isThere = left.withLock { left in
        defer { left = max(0, left - 1) }
        return left > 0
      }
      if isThere { ran.withLock { $0.append(order.name) } }
      return isThere
    }
  }

  @Test func `what finds no thread starts when there is one, before what comes later`() {
    let system = System(threads: 2)
    let starter = ThreadStarter(create: system.create)
    for name in ["a", "b", "c", "d"] { starter.start(named: name) {} }
    #expect(system.ran.withLock { $0 } == ["a", "b"])
    #expect(starter.tryAgain() == 2)
    system.left.withLock { $0 = 1 }
    starter.start(named: "e") {}
    #expect(system.ran.withLock { $0 } == ["a", "b", "c"])
    #expect(starter.tryAgain() == 2)
    system.left.withLock { $0 = 10 }
    #expect(starter.tryAgain() == 0)
    #expect(system.ran.withLock { $0 } == ["a", "b", "c", "d", "e"])
    #expect(starter.tryAgain() == 0)
  }

  @Test func `who cannot wait for a thread hears that there is none, and the work never runs`() {
    let system = System(threads: 1)
    let starter = ThreadStarter(create: system.create)
    #expect(starter.startNow(named: "a") {})
    #expect(!starter.startNow(named: "b") {})
    system.left.withLock { $0 = 10 }
    #expect(starter.tryAgain() == 0)
    #expect(system.ran.withLock { $0 } == ["a"])
  }

  @Test func `the system runs each once, with a stack that is large enough and the name it is given`() {
    let names = Mutex<Set<String>>([])
    let done = DispatchSemaphore(value: 0)
    for number in 0..<20 {
      ThreadStarter.shared.start(named: "martlet-test-\(number)-long") {
        let depth = Self.depth(4 << 20)
        _ = names.withLock { $0.insert("\(number) \(depth > 0)") }
        done.signal()
      }
    }
    for _ in 0..<20 { done.wait() }
    #expect(names.withLock { $0 } == Set((0..<20).map { "\($0) true" }))
    #expect(ThreadStarter.shared.tryAgain() == 0)
  }

  /// Uses so many bytes of stack.
  private static func depth(_ bytes: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: 1_000, alignment: 8) { block in
      block[0] = UInt8(bytes & 0x7F) | 1
      return bytes > 4_000 ? depth(bytes - 4_000) + Int(block[0]) : Int(block[0])
    }
  }

  @Test func `what has run is let go of`() {
    final class Witness: Sendable {}
    let done = DispatchSemaphore(value: 0)
    weak var left: Witness?
    do {
      let witness = Witness()
      left = witness
      ThreadStarter.shared.start(named: "martlet-test") {
        _ = witness
        done.signal()
      }
    }
    done.wait()
    let deadline = DispatchTime.now() + .seconds(10)
    while left != nil, DispatchTime.now() < deadline { DispatchQueue.global().sync {} }
    #expect(left == nil)
  }
}
