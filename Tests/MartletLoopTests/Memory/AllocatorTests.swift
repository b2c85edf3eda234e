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

  #if canImport(Glibc)
    @Test func `a peak goes back although the block that was freed last is a small one`() async {
      Allocator.tune(directBytes: 1 << 20, trimBytes: 1 << 20, arenas: 8)
      await withCheckedContinuation { continuation in
        // A thread of its own, so that what it allocates lies at an arena's end.
        Thread.detachNewThread {
          #expect(Self.pagesAfterPeak() * 4_096 <= 1 << 20)
          continuation.resume()
        }
      }
    }

    /// How many pages of six megabytes are still there after everything was freed and given back.
    private static func pagesAfterPeak() -> Int {
      // More than a thread keeps for itself.
      let kept = (0..<16).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 8) }
      let peak = (0..<1_500).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 4_000, alignment: 8) }
      // Nothing else is allocated from here on, and there are more of them than gaps, so that some are the arena's last.
      let last = (0..<4_000).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 8) }
      for block in peak { block.initializeMemory(as: UInt8.self, repeating: 1, count: 4_000) }
      for block in kept { block.deallocate() }
      for block in peak { block.deallocate() }
      for block in last { block.deallocate() }
      _ = Allocator.returnMemory()
      var pages = 0
      var page: UInt = 0
      for block in peak where UInt(bitPattern: block) / 4_096 != page {
        page = UInt(bitPattern: block) / 4_096
        var isPresent: UInt8 = 0
        let isMapped = mincore(UnsafeMutableRawPointer(bitPattern: page * 4_096), 4_096, &isPresent) == 0
        if isMapped && isPresent & 1 == 1 { pages += 1 }
      }
      return pages
    }
  #endif

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
