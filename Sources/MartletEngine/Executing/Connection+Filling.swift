import MartletSQLite
import MartletValues

/// What clients may put into tables that SQLite itself reads as a whole.
extension Connection {
  /// Why what a statement has put there has to be undone; nil if it may stay.
  func refusalOfFilling(by statement: Statement, _ limits: Limits) throws(SQLiteError) -> RequestError? {
    guard !statement.access.fills.isEmpty else { return nil }
    let objects = limits.schemaObjectsMax
    guard try internalTable(overfilledBy: statement, objects: objects) != nil else { return nil }
    // The schema may have more than it may, since that was another number when it was made.
    let present = max(objects, try schemaSize().objects)
    return try internalTable(overfilledBy: statement, objects: present)
      .map { .internalTableFull($0, rows: $0.mostRows(objects: present), bytes: $0.mostBytes(objects: present)) }
  }

  /// Why nobody may use the file that has just been opened: each connection would read the schema for seconds, and
  /// nothing could end that. Nil if there is no such thing in it.
  func refusalOfStatistics(_ limits: Limits) throws(SQLiteError) -> RequestError? {
    let objects = limits.schemaObjectsMax
    guard try overfullInternalTable(objects: objects) != nil else { return nil }
    let present = max(objects, try schemaSize().objects)
    return try overfullInternalTable(objects: present)
      .map { .statisticsTooLong($0, rows: $0.mostRows(objects: present)) }
  }
}
