import MartletValues

/// Refuses writes while the file system has almost no room, so that reads and recovery keep theirs.
///
/// Always true: the file system is asked at most every quarter of a second; writes resume by themselves; the operator
/// hears once that writes are refused, and once that they are taken again.
// Unchecked because only the writer's thread asks it.
final class DiskGuard: @unchecked Sendable {
  private let database: String
  private let bytesMin: UInt64
  private let freeBytes: () -> UInt64
  private let report: (EngineNotice) -> Void
  private var nextLook = MonotonicTime(nanoseconds: 0)
  private var isLow = false

  /// `freeBytes`: what the file system of the database's files has left; the largest number if it does not tell, so
  /// that SQLite's own errors tell the rest.
  init(
    database: String, bytesMin: Int, report: @escaping (EngineNotice) -> Void, freeBytes: @escaping () -> UInt64
  ) {
    self.database = database
    self.bytesMin = UInt64(max(0, bytesMin))
    self.report = report
    self.freeBytes = freeBytes
  }

  /// Why nothing may be written now; nil if there is room.
  func refusal(at now: MonotonicTime) -> RequestError? {
    if now >= nextLook {
      nextLook = now.advanced(milliseconds: EngineLimits.diskLookMs)
      looked(free: freeBytes())
    }
    return isLow ? .diskAlmostFull : nil
  }

  /// Writes begin again when there is an eighth more, so that a disk at the bound is not told of again and again.
  private func looked(free: UInt64) {
    if isLow {
      guard free >= bytesMin + bytesMin / 8 else { return }
      isLow = false
      report(EngineNotice(.notice, database: database, "Writes are taken again"))
    } else if free < bytesMin {
      isLow = true
      report(
        EngineNotice(
          .error, database: database,
          "Writes are refused because the disk is almost full: \(free) bytes are free, and \(bytesMin) are kept free"))
    }
  }
}
