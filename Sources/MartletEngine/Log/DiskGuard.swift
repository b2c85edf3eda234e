import Foundation
import MartletValues

/// Refuses writes while the file system has almost no room, so that reads and recovery keep theirs.
///
/// Always true: the file system is asked at most every quarter of a second; writes resume by themselves.
// Unchecked because only the writer's thread asks it.
final class DiskGuard: @unchecked Sendable {
  private let directory: String
  private let bytesMin: UInt64
  private var nextLook = MonotonicTime(nanoseconds: 0)
  private var isLow = false

  init(directory: String, limits: Limits) {
    self.directory = directory
    bytesMin = UInt64(max(0, limits.diskFreeBytesMin))
  }

  /// Why nothing may be written now; nil if there is room.
  func refusal(at now: MonotonicTime) -> RequestError? {
    if now >= nextLook {
      nextLook = now.advanced(milliseconds: EngineLimits.diskLookMs)
      var status = statvfs()
      // A file system that does not answer is left to SQLite's own errors.
      isLow = statvfs(directory, &status) == 0 && Self.freeBytes(status) < bytesMin
    }
    return isLow ? .diskAlmostFull : nil
  }

  private static func freeBytes(_ status: statvfs) -> UInt64 {
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? .max : bytes
  }
}
