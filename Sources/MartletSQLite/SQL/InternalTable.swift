import CSQLite

/// A table of SQLite's own that programs may write to, and of which SQLite itself reads every row: those of `ANALYZE`
/// whenever a connection reads the schema, where nothing ends it, and the last rowids at each insert into a table with
/// AUTOINCREMENT.
package enum InternalTable: String, CaseIterable, Sendable {
  case statistics = "sqlite_stat1"
  case samples = "sqlite_stat4"
  case sequence = "sqlite_sequence"

  /// It is read with the schema.
  package var isOfSchema: Bool { self != .sequence }

  /// Rows and bytes that it may have in a schema of so many objects: more than `ANALYZE` and the dump of any such
  /// database put there.
  package func mostRows(objects: Int) -> Int {
    let each = self == .samples ? SQLiteLimits.samplesPerObject : SQLiteLimits.internalRowsPerObject
    return objects.multipliedReportingOverflow(by: each).overflow ? .max - 1 : objects * each
  }

  package func mostBytes(objects: Int) -> Int {
    let (bytes, isOver) = mostRows(objects: objects).multipliedReportingOverflow(by: SQLiteLimits.internalRowBytes)
    return max(SQLiteLimits.internalBytesMin, isOver ? .max : bytes)
  }

  static func named(_ name: UnsafePointer<CChar>) -> InternalTable? {
    guard sqlite3_strnicmp(name, "sqlite_", 7) == 0 else { return nil }
    return allCases.first { sqlite3_stricmp(name, $0.rawValue) == 0 }
  }
}

/// What a connection knows of such a table since it has counted its rows last.
struct InternalTally {
  var rows: Int
  /// All changes of the connection by then, and the pages that held something.
  var changes: Int64
  var pages: Int
}
