internal import MartletValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Swift's `Decoder` over one row (keyed) and over one of its values (single).
///
/// Always true: every error names the column; text becomes a date or a UUID only in their standard forms.
struct RowValueDecoder: Decoder {
  let row: Row
  let cursor: RowDecodingCursor

  /// The column that is decoded; nil for the row as a whole.
  var position: Int?

  var codingPath: [any CodingKey] { position.map { [ColumnKey($0, in: row)] } ?? [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<T: Decodable>(_ type: T.Type, row: Row, cursor: RowDecodingCursor) throws -> T {
    if isScalar(type) { return try decode(type, row: row, cursor: cursor, position: 0) }
    return try T(from: RowValueDecoder(row: row, cursor: cursor))
  }

  /// One column as any `Decodable` type.
  static func decode<T: Decodable>(_ type: T.Type, row: Row, cursor: RowDecodingCursor, position: Int) throws -> T {
    if let scalar = type as? any RowValue.Type, let value = try row.get(any: scalar, position) as? T { return value }
    return try T(from: RowValueDecoder(row: row, cursor: cursor, position: position))
  }

  /// Types that stand for a value and not for a row, though their own `init(from:)` may ask for more.
  private static func isScalar<T>(_ type: T.Type) -> Bool { type is any RowValue.Type }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard position == nil else { throw nested("a structure") }
    return KeyedDecodingContainer(RowKeyedContainer<Key>(row: row, cursor: cursor))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw nested("a list") }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    RowSingleValueContainer(row: row, cursor: cursor, position: position ?? 0)
  }

  private func nested(_ what: String) -> RowDecodingError {
    let name = position.map { row.page.layout.name(at: $0) } ?? ""
    return RowDecodingError(
      column: name, position: position, "The column \(name) holds one value and cannot be decoded as \(what).")
  }
}

extension Row {
  func get(any type: any RowValue.Type, _ position: Int) throws(RowDecodingError) -> Any { try get(type, position) }
}

/// A column as a coding key, for errors.
struct ColumnKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(_ position: Int, in row: Row) {
    stringValue = row.page.layout.name(at: position)
    intValue = position
  }

  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}
