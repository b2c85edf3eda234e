import CSQLite

/// VACUUM: the file written anew without its free pages.
///
/// Always true: no transaction is open before and after; if it fails the file is what it was.
extension Connection {
  /// Copies the database into a temporary file, which does not count among those of statements, and back. The limiter
  /// may end it.
  ///
  /// Throws `SQLiteCode.cannotVacuum` if SQLCipher is linked and the file has page checksums.
  package func vacuum() throws(SQLiteError) {
    if SQLiteLibrary.hasKeys, hasPageChecksums {
      throw SQLiteError(extendedCode: SQLiteCode.cannotVacuum, message: "the file has page checksums")
    }
    // SQLite attaches its temporary copy, beside whatever a program may attach.
    let before = sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, -1)
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, before + 1)
    defer { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, before) }
    try TemporaryFiles.uncounted { () throws(SQLiteError) in try execute(FixedSQL.vacuum) }
  }

  /// About how many bytes the file has when its free pages are gone.
  package func bytesInUse() throws(SQLiteError) -> Int {
    let pages = Int(try text(of: FixedSQL.readPageCount) ?? "") ?? 0
    let free = Int(try text(of: FixedSQL.readFreePages) ?? "") ?? 0
    let bytes = Int(try text(of: FixedSQL.readPageSize) ?? "") ?? 0
    return max(0, pages - free).multipliedReportingOverflow(by: max(0, bytes)).partialValue
  }
}
