package import MartletSQLite
package import MartletValues

/// What a statement names and SQLite does not find, of an error that has been mapped.
///
/// Always true: the mapper keeps SQLite's words for it, with a capital and a full stop, so they are read here as there.
extension RequestError {
  /// Nil for an error about something else.
  package var missing: SQLiteError.Missing? {
    guard sqliteCode & 0xFF == SQLiteCode.error else { return nil }
    return SQLiteError.Missing(words: message.hasSuffix(".") ? message.dropLast() : message[...])
  }
}
