public import Foundation
package import MartletValues

/// The columns of a row, one after the other.
///
/// Always true: each call takes one column; reading beyond the last one throws.
public protocol QueryDecoder {
  /// The next column's INTEGER; nil if it holds NULL. Throws `QueryDecodingError` if it holds something else.
  mutating func decode(_ type: Int64.Type) throws -> Int64?
  /// The next column's REAL, or its INTEGER as one; nil if it holds NULL.
  mutating func decode(_ type: Double.Type) throws -> Double?
  /// The next column's TEXT; nil if it holds NULL.
  mutating func decode(_ type: String.Type) throws -> String?
  /// The next column's BLOB; nil if it holds NULL.
  mutating func decode(_ type: [UInt8].Type) throws -> [UInt8]?

  /// Skips the next `count` columns and returns true, if all of them hold NULL.
  mutating func skipNulls(_ count: Int) throws -> Bool
}

extension QueryDecoder {
  /// A value, or nil if its columns hold NULL.
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
    /// NULL, for a type that has no NULL.
    case missingRequiredColumn
    /// A value of another kind, or out of the type's range.
    case dataCorrupted
    /// The row has fewer columns than the type.
    case noMoreColumns
  }

  /// What is wrong.
  public var reason: Reason
  /// Counted from 0; -1 if it is not known.
  public var column: Int
  /// What the Swift type asks for, in words without an article: `integer`.
  public var expected: String
  /// The column in the result, or in its table if it comes from one: `"items"."price"`. Empty if it is not known.
  public var name = ""
  /// What the column holds, with its article: `a text`. Empty if it is not known.
  public var found = ""
  /// The statement, without its values. Empty if it is not known.
  public var sql = ""
  /// The column is known, and is none of a table: an expression made its value.
  private var isComputed = false

  /// - Parameter column: counted from 0; -1 if it is not known.
  public init(_ reason: Reason, column: Int = -1, expected: String = "") {
    self.reason = reason
    self.column = column
    self.expected = expected
  }

  /// NULL, for a type that has no NULL; of no column in particular.
  public static let missingRequiredColumn = QueryDecodingError(.missingRequiredColumn)
  /// A value of another kind; of no column in particular.
  public static let dataCorrupted = QueryDecodingError(.dataCorrupted)

  /// The same mistake in the same column, whatever statement it was.
  public static func == (left: Self, right: Self) -> Bool {
    left.reason == right.reason && left.column == right.column && left.expected == right.expected
  }

  public var description: String {
    let number = column < 0 ? "A column" : "Column \(column)"
    let place = name.isEmpty ? number : "\(number), \(name),"
    let type = expected.isEmpty ? "value that fits the Swift type" : expected
    let holds = found.isEmpty ? "no \(type)" : "\(found) and no \(type)"
    let sentence =
      switch reason {
      case .missingRequiredColumn: "\(place) holds NULL and no \(type). \(remedyForNull)"
      case .dataCorrupted: "\(place) holds \(holds). Compare the Swift type with the table.\(remarkOnOverflow)"
      case .noMoreColumns: "The row has no column left for this: \(type). Compare the Swift type with the query."
      }
    return sql.isEmpty ? sentence : "\(sentence)\nThe statement: \(sql)"
  }

  private var remedyForNull: String {
    isComputed
      ? "Read it as an optional, with 'asOptional()': SQLite computes NULL from NULL, and if a result is no number."
      : "Make the property optional, or the column NOT NULL.\(remarkOnInnerQuery)"
  }

  /// A query within another one has the name of its column, which may be NOT NULL.
  private var remarkOnInnerQuery: String {
    Self.selectsQuery(sql) ? " A query within another is NULL if it finds no row. Read it with 'asOptional()'." : ""
  }

  /// Whether a query in parentheses stands among what the statement selects.
  private static func selectsQuery(_ sql: String) -> Bool {
    var depth = 0
    var (before, word) = ("", "")
    var isOpened = false
    for token in SQLTokens(sql) {
      let wasOpened = isOpened
      isOpened = false
      switch token {
      case .word(let text):
        (before, word) = (word, text.uppercased())
        if wasOpened, word == "SELECT", !["EXISTS", "IN"].contains(before) { return true }
        if depth == 0, word == "FROM" || word == "WITH", before != "DISTINCT" { return false }
      case .quoted: (before, word) = (word, "")
      case .symbol(UInt8(ascii: "(")):
        depth += 1
        isOpened = true
      case .symbol(UInt8(ascii: ")")): depth -= 1
      case .symbol: (before, word) = (word, "")
      }
    }
    return false
  }

  private var remarkOnOverflow: String {
    isComputed && found == "a real number" && expected.hasPrefix("integer")
      ? " SQLite makes a real number of integers whose result is beyond 64 bits." : ""
  }

  /// With what is known of the result that the column belongs to.
  ///
  /// - Parameters:
  ///   - columns: of the result, in their order.
  ///   - sql: the statement, without its values.
  package func explained(by columns: [ResultColumns.Column], in sql: String) -> QueryDecodingError {
    var error = self
    error.sql = sql
    guard reason != .noMoreColumns, columns.indices.contains(column) else { return error }
    let column = columns[column]
    let origin = column.table.isEmpty ? [column.name] : [column.table, column.origin]
    error.isComputed = column.table.isEmpty
    error.name = origin.map { "\"\($0)\"" }.joined(separator: ".")
    return error
  }
}

extension QueryDecodingError: LocalizedError {
  /// The sentence that it is.
  public var errorDescription: String? { description }
}
