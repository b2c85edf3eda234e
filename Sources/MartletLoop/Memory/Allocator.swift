internal import CLibuv

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The process's allocator, as far as it can be told when to give memory back.
///
/// Always true: it changes how soon memory goes back to the system, and nothing else; if the system's allocator
/// cannot be told, nothing is done.
package enum Allocator {
  /// Blocks of at least `directBytes` come from the system and go back to it as soon as they are freed, whatever was
  /// freed before. Free memory at the end of an arena goes back if it is at least `trimBytes`. Few arenas, because each
  /// reserves 64 MiB of addresses and keeps what is free in its middle.
  package static func tune(directBytes: Int, trimBytes: Int, arenas: Int) {
    martlet_allocator_tune(Int32(clamping: directBytes), Int32(clamping: trimBytes), Int32(clamping: arenas))
  }

  /// Gives free memory back to the system. Takes milliseconds if there is much of it. Returns how many nanoseconds of
  /// processor time this thread spent on it, without any wait for a busy machine.
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
