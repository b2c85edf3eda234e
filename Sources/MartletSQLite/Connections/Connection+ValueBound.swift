import CSQLite

/// How long the values may be that a statement reads from tables or makes.
extension Connection {
  /// From here on SQLite reads and makes no value of more bytes, and says that it is too big; nil: the connection's own
  /// bound holds. Costs something only if the bound changes.
  package func boundValues(toBytes bytes: Int?) {
    let bytes = bytes.map { min($0, valueBytesMax) }
    guard bytes != valueBound else { return }
    valueBound = bytes
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes ?? valueBytesMax))
  }
}
