/// What one statement takes for sorting, for its temporary tables and for large values: SQLite's allocations from
/// `SQLiteLimits.refusableBytesMin` on and the temporary files that it writes, as it takes them, on the thread that
/// runs the statement; and what it gathers in smaller blocks, such as the numbers of rows that it remembers or the
/// words of a text, whenever the limiter looks.
///
/// Always true: pages of the connection's cache are not in it, nor the first `SQLiteLimits.freeBlockBytes` of smaller
/// blocks; once it was exceeded SQLite gets no large block more, so the statement ends; the process knows of its
/// smallest blocks until it is gone. Used by one thread at a time.
package final class StatementMemory {
  package let bytesMax: Int
  package private(set) var usedBytes = 0
  package private(set) var isExceeded = false

  /// What the present thread held when the statement began to run on it, and what the statement held by then.
  private var start = ThreadBlocks()
  private var earlier = ThreadBlocks()
  /// What the process knows of it.
  private var toldBytes = 0

  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  deinit { if toldBytes > 0 { ProcessMemory.hold(-toldBytes) } }

  /// False if there is no room for `bytes` more.
  func take(_ bytes: Int) -> Bool {
    guard !isExceeded, bytes <= bytesMax &- usedBytes else {
      isExceeded = true
      return false
    }
    usedBytes &+= bytes
    return true
  }

  /// What was allocated before the statement began may be given back while it runs.
  func giveBack(_ bytes: Int) { usedBytes = max(0, usedBytes &- bytes) }

  // MARK: - Smaller blocks

  /// The statement runs on this thread from here on.
  func begins(at blocks: ThreadBlocks) { start = blocks }

  /// The statement leaves the thread, and may go on on another.
  func pauses(at blocks: ThreadBlocks) {
    earlier = held(at: blocks)
    start = blocks
  }

  /// Counts what the statement holds in smaller blocks; true if that is more than it may. `cachedBytes` is what of
  /// them are pages of a cache, which is asked for only if it matters: those of `pageBytes` are among the smallest
  /// blocks, or among the others.
  func look(at blocks: ThreadBlocks, pageBytes: Int, cachedBytes: () -> Int) -> Bool {
    let held = held(at: blocks)
    tell(held.small)
    let room = bytesMax - usedBytes + SQLiteLimits.freeBlockBytes
    guard held.small + held.middle > room else { return isExceeded }
    let hasSmallPages = pageBytes < SQLiteLimits.countedBytesMin
    if !hasSmallPages, held.small > room { isExceeded = true }
    if held.small + held.middle - cachedBytes() > room { isExceeded = true }
    return isExceeded
  }

  private func held(at blocks: ThreadBlocks) -> ThreadBlocks {
    ThreadBlocks(
      small: max(0, earlier.small + blocks.small - start.small),
      middle: max(0, earlier.middle + blocks.middle - start.middle))
  }

  /// The process counts the larger blocks itself, and hears of the others in steps.
  private func tell(_ bytes: Int) {
    let steps = bytes - bytes % SQLiteLimits.toldBlockBytes
    guard steps != toldBytes else { return }
    ProcessMemory.hold(steps - toldBytes)
    toldBytes = steps
  }
}
