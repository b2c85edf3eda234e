/// Reads one row of a batch, column after column, straight from its packed arrays.
///
/// Always true: it indexes only rows and columns that the batch has, so a batch must be well formed, which everyone who
/// receives one from a wire has checked.
public import MartletAST

/// A decoder that stands at one column of one row of a batch.
public struct RowDecoder: QueryDecoder {
  @usableFromInline let batch: RowBatch
  @usableFromInline var row: Int
  @usableFromInline var column = 0

  /// At the first column of a row, counted from 0.
  @inlinable
  public init(batch: RowBatch, row: Int = 0) {
    self.batch = batch
    self.row = row
  }

  /// Goes to the first column of a row.
  @inlinable
  public mutating func move(toRow row: Int) {
    self.row = row
    column = 0
  }

  /// The column to read, with its kind in this row.
  @inlinable
  mutating func next(_ expected: StaticString) throws -> (index: Int, kind: ColumnValues.Kind) {
    guard column < batch.columns.count, row < batch.rowCount else {
      throw QueryDecodingError(.noMoreColumns, column: column, expected: "\(expected)")
    }
    let index = column
    column += 1
    return (index, batch.columns[index].kind(at: row))
  }

  /// An error of decoding with the column that it is about.
  public func explain(_ error: any Error) -> any Error {
    guard var error = error as? QueryDecodingError, error.column < 0 else { return error }
    error.column = column - 1
    return error
  }

  @usableFromInline
  func wrong(_ index: Int, _ expected: StaticString) -> QueryDecodingError {
    QueryDecodingError(.dataCorrupted, column: index, expected: "\(expected)")
  }

  @inlinable
  public mutating func decode(_ type: Int64.Type) throws -> Int64? {
    let (index, kind) = try next("an integer")
    switch kind {
    case .integer: return batch.columns[index].integers[row]
    case .null: return nil
    case .real:
      // A REAL column holds 3 as 3.0.
      guard let exact = Int64(exactly: batch.columns[index].reals[row]) else { throw wrong(index, "an integer") }
      return exact
    default: throw wrong(index, "an integer")
    }
  }

  @inlinable
  public mutating func decode(_ type: Double.Type) throws -> Double? {
    let (index, kind) = try next("a number")
    switch kind {
    case .real: return batch.columns[index].reals[row]
    case .integer: return Double(batch.columns[index].integers[row])
    case .null: return nil
    default: throw wrong(index, "a number")
    }
  }

  @inlinable
  public mutating func decode(_ type: String.Type) throws -> String? {
    let (index, kind) = try next("a text")
    switch kind {
    case .text:
      let range = batch.columns[index].range(at: row)
      let text = batch.columns[index].data.withUnsafeBytes { bytes in
        String(validating: bytes[range], as: UTF8.self)
      }
      guard let text else { throw wrong(index, "a text in UTF-8") }
      return text
    case .null: return nil
    default: throw wrong(index, "a text")
    }
  }

  @inlinable
  public mutating func decode(_ type: [UInt8].Type) throws -> [UInt8]? {
    let (index, kind) = try next("bytes")
    switch kind {
    case .blob, .text: return Array(batch.columns[index].data[batch.columns[index].range(at: row)])
    case .null: return nil
    default: throw wrong(index, "bytes")
    }
  }

  @inlinable
  public mutating func skipNulls(_ count: Int) throws -> Bool {
    guard column + count <= batch.columns.count, row < batch.rowCount else {
      throw QueryDecodingError(.noMoreColumns, column: column)
    }
    for index in column..<column + count where !batch.columns[index].isNull(at: row) { return false }
    column += count
    return true
  }
}
