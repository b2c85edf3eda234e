import MartletSQLite
import MartletValues

/// Opens connections that read the engine's files.
///
/// Always true: of the engine's files no link is followed, and a file that has taken the place of the one that the
/// engine has locked is not read.
extension Connection {
  /// Opens `path` for reading. If it is one of the engine's files, only that very file.
  convenience init(
    reading path: String, files: DatabaseFiles?, label: String, setup: ConnectionSetup,
    clock: @escaping @Sendable () -> UInt64
  ) throws(SQLiteError) {
    guard let files else {
      try self.init(path: path, label: label, access: .reader, setup: setup, clock: clock)
      return
    }
    var setup = setup
    setup.followsLinks = false
    setup.key = files.directory.key?.bytes
    try self.init(
      path: path, label: label, access: .reader, setup: setup, companion: files, check: files.confirmReading,
      clock: clock)
  }
}
