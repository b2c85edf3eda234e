internal import Foundation
internal import MartletValues

/// A row as a `Codable` value: each key is a column.
///
/// Always true: it reads what `SetterEncoder` writes.
struct RowDecoder: Decoder {
  let row: Row
  let info: [CodingUserInfoKey: any Sendable]
  var userInfo: [CodingUserInfoKey: Any] { info }
  let codingPath: [any CodingKey] = []

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer<Key>(row: row, userInfo: info))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw RefusingContainer.refusal }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw RefusingContainer.refusal }
}

private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: Row
  let userInfo: [CodingUserInfoKey: any Sendable]
  let codingPath: [any CodingKey] = []

  var allKeys: [Key] { row.layout.plainNames.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { row.layout.plainNames.contains(key.stringValue) }

  private func stored(_ key: Key) throws -> _StoredValue {
    try row.at(.column(key.stringValue)) { try $0.stored }
  }

  func decodeNil(forKey key: Key) throws -> Bool { try stored(key).value == .null }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let stored = try stored(key)
    if stored.value == .null {
      guard let empty = (T.self as? any _OptionalType.Type)?.makeNil() as? T else {
        throw QueryError.unexpectedNullValue(name: key.stringValue)
      }
      return empty
    }
    // An optional is kept as what it holds.
    let kept = (T.self as? any _OptionalType.Type)?.innermost ?? T.self
    if let valueType = kept as? any Value.Type {
      let value = try valueType.value(from: stored) { key.stringValue }
      if let value = value as? T { return value }
    }
    if let integerType = kept as? any FixedWidthInteger.Type, case .integer(let integer) = stored.value {
      if let exact = integerType.init(exactly: integer) as? T { return exact }
      throw QueryError.unexpectedValue("The number \(kept) cannot hold what the column \(key.stringValue) has.")
    }
    let decoder = JSONDecoder()
    for (key, info) in userInfo { decoder.userInfo[key] = info }
    return try decoder.decode(T.self, from: Data(try json(stored.value, T.self, key).utf8))
  }

  /// What the encoder wrote as JSON. A number that it wrote as a text is a number in a column of numbers.
  private func json<T>(_ value: SQLValue, _ type: T.Type, _ key: Key) throws -> String {
    switch value {
    case .text(let text): text
    case .integer(let integer): String(integer)
    case .real(let real) where real.isFinite: String(real)
    default:
      throw QueryError.unexpectedValue(
        "The column \(key.stringValue) holds \(value.kindText), and a \(T.self) is kept as JSON, in a text.")
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw RefusingContainer.refusal
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw RefusingContainer.refusal
  }
  func superDecoder() throws -> any Decoder { throw RefusingContainer.refusal }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw RefusingContainer.refusal }
}

extension _OptionalType {
  fileprivate static func makeNil() -> Any { Optional<WrappedType>.none as Any }

  /// What it holds, which is no optional.
  fileprivate static var innermost: Any.Type {
    (WrappedType.self as? any _OptionalType.Type)?.innermost ?? WrappedType.self
  }
}
