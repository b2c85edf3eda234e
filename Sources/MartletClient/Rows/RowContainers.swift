/// The containers that a `Decodable` type reads a row from.
///
/// Always true: a number that does not fit is an error and never cut off.
internal import MartletAST

struct RowKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: Row
  let plan: RowDecodingPlan

  /// A class because a container's methods do not mutate; one container lives in one call on one thread.
  private final class Cursor {
    var value = 0
  }
  private let cursor = Cursor()

  init(row: Row, plan: RowDecodingPlan) {
    self.row = row
    self.plan = plan
  }

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.columns.columns.compactMap { Key(stringValue: $0.name) } }

  private func find(_ key: Key) -> Int? { plan.position(of: key.stringValue, cursor: &cursor.value) }

  private func position(_ key: Key) throws(RowDecodingError) -> Int {
    guard let position = find(key) else { throw row.missing(key.stringValue) }
    return position
  }

  private func get<T: RowValue>(_ key: Key) throws -> T { try row.get(T.self, try position(key)) }

  private func getIfPresent<T: RowValue>(_ key: Key) throws -> T? {
    guard let position = find(key) else { return nil }
    return try row.get(T?.self, position)
  }

  func contains(_ key: Key) -> Bool { plan.position(of: key.stringValue) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { row.isNull(try position(key)) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try get(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try get(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try get(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try get(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try get(key) }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try getIfPresent(key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try getIfPresent(key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try getIfPresent(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try getIfPresent(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try getIfPresent(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try RowValueDecoder.decode(type, row: row, plan: plan, position: try position(key))
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let position = find(key), !row.isNull(position) else { return nil }
    return try RowValueDecoder.decode(type, row: row, plan: plan, position: position)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try RowValueDecoder(row: row, plan: plan, position: try position(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try RowValueDecoder(row: row, plan: plan, position: try position(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { RowValueDecoder(row: row, plan: plan) }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    RowValueDecoder(row: row, plan: plan, position: try position(key))
  }
}

/// One value, for enumerations with raw values and other types that wrap one.
struct RowSingleValueContainer: SingleValueDecodingContainer {
  let row: Row
  let plan: RowDecodingPlan
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
