internal import Foundation
internal import MartletValues

/// A `Codable` value as setters: each key is a column.
///
/// Always true: numbers, texts, dates, UUIDs, URLs and data are kept as their types are; anything else is kept as JSON,
/// in a text.
struct SetterEncoder: Encoder {
  /// What the columns get, in the order of the value's keys.
  final class Output {
    var setters: [Setter] = []
    let writesNil: Bool

    init(writesNil: Bool) { self.writesNil = writesNil }
  }

  let output: Output
  let info: [CodingUserInfoKey: any Sendable]
  var userInfo: [CodingUserInfoKey: Any] { info }
  let codingPath: [any CodingKey] = []

  /// - Parameter writesNil: what is nil becomes NULL; else its column is left to its default.
  static func setters(
    of value: some Encodable, userInfo: [CodingUserInfoKey: any Sendable], writesNil: Bool
  ) throws -> [Setter] {
    let output = Output(writesNil: writesNil)
    try value.encode(to: SetterEncoder(output: output, info: userInfo))
    return output.setters
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(SetterContainer<Key>(output: output, userInfo: info))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer() }
  func singleValueContainer() -> any SingleValueEncodingContainer { RefusingContainer() }
}

private struct SetterContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: SetterEncoder.Output
  let userInfo: [CodingUserInfoKey: any Sendable]
  let codingPath: [any CodingKey] = []

  private func set(_ key: Key, _ value: SQLValue) {
    output.setters.append(Setter(.column(key.stringValue), value))
  }

  private func setPresent(_ key: Key, _ value: SQLValue?) {
    if let value { set(key, value) } else if output.writesNil { set(key, .null) }
  }

  func encodeNil(forKey key: Key) { setPresent(key, nil) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    if let optional = value as? any _OptionalType, optional.isNil { return setPresent(key, nil) }
    set(key, try Self.stored(value, userInfo))
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    setPresent(key, try value.map { try Self.stored($0, userInfo) })
  }

  // Without these, nil would be left out: the default of each calls `encode` for a value only.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: String?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) { setPresent(key, value?.sqlValue) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    setPresent(key, try value.map { try Self.stored($0, userInfo) })
  }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    setPresent(key, try value.map { try Self.stored($0, userInfo) })
  }

  private static func stored(_ value: some Encodable, _ userInfo: [CodingUserInfoKey: any Sendable]) throws -> SQLValue
  {
    if let value = value as? any Value { return value.sqlValue }
    if let value = value as? any FixedWidthInteger {
      guard let integer = Int64(exactly: value) else {
        throw QueryError.unexpectedValue("SQLite has no integer above Int64.max. Keep the number as a text.")
      }
      return .integer(integer)
    }
    let encoder = JSONEncoder()
    for (key, info) in userInfo { encoder.userInfo[key] = info }
    encoder.outputFormatting = [.sortedKeys]
    return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(RefusingKeyedContainer<Nested>())
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { RefusingContainer() }
  func superEncoder() -> any Encoder { RefusingEncoder() }
  func superEncoder(forKey key: Key) -> any Encoder { RefusingEncoder() }
}

extension _OptionalType {
  fileprivate var isNil: Bool {
    let mirror = Mirror(reflecting: self)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }
}
