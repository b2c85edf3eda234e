public import Foundation

/// Some rows, column by column: what the engine produces, the wire carries and a client decodes.
///
/// Always true: every column stands for exactly `rowCount` rows.
public struct RowBatch: Sendable, Equatable {
  public var rowCount: Int
  public var columns: [ColumnValues]

  public init(rowCount: Int = 0, columns: [ColumnValues] = []) {
    self.rowCount = rowCount
    self.columns = columns
  }

  public init(rows: [[Value]], columnCount: Int) {
    self.init(columnCount: columnCount)
    for row in rows { append(row) }
  }

  public init(columnCount: Int) {
    self.init(rowCount: 0, columns: Array(repeating: ColumnValues(), count: columnCount))
  }

  /// Appends one row; a value that is missing at the end is NULL.
  public mutating func append(_ row: [Value]) {
    for index in columns.indices {
      columns[index].append(index < row.count ? row[index] : .null, row: rowCount)
    }
    rowCount += 1
  }

  /// Empties the batch and keeps its memory for `columnCount` columns of the next rows.
  public mutating func reset(columnCount: Int) {
    rowCount = 0
    if columns.count > columnCount { columns.removeLast(columns.count - columnCount) }
    for index in columns.indices { columns[index].reset() }
    while columns.count < columnCount { columns.append(ColumnValues()) }
  }

  /// About how many bytes the batch takes on the wire and in memory.
  public var byteCount: Int {
    columns.reduce(8) { $0 + $1.byteCount }
  }

  /// The values of one row. Throws `InvalidText` if a text is not UTF-8; SQLite may hold such text.
  public func row(_ row: Int) throws(InvalidText) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(columns.count)
    for column in columns { values.append(try column.value(at: row)) }
    return values
  }
}

/// A text value whose bytes are not UTF-8, so that it cannot become a `String` without changing it.
public struct InvalidText: Error, Sendable, Equatable {
  public init() {}
}

extension InvalidText: LocalizedError, CustomStringConvertible {
  public var description: String { "A text is not UTF-8. Read it as bytes." }
  public var errorDescription: String? { description }
}
