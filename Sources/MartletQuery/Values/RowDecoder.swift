public import MartletValues

/// A decoder at one column of one row of a batch.
///
/// Always true: it indexes only rows and columns that the batch has, so a batch must be well formed, which everyone who
/// receives one from a wire has checked.
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

  /// Returns what `read` makes of the next column and of its kind in this row.
  ///
  /// `read` gets a pointer, because the column is read where it lies in the batch, without a copy.
  @inlinable
  @inline(__always)
  mutating func next<Output>(
    _ expected: StaticString, _ read: (UnsafePointer<ColumnValues>, ColumnValues.Kind, Int) -> Output?
  ) throws -> Output? {
    guard column < batch.columns.count, row < batch.rowCount else {
      throw QueryDecodingError(.noMoreColumns, column: column, expected: "\(expected)")
    }
    let index = column
    column += 1
    let (output, isNull) = batch.columns.withUnsafeBufferPointer { columns -> (Output?, Bool) in
      guard let values = columns.baseAddress?.advanced(by: index) else { return (nil, true) }
      let kind = values.kind(at: row)
      return kind == .null ? (nil, true) : (read(values, kind, row), false)
    }
    if output == nil, !isNull { throw wrong(index, expected) }
    return output
  }

  /// An error of decoding with the column that it is about.
  public func explain(_ error: any Error) -> any Error {
    guard var error = error as? QueryDecodingError else { return error }
    if error.column < 0 { error.column = column - 1 }
    if batch.columns.indices.contains(error.column), row < batch.rowCount {
      error.found = batch.columns[error.column].kind(at: row).words
    }
    return error
  }

  @usableFromInline
  func wrong(_ index: Int, _ expected: StaticString) -> QueryDecodingError {
    QueryDecodingError(.dataCorrupted, column: index, expected: "\(expected)")
  }

  @inlinable
  public mutating func decode(_ type: Int64.Type) throws -> Int64? {
    try next("integer") { values, kind, row in
      switch kind {
      case .integer: values.pointee.integers[row]
      // A REAL column holds 3 as 3.0.
      case .real: Int64(exactly: values.pointee.reals[row])
      default: nil
      }
    }
  }

  @inlinable
  public mutating func decode(_ type: Double.Type) throws -> Double? {
    try next("number") { values, kind, row in
      switch kind {
      case .real: values.pointee.reals[row]
      case .integer: Double(values.pointee.integers[row])
      default: nil
      }
    }
  }

  @inlinable
  public mutating func decode(_ type: String.Type) throws -> String? {
    try next("text in UTF-8") { values, kind, row in
      guard kind == .text else { return nil }
      let range = values.range(at: row)
      return values.pointee.data.withUnsafeBufferPointer { String(validUTF8: UnsafeBufferPointer(rebasing: $0[range])) }
    }
  }

  @inlinable
  public mutating func decode(_ type: [UInt8].Type) throws -> [UInt8]? {
    try next("bytes") { values, kind, row in
      kind == .blob || kind == .text ? Array(values.pointee.data[values.range(at: row)]) : nil
    }
  }

  @inlinable
  public mutating func skipNulls(_ count: Int) throws -> Bool {
    guard column + count <= batch.columns.count, row < batch.rowCount else {
      throw QueryDecodingError(.noMoreColumns, column: column)
    }
    let areNull = batch.columns.withUnsafeBufferPointer { columns in
      guard let first = columns.baseAddress else { return true }
      return (column..<column + count).allSatisfy { first.advanced(by: $0).isNull(at: row) }
    }
    if areNull { column += count }
    return areNull
  }
}

extension ColumnValues.Kind {
  /// For people, with the article. A value's own kind is never `mixed`.
  fileprivate var words: String {
    switch self {
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "a text"
    case .blob: "bytes"
    case .null, .mixed: "NULL"
    }
  }
}
