internal import CMartletFiles
import MartletSQLite

/// Which SQLite the engine runs on.
///
/// Always true: it is the library that this process has loaded, which may be newer than the one it was built with.
extension Engine {
  /// SQLite's version as it writes it, such as `3.40.1`.
  package static var sqliteVersion: String { SQLiteLibrary.versionText }

  /// From here on, if the process ends because somebody has cut a file that SQLite has mapped into memory, it says on
  /// standard error which file that was. Only for a server, because a process has one handler for that.
  package static func tellOfCutFiles() { martlet_tell_of_cut_files() }
}
