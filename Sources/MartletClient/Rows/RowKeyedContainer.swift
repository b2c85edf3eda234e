internal import MartletValues

/// The containers that a `Decodable` type reads a row from.
///
/// Always true: a number that does not fit is an error and never cut off.
struct RowKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: Row
  let cursor: RowDecodingCursor

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.columns.columns.compactMap { Key(stringValue: $0.name) } }

  private func find(_ key: Key) -> Int? { cursor.position(of: key.stringValue) }

  private func position(_ key: Key) throws(RowDecodingError) -> Int {
    guard let position = find(key) else { throw row.missing(key.stringValue) }
    return position
  }

  func contains(_ key: Key) -> Bool { cursor.plan.position(of: key.stringValue) != nil }
  func decodeNil(forKey key: Key) throws -> Bool {
    guard let position = cursor.plan.position(of: key.stringValue) else { throw row.missing(key.stringValue) }
    return row.isNull(position)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try row.get(type, try position(key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try row.get(type, try position(key)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try row.get(type, try position(key)) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try row.get(type, try position(key)) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try row.get(type, try position(key)) }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try find(key).flatMap { try row.get(Bool?.self, $0) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try find(key).flatMap { try row.get(String?.self, $0) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try find(key).flatMap { try row.get(Double?.self, $0) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try find(key).flatMap { try row.get(Int?.self, $0) }
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try find(key).flatMap { try row.get(Int64?.self, $0) }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try RowValueDecoder.decode(type, row: row, cursor: cursor, position: try position(key))
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let position = find(key), !row.isNull(position) else { return nil }
    return try RowValueDecoder.decode(type, row: row, cursor: cursor, position: position)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try RowValueDecoder(row: row, cursor: cursor, position: try position(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try RowValueDecoder(row: row, cursor: cursor, position: try position(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { RowValueDecoder(row: row, cursor: cursor) }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    RowValueDecoder(row: row, cursor: cursor, position: try position(key))
  }
}

/// One value, for enumerations with raw values and other types that wrap one.
struct RowSingleValueContainer: SingleValueDecodingContainer {
  let row: Row
  let cursor: RowDecodingCursor
  let position: Int

  var codingPath: [any CodingKey] { [ColumnKey(position, in: row)] }

  func decodeNil() -> Bool { row.isNull(position) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let scalar = type as? any RowValue.Type, let value = try row.get(any: scalar, position) as? T { return value }
    let name = row.page.layout.name(at: position)
    throw RowDecodingError(
      column: name, position: position, "The column \(name) holds one value and cannot be decoded as \(T.self).")
  }
}
