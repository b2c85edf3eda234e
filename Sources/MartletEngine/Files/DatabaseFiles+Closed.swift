import Foundation
import MartletSQLite
import MartletValues

/// What is done with the files of a database while nobody has them open: they are taken away, get another name, or the
/// log is brought in.
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
  func checkLogIsEmpty() throws(RequestError) { if logBytes > 0 { throw .logNotEmpty(name) } }

  /// The bytes of the log; 0 if there is none.
  var logBytes: Int64 { Self.logBytes(at: path) }

  /// Whether there is a log that is not empty.
  static func hasLog(_ name: String, in directory: DataDirectory) -> Bool {
    logBytes(at: DatabaseName.path(of: name, in: directory.path)) > 0
  }

  private static func logBytes(at path: String) -> Int64 {
    guard let log = try? FileStatus.look(at: path + FileExpectation.Part.log.rawValue) else { return 0 }
    return log.bytes
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

  /// Takes back a database that was made a moment ago and that nobody has got: who tries again could not make it.
  func discard() {
    guard isNew, foreignProcessNow == nil else { return }
    try? remove([.database])
    try? remove([.log, .shared, .journal])
    try? removeLockFile()
  }

  /// Removes a database file in which there is nothing, and its lock file, whose lock the caller holds.
  static func removeEmpty(_ path: String, _ identity: FileIdentity) {
    guard let status = try? FileStatus.look(at: path), status.identity == identity, status.bytes == 0 else { return }
    unlink(path)
    unlink(path + "-lock")
  }

  /// The database's file alone. The name was free when it was reserved, and nobody else has this directory; looked at
  /// once more, because C's `rename` overwrites.
  func rename(to newPath: String, _ newName: String) throws(RequestError) {
    guard (try? FileStatus.look(at: newPath)) == .some(nil) else { throw .databaseExists(newName) }
    guard Foundation.rename(path, newPath) == 0 else { throw failure("renamed", SystemFailure(code: errno)) }
  }

  /// Brings everything that the log holds into the database's file, with a sync that this process has not seen fail,
  /// and empties the log. Nobody else has the files open.
  func recover(limits: Limits, clock: @escaping @Sendable () -> MonotonicTime) throws(RequestError) {
    try emptyLog(keepsJournalMode: false, limits, clock) { connection throws(SQLiteError) in
      _ = try connection.text(of: TransactionSQL.touch)
    }
  }

  /// `prepare`: what comes before the copy.
  func emptyLog(
    keepsJournalMode: Bool, _ limits: Limits, _ clock: @escaping @Sendable () -> MonotonicTime,
    _ prepare: (Connection) throws(SQLiteError) -> Void
  ) throws(RequestError) {
    do throws(SQLiteError) {
      var setup = ConnectionSetup(limits: limits)
      setup.followsLinks = false
      setup.key = directory.key?.bytes
      setup.keepsJournalMode = keepsJournalMode
      let connection = try Connection(
        path: path, label: "recovery", access: .writer, setup: setup, companion: self, check: confirm,
        clock: { clock().nanoseconds })
      try prepare(connection)
      guard try connection.checkpoint(.truncate).isComplete else {
        throw SQLiteError(extendedCode: SQLiteCode.busy, message: "the log could not be copied")
      }
    } catch {
      throw explained(error)
    }
  }

  private func failure(_ deed: String, _ failure: SystemFailure) -> RequestError {
    .fileCouldNotBe(deed, of: name, failure.words)
  }
}
