internal import CMartletFiles
import MartletSQLite

/// Which SQLite the engine runs on.
///
/// Always true: it is the library that this process has loaded, which may be newer than the one it was built with.
extension Engine {
  /// SQLite's version as it writes it, such as `3.40.1`.
  package static var sqliteVersion: String { SQLiteLibrary.versionText }

  /// From here on, where the process ends because somebody has cut a file that SQLite has in memory, it says on
  /// standard error which one that was. For a program that is a server, because a process has one such place.
  package static func tellOfCutFiles() { martlet_tell_of_cut_files() }
}
