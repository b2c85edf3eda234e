import MartletSQLite

/// Which SQLite the engine runs on.
///
/// Always true: it is the library that this process has loaded, which may be newer than the one it was built with.
extension Engine {
  /// SQLite's version as it writes it, such as `3.40.1`.
  public static var sqliteVersion: String { SQLiteLibrary.versionText }
}
