/// What one statement takes for sorting, for its temporary tables and for large values: SQLite's allocations from
/// `SQLiteLimits.refusableBytesMin` on and the temporary files that it writes, on the thread that runs the statement.
///
/// Always true: page caches, whose pages are smaller, are not in it; once it was exceeded SQLite gets nothing more, so
/// the statement ends. Used by one thread at a time.
package final class StatementMemory {
  package let bytesMax: Int
  package private(set) var usedBytes = 0
  package private(set) var isExceeded = false

  package init(bytesMax: Int) { self.bytesMax = bytesMax }

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
}
