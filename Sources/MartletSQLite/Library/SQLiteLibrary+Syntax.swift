import CSQLite

/// Asks SQLite's parser about a text, where there is no database yet.
extension SQLiteLibrary {
  /// What is wrong with a query as far as its grammar goes, in SQLite's words; nil if nothing is. Whether what it names
  /// exists is not asked.
  public static func syntaxFault(of query: String) -> String? {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(":memory:", &handle) == SQLITE_OK, let handle else { return "SQLite cannot be asked" }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) != SQLITE_OK else { return nil }
    let words = String(cString: sqlite3_errmsg(handle))
    // The parser reads all of a query before any name in it is looked up.
    return words.hasPrefix("no such table") ? nil : words
  }
}
