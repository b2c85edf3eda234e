internal import MartletEngine
internal import MartletLoop
internal import MartletValues

/// What one loop of a server does for all of them from time to time: databases that nobody uses are closed, and memory
/// that nobody uses goes back to the system. Both on other threads.
///
/// Always true: touched on its loop only; one attempt to give memory back runs at a time.
// @unchecked because it is touched on its loop's thread only, where the `then` of offloaded work runs too.
final class Housekeeping: @unchecked Sendable {
  private let loop: EventLoop
  private let engine: Engine
  private var memoryReturn = MemoryReturn()
  private var isReturningMemory = false

  init(loop: EventLoop, context: ServerContext) throws(LoopError) {
    self.loop = loop
    engine = context.engine
    // `unowned` because the shard owns both, and stops its loop before it goes.
    let idle = try LoopTimer(on: loop) { [unowned self] in closeIdleDatabases() }
    let memory = try LoopTimer(on: loop) { [unowned self] in lookAtMemory() }
    let ms = max(1, context.limits.databaseIdleMs / 4)
    idle.start(afterMs: ms, repeatMs: ms)
    memory.start(afterMs: ServerLimits.memoryLookMs, repeatMs: ServerLimits.memoryLookMs)
  }

  private func closeIdleDatabases() {
    loop.offload { [engine] in
      engine.closeIdle()
    } then: { _ in
    }
  }

  private func lookAtMemory() {
    guard !isReturningMemory, let size = ProcessSize.current else { return }
    guard
      memoryReturn.sampled(
        residentBytes: size.residentBytes, accountedBytes: MemoryBudget.totalBytes, now: ServerClock.now)
    else { return }
    isReturningMemory = true
    loop.offload {
      let took = Allocator.returnMemory()
      return (took, ProcessSize.current?.residentBytes ?? size.residentBytes, MemoryBudget.totalBytes)
    } then: { [self] took, resident, accounted in
      isReturningMemory = false
      memoryReturn.returned(
        residentBytes: resident, accountedBytes: accounted, tookMs: Int(took / 1_000_000), now: ServerClock.now)
    }
  }
}
