import Foundation
import MartletValues

/// Taking the files of a database away, or giving them another name, while nobody has them open.
///
/// Always true: called with the locks of the files held; an error says what was not done.
extension DatabaseFiles {
  /// The process that has the file open with SQLite now, if another one has and the system tells.
  var foreignProcessNow: Int32? { inode.foreignProcess() }

  /// Throws if another process has the file open with SQLite.
  func checkNobodyElse() throws(RequestError) {
    guard let process = foreignProcess else { return }
    throw .databaseOpen(in: ProcessName.describe(process), name)
  }

  /// Throws if the log is not empty: it may hold pages that are not in the database's file.
  func checkLogIsEmpty() throws(RequestError) {
    guard let log = try? FileStatus.look(at: path + FileExpectation.Part.log.rawValue), log.bytes > 0 else { return }
    throw .logNotEmpty(name)
  }

  /// Files that are not there are passed over.
  func remove(_ parts: [FileExpectation.Part]) throws(RequestError) {
    for part in parts where unlink(path + part.rawValue) != 0 && errno != ENOENT {
      throw failure("removed", SystemFailure(code: errno))
    }
  }

  /// The lock on the file is held to the end, so nobody takes it for their own meanwhile.
  func removeLockFile() throws(RequestError) {
    guard unlink(path + "-lock") == 0 || errno == ENOENT else {
      throw failure("removed", SystemFailure(code: errno))
    }
  }

  /// The database's file alone. The name was free when it was reserved, and nobody else has this directory; looked at
  /// once more, because C's `rename` overwrites.
  func rename(to newPath: String, _ newName: String) throws(RequestError) {
    guard (try? FileStatus.look(at: newPath)) == .some(nil) else { throw .databaseExists(newName) }
    guard Foundation.rename(path, newPath) == 0 else { throw failure("renamed", SystemFailure(code: errno)) }
  }

  private func failure(_ deed: String, _ failure: SystemFailure) -> RequestError {
    .fileCouldNotBe(deed, of: name, failure.words)
  }
}
