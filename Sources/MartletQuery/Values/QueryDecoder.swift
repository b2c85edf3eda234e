/// Where values come from: the columns of one row, one after the other.
///
/// Always true: each call takes one column; reading beyond the last one throws.
public protocol QueryDecoder {
  /// The next column's INTEGER; nil where it holds NULL. Throws `QueryDecodingError` where it holds something else.
  mutating func decode(_ type: Int64.Type) throws -> Int64?
  /// The next column's REAL, or its INTEGER as one; nil where it holds NULL.
  mutating func decode(_ type: Double.Type) throws -> Double?
  /// The next column's TEXT; nil where it holds NULL.
  mutating func decode(_ type: String.Type) throws -> String?
  /// The next column's BLOB; nil where it holds NULL.
  mutating func decode(_ type: [UInt8].Type) throws -> [UInt8]?

  /// True, and they are skipped, where the next `count` columns all hold NULL.
  mutating func skipNulls(_ count: Int) throws -> Bool
}

extension QueryDecoder {
  /// A value, or nil where its columns hold NULL.
  @inlinable
  public mutating func decode<T: QueryRepresentable>(_ type: T.Type = T.self) throws -> T.QueryOutput? {
    if try skipNulls(T.columnWidth) { return nil }
    return try T(decoder: &self).queryOutput
  }

  /// A value that must be there; of an `Optional` type, it may be nil.
  @inlinable
  public mutating func value<T: QueryRepresentable>(_ type: T.Type = T.self) throws -> T.QueryOutput {
    try T(decoder: &self).queryOutput
  }
}

/// A row that does not hold what the Swift type asks for.
public struct QueryDecodingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong with the column.
  public enum Reason: Sendable, Equatable {
    /// NULL, where the type has no place for it.
    case missingRequiredColumn
    /// A value of another kind, or out of the type's range.
    case dataCorrupted
    /// The row has fewer columns than the type.
    case noMoreColumns
  }

  /// What is wrong.
  public var reason: Reason
  /// Counted from 0; -1 where it is not known.
  public var column: Int
  /// What the Swift type asks for, in words without an article: `integer`.
  public var expected: String

  /// - Parameter column: counted from 0; -1 where it is not known.
  public init(_ reason: Reason, column: Int = -1, expected: String = "") {
    self.reason = reason
    self.column = column
    self.expected = expected
  }

  /// NULL, where the type has no place for it; of no column in particular.
  public static let missingRequiredColumn = QueryDecodingError(.missingRequiredColumn)
  /// A value of another kind; of no column in particular.
  public static let dataCorrupted = QueryDecodingError(.dataCorrupted)

  public var description: String {
    let place = column < 0 ? "A column" : "Column \(column)"
    let type = expected.isEmpty ? "value that fits the Swift type" : expected
    return switch reason {
    case .missingRequiredColumn:
      "\(place) holds NULL and no \(type). Make the property optional, or the column NOT NULL."
    case .dataCorrupted: "\(place) holds no \(type). Compare the Swift type with the table."
    case .noMoreColumns: "The row has no column left for this: \(type). Compare the Swift type with the query."
    }
  }
}
