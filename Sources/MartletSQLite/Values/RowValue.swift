public import CSQLite

/// One value of a statement's current row, where SQLite holds it.
///
/// Always true: valid until the statement's next step or reset. Reading SQLite's value itself is safe because one
/// thread uses a connection at a time; it spares a look-up of the column for each of type, value and length.
@frozen
public struct RowValue {
  /// SQLite's storage classes, with its numbers.
  @frozen
  public enum Kind: Int32, Sendable {
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
    case null = 5
  }

  @usableFromInline let handle: OpaquePointer?

  @inlinable init(handle: OpaquePointer?) { self.handle = handle }

  /// SQLite's number of the storage class; ask before reading, since reading converts.
  @inlinable public var rawType: Int32 { sqlite3_value_type(handle) }

  /// What a function said of its result beside the type: 74 marks a text as JSON.
  @inlinable public var subtype: UInt32 { sqlite3_value_subtype(handle) }

  @inlinable public var type: Kind { Kind(rawValue: rawType) ?? .null }

  @inlinable public var integer: Int64 { sqlite3_value_int64(handle) }

  @inlinable public var real: Double { sqlite3_value_double(handle) }

  /// UTF-8, unless the file holds bytes that are not.
  @inlinable public var textBytes: UnsafeRawBufferPointer {
    let start = sqlite3_value_text(handle)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(handle)))
  }

  /// Whether a text or blob has no bytes, whatever memory there is to read them.
  @inlinable public var isEmpty: Bool { sqlite3_value_bytes(handle) == 0 }

  @inlinable public var blobBytes: UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(handle)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(handle)))
  }
}
