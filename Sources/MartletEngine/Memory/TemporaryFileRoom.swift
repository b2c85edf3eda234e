import Foundation

/// Where SQLite puts its temporary files, and how much room there is.
///
/// Always true: if a file system does not tell its room, that counts as enough; SQLite's own errors tell the rest.
package enum TemporaryFileRoom {
  /// The first of the directories that SQLite tries which can be written to.
  static var path: String {
    let named = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { ProcessInfo.processInfo.environment[$0] }
    return (named + ["/var/tmp", "/usr/tmp", "/tmp"]).first { access($0, W_OK | X_OK) == 0 } ?? "."
  }

  /// Free bytes there.
  package static var freeBytes: UInt64 { freeBytes(of: path) }

  static func freeBytes(of directory: String) -> UInt64 {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return .max }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? .max : bytes
  }
}
