import MartletSQLite

/// SQLite's start in a process of tests.
///
/// Always true: the process's SQLite has Martlet's settings whichever test is first, because SQLite takes none later:
/// without its allocator, nothing would end a statement that compiles for ever.
package enum SQLiteStart {
  /// Called by whatever calls SQLite itself, before it does.
  package static func settle() { precondition(SQLiteLibrary.isTuned, "something used SQLite before its settings") }
}
