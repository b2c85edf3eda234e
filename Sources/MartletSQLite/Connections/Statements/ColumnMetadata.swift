import CSQLite

/// What a statement says about a column of its result, beyond the values.
///
/// Always true: texts that SQLite does not know (an expression has no table) are empty.
package struct ColumnMetadata: Sendable, Equatable {
  package var name: String
  /// The type as the schema declares it.
  package var declaredType: String
  package var database: String
  package var table: String
  package var origin: String

  package init(name: String, declaredType: String = "", database: String = "", table: String = "", origin: String = "")
  {
    self.name = name
    self.declaredType = declaredType
    self.database = database
    self.table = table
    self.origin = origin
  }
}

extension Statement {
  /// The result's columns, as of the last time that SQLite compiled the statement.
  package func columnMetadata() -> [ColumnMetadata] {
    func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
    return (0..<Int32(clamping: columnCount)).map { index in
      ColumnMetadata(
        name: text(sqlite3_column_name(handle, index)), declaredType: text(sqlite3_column_decltype(handle, index)),
        database: text(sqlite3_column_database_name(handle, index)),
        table: text(sqlite3_column_table_name(handle, index)), origin: text(sqlite3_column_origin_name(handle, index)))
    }
  }

  /// The SQL that the statement was compiled from.
  package var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }
}
