/// Threads of the system: they run what they are given, and that there is none is an error and not the process's end.
import Dispatch
import Synchronization
import Testing

@testable import MartletLoop

@Suite struct SystemThreadTests {
  /// More than any address space has.
  private static let impossible = 1 << 50

  @Test func `the work of each thread runs once`() throws {
    let ran = Atomic<Int>(0)
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<50 {
      try SystemThread.start(for: "a test") {
        ran.wrappingAdd(1, ordering: .relaxed)
        done.signal()
      }
    }
    for _ in 0..<50 { done.wait() }
    #expect(ran.load(ordering: .relaxed) == 50)
  }

  @Test func `a thread that the system does not have is an error that names its purpose, and its work goes`() {
    final class Witness: Sendable {}
    weak var left: Witness?
    do {
      let witness = Witness()
      left = witness
      let error = #expect(throws: LoopError.self) {
        try SystemThread.start(for: "a test", stackBytes: Self.impossible) { _ = witness }
      }
      #expect(error?.description.hasPrefix("start a thread for a test: ") == true)
    }
    #expect(left == nil)
  }

  @Test func `a probe finds threads that are there, again and again, and says if they are not`() throws {
    for _ in 0..<100 { try SystemThread.probe(count: 6, for: "a test") }
    #expect(throws: LoopError.self) {
      try SystemThread.probe(count: 6, for: "a test", stackBytes: Self.impossible)
    }
  }

  @Test func `libuv's workers run when a loop says so`() throws {
    let loop = try EventLoop(label: "test")
    let started = DispatchSemaphore(value: 0)
    for _ in 0..<3 { try loop.startWorkers { started.signal() } }
    for _ in 0..<3 { started.wait() }
    loop.stop()
    loop.join()
  }
}
