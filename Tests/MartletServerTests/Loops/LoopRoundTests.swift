/// What waits for a whole round of a loop's sockets.
import Dispatch
import MartletLoop
import Synchronization
import Testing

@testable import MartletServer

@Suite struct LoopRoundTests {
  // Unchecked because round and count are used on the loop only; the test keeps them until the loop has stopped.
  private final class Stage: @unchecked Sendable {
    let round = LoopRound()
    var count = 0
    /// What it was at the end of the last turn.
    let last = Mutex(0)
    let isDone = DispatchSemaphore(value: 0)
  }

  /// How often the body runs if it is asked for in each of so many turns of the loop.
  private func bodies(turns: Int, asking: @escaping @Sendable (Int) -> Bool) throws -> Int {
    let loop = try EventLoop(label: "rounds")
    let stage = Stage()
    loop.post {
      try? stage.round.open(on: loop) { stage.count += 1 }
      @Sendable func turn(_ number: Int) {
        if asking(number) { stage.round.begin() }
        if number < turns { return _ = loop.post { turn(number + 1) } }
        stage.last.withLock { $0 = stage.count }
        stage.isDone.signal()
      }
      turn(1)
    }
    stage.isDone.wait()
    loop.stop()
    loop.join()
    return stage.last.withLock { $0 }
  }

  @Test func `it runs once for what was asked in one turn, and not in the same`() throws {
    #expect(try bodies(turns: 1) { _ in true } == 0)
    #expect(try bodies(turns: 20) { $0 == 1 } == 1)
    #expect(try bodies(turns: 20) { _ in false } == 0)
  }

  @Test func `a loop that asks in every turn has its rounds all the same`() throws {
    #expect(try bodies(turns: 100) { _ in true } >= 30)
  }
}
