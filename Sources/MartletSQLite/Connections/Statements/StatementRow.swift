public import CSQLite

/// The current row of a statement, for decoders that read it column by column without touching a Swift object.
///
/// Always true: valid while its statement is, and between a step that found a row and the next step or reset.
@frozen
public struct StatementRow {
  @usableFromInline let handle: OpaquePointer

  @inlinable
  public init(_ statement: Statement) { handle = statement.handle }

  /// `index`, counted from 0, must be below `columnCount`.
  @inlinable
  public func value(at index: Int32) -> RowValue { RowValue(handle: sqlite3_column_value(handle, index)) }

  @inlinable
  public func isNull(at index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

  @inlinable public var columnCount: Int32 { sqlite3_column_count(handle) }

  /// The columns' names, as the result calls them.
  package func name(at index: Int32) -> String { sqlite3_column_name(handle, index).map { String(cString: $0) } ?? "" }
}
