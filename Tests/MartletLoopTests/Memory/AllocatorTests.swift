/// What it costs to give memory back.
import Foundation
import Synchronization
import Testing

@testable import MartletLoop

struct AllocatorTests {
  @Test func `what it took is this thread's time on a processor, and no wait for a busy machine`() async {
    let isOver = ThreadsOver()
    for _ in 0..<3 { Thread.detachNewThread { while !isOver.value {} } }
    defer { isOver.value = true }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        for _ in 0..<40 {
          // Many small blocks that go back in no order leave what only a walk through all of them finds.
          var blocks = (0..<2_000).map { UnsafeMutableRawPointer.allocate(byteCount: 64 + $0 % 500, alignment: 8) }
          blocks.shuffle()
          for block in blocks { block.deallocate() }
          let begun = Self.threadNanoseconds
          let took = Allocator.returnMemory()
          #expect(took > 0 && took <= Self.threadNanoseconds - begun)
        }
        continuation.resume()
      }
    }
  }

  private static var threadNanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Whether threads that keep the processors busy may end.
private final class ThreadsOver: Sendable {
  private let flag = Mutex(false)

  var value: Bool {
    get { flag.withLock { $0 } }
    set { flag.withLock { $0 = newValue } }
  }
}
