import CSQLite
import Foundation

/// What a file says that has no room.
extension PageFile {
  /// Writes to a file below. A quota, or a limit on how long files may be, is room that is missing, like a full disk,
  /// which is the only one of them that SQLite tells from a disk that fails.
  static func put(_ bytes: UnsafeRawPointer?, _ count: Int32, at offset: Int64, in real: Real) -> Int32 {
    let result = real.pointee.pMethods.pointee.xWrite(real, bytes, count, offset)
    guard result == SQLiteCode.ioWrite else { return result }
    var cause: Int32 = 0
    _ = real.pointee.pMethods.pointee.xFileControl(real, SQLITE_FCNTL_LAST_ERRNO, &cause)
    return cause == EFBIG || cause == EDQUOT ? SQLITE_FULL : result
  }

  /// The same for a temporary file, which most often is on another file system than the database.
  static func putTemporary(_ bytes: UnsafeRawPointer?, _ count: Int32, at offset: Int64, in real: Real) -> Int32 {
    let result = put(bytes, count, at: offset, in: real)
    return result == SQLITE_FULL ? SQLiteCode.temporaryDiskFull : result
  }
}
