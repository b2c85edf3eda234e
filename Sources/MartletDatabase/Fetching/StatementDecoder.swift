public import MartletQuery
public import MartletSQLite
import MartletValues

/// A decoder that stands at one column of the row that a statement stepped to.
///
/// Always true: it reads only columns that the row has, and asks for a value's type before it reads it, because reading
/// as another type would convert it.
@frozen
public struct StatementDecoder: QueryDecoder {
  @usableFromInline let row: StatementRow
  @usableFromInline let count: Int32
  @usableFromInline var column: Int32 = 0

  @inlinable
  init(_ rows: EmbeddedRows) {
    row = rows.row
    count = rows.row.columnCount
  }

  /// Goes to the first column of the row that the statement is at.
  @inlinable
  mutating func rewind() { column = 0 }

  @inlinable
  mutating func next(_ expected: StaticString) throws -> MartletSQLite.RowValue {
    guard column < count else { throw wrong(.noMoreColumns, expected) }
    let value = row.value(at: column)
    column &+= 1
    return value
  }

  /// Made here and returned as `any Error`, because the error is large: code that held one would need stack for it at
  /// every row.
  @usableFromInline @inline(never)
  func wrong(_ reason: QueryDecodingError.Reason, _ expected: StaticString) -> any Error {
    let index = reason == .noMoreColumns ? column : column - 1
    return QueryDecodingError(reason, column: Int(index), expected: "\(expected)")
  }

  /// The text, or nil if the bytes are not UTF-8.
  @usableFromInline
  static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    // Nothing has to be bound anew, because SQLite's header says that its texts are bytes.
    String(
      validUTF8: UnsafeBufferPointer(start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count))
  }

  /// An error of decoding with the column that it is about.
  @usableFromInline
  func explain(_ error: any Error) -> any Error {
    guard var error = error as? QueryDecodingError else { return error }
    if error.column < 0 { error.column = Int(column) - 1 }
    if error.column >= 0, error.column < Int(count) {
      error.found = row.value(at: Int32(truncatingIfNeeded: error.column)).type.words
    }
    return error
  }

  @inlinable
  public mutating func decode(_ type: Int64.Type) throws -> Int64? {
    let value = try next("integer")
    switch value.rawType {
    case MartletSQLite.RowValue.Kind.integer.rawValue: return value.integer
    case MartletSQLite.RowValue.Kind.null.rawValue: return nil
    case MartletSQLite.RowValue.Kind.real.rawValue:
      // A REAL column holds 3 as 3.0.
      guard let exact = Int64(exactly: value.real) else { throw wrong(.dataCorrupted, "integer") }
      return exact
    default: throw wrong(.dataCorrupted, "integer")
    }
  }

  @inlinable
  public mutating func decode(_ type: Double.Type) throws -> Double? {
    let value = try next("number")
    switch value.rawType {
    case MartletSQLite.RowValue.Kind.real.rawValue: return value.real
    case MartletSQLite.RowValue.Kind.integer.rawValue: return Double(value.integer)
    case MartletSQLite.RowValue.Kind.null.rawValue: return nil
    default: throw wrong(.dataCorrupted, "number")
    }
  }

  @inlinable
  public mutating func decode(_ type: String.Type) throws -> String? {
    let value = try next("text in UTF-8")
    switch value.rawType {
    case MartletSQLite.RowValue.Kind.text.rawValue:
      guard let text = Self.text(value.textBytes) else { throw wrong(.dataCorrupted, "text in UTF-8") }
      return text
    case MartletSQLite.RowValue.Kind.null.rawValue: return nil
    default: throw wrong(.dataCorrupted, "text in UTF-8")
    }
  }

  @inlinable
  public mutating func decode(_ type: [UInt8].Type) throws -> [UInt8]? {
    let value = try next("bytes")
    switch value.rawType {
    case MartletSQLite.RowValue.Kind.blob.rawValue, MartletSQLite.RowValue.Kind.text.rawValue:
      return Array(value.blobBytes)
    case MartletSQLite.RowValue.Kind.null.rawValue: return nil
    default: throw wrong(.dataCorrupted, "bytes")
    }
  }

  @inlinable
  public mutating func skipNulls(_ width: Int) throws -> Bool {
    guard Int(column) + width <= Int(count) else { throw wrong(.noMoreColumns, "") }
    for index in column..<column + Int32(truncatingIfNeeded: width) where !row.isNull(at: index) { return false }
    column += Int32(truncatingIfNeeded: width)
    return true
  }
}

extension MartletSQLite.RowValue.Kind {
  /// For people, with the article.
  fileprivate var words: String {
    switch self {
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "a text"
    case .blob: "bytes"
    case .null: "NULL"
    }
  }
}
