import Foundation
internal import MartletLoop

/// What the server needs of its process: descriptors, signals, cores, and files that appear whole.
///
/// Always true: the limits that the system grants are raised, never lowered.
enum ProcessSetup {
  /// Raises the limit on open files to what is wanted, or as far as the system allows. Returns what it was and what it
  /// is now; nil if the system does not say.
  static func raiseDescriptorLimit(to wanted: Int) -> (former: Int, granted: Int)? {
    #if os(Linux)
      let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return nil }
    let former = Int(clamping: UInt64(limit.rlim_cur))
    if former < wanted {
      limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
      _ = setrlimit(resource, &limit)
      _ = getrlimit(resource, &limit)
    }
    return (former, Int(clamping: UInt64(limit.rlim_cur)))
  }

  /// Makes the allocator give back what is freed: a large block at once, whatever was freed before it, and the rest of
  /// a peak when it is asked to.
  static func tuneAllocator(hasFewAddresses: Bool) {
    Allocator.tune(
      directBytes: hasFewAddresses ? ServerLimits.directBlockBytesIfScarce : ServerLimits.directBlockBytes,
      trimBytes: ServerLimits.arenaEndBytes, arenas: hasFewAddresses ? 1 : max(8, 4 * cores))
  }

  /// A peer that is gone, and a file that may not become longer, must show as an error of the write and not end the
  /// process.
  static func ignoreSignalsOfWrites() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  static var cores: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// Atomic: a reader sees the whole file or no file.
  static func writeAtomically(_ text: String, to path: String) throws(ServerError) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw ServerError.cannotWriteReadyFile(path)
    }
  }
}
