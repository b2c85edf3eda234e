/// What one shape has cost in one database, since the server opened it.
public struct ShapeStatistics: Sendable, Equatable {
  public var shape: ShapeID
  public var database: String
  public var sql: String
  public var executions: UInt64
  public var errors: UInt64
  /// Rows returned.
  public var rows: UInt64
  /// Time spent in SQLite.
  public var microseconds: UInt64

  public init(
    shape: ShapeID, database: String, sql: String, executions: UInt64 = 0, errors: UInt64 = 0, rows: UInt64 = 0,
    microseconds: UInt64 = 0
  ) {
    self.shape = shape
    self.database = database
    self.sql = sql
    self.executions = executions
    self.errors = errors
    self.rows = rows
    self.microseconds = microseconds
  }

  /// About how many bytes it takes.
  package var byteCount: Int { 96 + sql.utf8.count + database.utf8.count }
}
