internal import CLibuv

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The process's allocator, as far as it can be told when to give memory back.
///
/// Always true: it changes how soon memory goes back to the system, and nothing else; where the system's allocator
/// cannot be told, nothing is done.
package enum Allocator {
  /// Blocks from `directBytes` on come from the system and go back to it at once, whatever was freed before; what is
  /// free at the end of an arena goes back from `trimBytes` on. Few arenas, because each reserves 64 MiB of addresses
  /// and keeps what is free in its middle.
  package static func tune(directBytes: Int, trimBytes: Int, arenas: Int) {
    martlet_allocator_tune(Int32(clamping: directBytes), Int32(clamping: trimBytes), Int32(clamping: arenas))
  }

  /// Gives free memory back to the system. Takes milliseconds where there is much of it; returns how many nanoseconds
  /// of its processor this thread spent on it, which no wait for a busy machine makes longer.
  package static func returnMemory() -> UInt64 {
    let begun = threadNanoseconds
    martlet_allocator_return_memory()
    return threadNanoseconds &- begun
  }

  private static var threadNanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
