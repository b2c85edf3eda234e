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
      return .noRoomForVacuum(bytes: isHuge || isTooMuch ? .max : needed, free: free, "beside the database")
    }
    if let other = freeForTemporaryFiles, other < size {
      return .noRoomForVacuum(bytes: size, free: other, "for temporary files")
    }
    return nil
  }

  private static func device(of path: String) -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(truncatingIfNeeded: status.st_dev) : 0
  }
}
