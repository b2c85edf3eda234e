import Foundation
import MartletValues

/// Whether the disk has room for VACUUM: the copy is a temporary file, and the log takes every page once.
///
/// Always true: if a file system does not tell its room, that counts as enough; SQLite's own errors tell the rest.
struct VacuumRoom: Equatable {
  /// Free bytes beside the database.
  var free: UInt64
  /// Free bytes where temporary files go; nil if that is the same disk.
  var freeForTemporaryFiles: UInt64?

  init(free: UInt64, freeForTemporaryFiles: UInt64?) {
    self.free = free
    self.freeForTemporaryFiles = freeForTemporaryFiles
  }

  init(directory: String) {
    let temporary = TemporaryFileRoom.path
    let isOneDisk = Self.device(of: temporary) == Self.device(of: directory)
    self.init(
      free: TemporaryFileRoom.freeBytes(of: directory),
      freeForTemporaryFiles: isOneDisk ? nil : TemporaryFileRoom.freeBytes)
  }

  /// Why a database of `bytes` cannot be written anew and leave `reserve` free; nil if it can.
  func refusal(bytes: Int, reserve: Int) -> RequestError? {
    let size = UInt64(max(0, bytes))
    let (copies, isHuge) = size.multipliedReportingOverflow(by: freeForTemporaryFiles == nil ? 2 : 1)
    let (needed, isTooMuch) = copies.addingReportingOverflow(UInt64(max(0, reserve)))
    if isHuge || isTooMuch || free < needed {
      return Self.refusal(isHuge || isTooMuch ? .max : needed, free, "beside the database")
    }
    if let other = freeForTemporaryFiles, other < size { return Self.refusal(size, other, "for temporary files") }
    return nil
  }

  private static func refusal(_ needed: UInt64, _ free: UInt64, _ place: String) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "VACUUM needs \(mebibytes(needed)) MiB \(place), where \(mebibytes(free)) MiB are free; nothing was changed. Free "
        + "some space and send it again.", isRetryable: true)
  }

  private static func mebibytes(_ bytes: UInt64) -> UInt64 { (bytes >> 20) + (bytes & 0xF_FFFF == 0 ? 0 : 1) }

  private static func device(of path: String) -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(truncatingIfNeeded: status.st_dev) : 0
  }
}
