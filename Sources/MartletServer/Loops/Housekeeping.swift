internal import MartletEngine
internal import MartletLoop
internal import MartletValues

/// What one loop of a server does for all of them from time to time: memory that nobody uses goes back to the system,
/// on another thread, and the log is told how much was left out of it.
///
/// Always true: touched on its loop only; one attempt to give memory back runs at a time.
// @unchecked because it is touched on its loop's thread only, where the `then` of offloaded work runs too.
final class Housekeeping: @unchecked Sendable {
  private let loop: EventLoop
  private let context: ServerContext
  private var memoryReturn = MemoryReturn()
  private var isReturningMemory = false

  init(loop: EventLoop, context: ServerContext) throws(LoopError) {
    self.loop = loop
    self.context = context
    // `unowned` because the shard owns this, and stops its loop before it goes.
    let memory = try LoopTimer(on: loop) { [unowned self] in
      lookAtMemory()
      tellWhatWasLeftOut()
    }
    memory.start(afterMs: ServerLimits.memoryLookMs, repeatMs: ServerLimits.memoryLookMs)
  }

  private func tellWhatWasLeftOut() {
    let now = ServerClock.now
    context.notices.ticked(now: now)
    context.slowQueries.ticked(now: now)
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
