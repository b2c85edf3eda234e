/// That the system has no threads to give is an error and not the process's end.
import Dispatch
import Testing

@testable import MartletLoop

@Suite struct ThreadProbeTests {
  /// A stack that is larger than any address space.
  private static let impossible = 1 << 50

  @Test func `a probe finds threads that are there, again and again, and says if they are not`() throws {
    for _ in 0..<100 { try ThreadProbe.run(count: 6, for: "a test") }
    let error = #expect(throws: LoopError.self) {
      try ThreadProbe.run(count: 6, for: "a test", stackBytes: Self.impossible)
    }
    #expect(error?.description.hasPrefix("start a thread for a test: ") == true)
  }

  @Test func `libuv's workers run when a loop says so`() throws {
    let loop = try EventLoop(label: "test")
    let started = DispatchSemaphore(value: 0)
    for _ in 0..<3 { try loop.startWorkers { started.signal() } }
    for _ in 0..<3 { #expect(started.wait(timeout: .now() + .seconds(60)) == .success) }
    loop.stop()
    loop.join()
  }
}
