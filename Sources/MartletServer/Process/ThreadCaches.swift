#if canImport(Glibc)
  internal import Foundation
  internal import Glibc
#endif

/// The blocks that glibc's allocator keeps for each thread after they were freed.
///
/// Always true: the process keeps its number, its arguments and its descriptors; if the C library is another one,
/// if the environment says something of these caches already, or if the system refuses, nothing happens.
package enum ThreadCaches {
  private static let variable = "GLIBC_TUNABLES"
  private static let tunable = "glibc.malloc.tcache_count"
  /// Set before the process starts itself again, so that it does so once.
  private static let mark = "MARTLET_THREAD_CACHES"

  /// Makes the caches small. glibc reads their size once, when a process starts, from its environment; so this process
  /// becomes the same program again, with that environment. To be called first, on a program's main thread.
  package static func limit() {
    #if canImport(Glibc)
      guard let tunables = tunables(beside: getenv(variable).map { String(cString: $0) }) else { return }
      // The link's target, so that the process has the program's name and not the link's.
      guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return }
      // The mark stops a program with rights of its own (setuid): the system takes `variable` away from it, so it would
      // otherwise start itself again for ever.
      guard getenv(mark) == nil, setenv(mark, "limited", 1) == 0, setenv(variable, tunables, 1) == 0 else { return }
      // Returns only if it fails: a system may forbid it, and then the caches stay as they are.
      execv(program, CommandLine.unsafeArgv)
    #endif
  }

  /// What the variable must say; nil if it says something of these caches already.
  static func tunables(beside present: String?) -> String? {
    let others = present ?? ""
    guard !others.contains(tunable) else { return nil }
    return (others.isEmpty ? "" : others + ":") + "\(tunable)=\(ServerLimits.cachedBlocksMax)"
  }
}
