import MartletValues

/// Refuses writes while the file system has almost no room, so that reads and recovery keep theirs.
///
/// Always true: the file system is asked at most every quarter of a second; writes resume by themselves; the operator
/// hears once that writes are refused, and once that they are taken again.
// Unchecked because only the writer's thread asks it.
final class DiskGuard: @unchecked Sendable {
  private let database: String
  private let bytesMin: Int
  private let freeBytes: () -> UInt64
  private let counters: WriterCounters
  private let report: (EngineNotice) -> Void
  private var nextLook = MonotonicTime(nanoseconds: 0)
  private var isLow = false

  /// `freeBytes`: what the file system of the database's files has left; the largest number if it does not tell, so
  /// that SQLite's own errors tell the rest.
  init(
    database: String, bytesMin: Int, counters: WriterCounters, report: @escaping (EngineNotice) -> Void,
    freeBytes: @escaping () -> UInt64
  ) {
    self.database = database
    self.bytesMin = max(0, bytesMin)
    self.counters = counters
    self.report = report
    self.freeBytes = freeBytes
  }

  /// Why nothing may be written now; nil if there is room.
  func refusal(at now: MonotonicTime) -> RequestError? {
    if now >= nextLook {
      nextLook = now.advanced(milliseconds: EngineLimits.diskLookMs)
      looked(free: freeBytes())
    }
    guard isLow else { return nil }
    WriterCounters.add(1, to: counters.diskRefusals)
    return .diskAlmostFull
  }

  private func looked(free: UInt64) {
    let wasLow = isLow
    isLow = free < UInt64(bytesMin)
    if isLow, !wasLow {
      report(
        EngineNotice(
          .error, database: database,
          "Writes are refused because the disk is almost full: \(free) bytes are free, and \(bytesMin) are kept free"))
    } else if wasLow, !isLow {
      report(EngineNotice(.notice, database: database, "Writes are taken again: there is room on the disk"))
    }
  }
}
