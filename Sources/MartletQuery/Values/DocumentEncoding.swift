import Foundation

/// Writes a value into a JSON document, with UUIDs and Floats as columns hold them, so that SQL finds them equal.
/// `JSONEncoder` writes UUIDs in upper case only, and as many digits of a Float as name it among Floats: `0.1`, which
/// to SQLite is another number than the column's 0.10000000149011612.
///
/// Always true: everything else in the value is written by `JSONEncoder` as it is set up; `JSONDecoder` reads both
/// cases.
struct DocumentEncoding: Encodable {
  let value: any Encodable

  func encode(to encoder: any Encoder) throws {
    if value is UUID || Self.isPlain(value) {
      var container = ForwardingEncoder.Single(base: encoder.singleValueContainer())
      return try container.encode(value)
    }
    try value.encode(to: ForwardingEncoder(base: encoder))
  }

  /// True if `JSONEncoder` has to get the value itself, and not the calls that the value makes.
  fileprivate static func isPlain(_ value: any Encodable) -> Bool {
    value is String || value is Int || value is Double || value is Bool || value is Date || value is URL
      || value is Data || value is Decimal
  }

  /// The form in which a value is encoded.
  fileprivate static func form(of value: any Encodable) -> any Encodable {
    if let uuid = value as? UUID { return uuid.uuidString.lowercased() }
    if let decimal = value as? Decimal, decimal.isNaN { return UnencodableDecimal() }
    return isPlain(value) ? value : DocumentEncoding(value: value)
  }
}

/// A decimal that `JSONEncoder` would write as `NaN`, which is no JSON.
private struct UnencodableDecimal: Encodable {
  func encode(to encoder: any Encoder) throws { throw QueryBindingFailure.decimalIsNoNumber }
}

/// Hands everything to another encoder, in the forms above.
private struct ForwardingEncoder: Encoder {
  let base: any Encoder
  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed(base: base.container(keyedBy: type)))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(base: base.unkeyedContainer()) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Single(base: base.singleValueContainer()) }

  struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var base: KeyedEncodingContainer<Key>
    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      try base.encode(DocumentEncoding.form(of: value), forKey: key)
    }
    mutating func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
      KeyedEncodingContainer(Keyed<Inner>(base: base.nestedContainer(keyedBy: type, forKey: key)))
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      Unkeyed(base: base.nestedUnkeyedContainer(forKey: key))
    }
    mutating func superEncoder() -> any Encoder { ForwardingEncoder(base: base.superEncoder()) }
    mutating func superEncoder(forKey key: Key) -> any Encoder {
      ForwardingEncoder(base: base.superEncoder(forKey: key))
    }

    mutating func encode(_ value: Bool, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: String, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: Double, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: Float, forKey key: Key) throws { try base.encode(Double(value), forKey: key) }
    mutating func encode(_ value: Int, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { try base.encode(value, forKey: key) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { try base.encode(value, forKey: key) }
  }

  struct Unkeyed: UnkeyedEncodingContainer {
    var base: any UnkeyedEncodingContainer
    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int { base.count }

    mutating func encodeNil() throws { try base.encodeNil() }
    mutating func encode<T: Encodable>(_ value: T) throws { try base.encode(DocumentEncoding.form(of: value)) }
    mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
      KeyedEncodingContainer(Keyed<Inner>(base: base.nestedContainer(keyedBy: type)))
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      Unkeyed(base: base.nestedUnkeyedContainer())
    }
    mutating func superEncoder() -> any Encoder { ForwardingEncoder(base: base.superEncoder()) }

    mutating func encode(_ value: Bool) throws { try base.encode(value) }
    mutating func encode(_ value: String) throws { try base.encode(value) }
    mutating func encode(_ value: Double) throws { try base.encode(value) }
    mutating func encode(_ value: Float) throws { try base.encode(Double(value)) }
    mutating func encode(_ value: Int) throws { try base.encode(value) }
    mutating func encode(_ value: Int8) throws { try base.encode(value) }
    mutating func encode(_ value: Int16) throws { try base.encode(value) }
    mutating func encode(_ value: Int32) throws { try base.encode(value) }
    mutating func encode(_ value: Int64) throws { try base.encode(value) }
    mutating func encode(_ value: UInt) throws { try base.encode(value) }
    mutating func encode(_ value: UInt8) throws { try base.encode(value) }
    mutating func encode(_ value: UInt16) throws { try base.encode(value) }
    mutating func encode(_ value: UInt32) throws { try base.encode(value) }
    mutating func encode(_ value: UInt64) throws { try base.encode(value) }
  }

  struct Single: SingleValueEncodingContainer {
    var base: any SingleValueEncodingContainer
    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil() throws { try base.encodeNil() }
    mutating func encode<T: Encodable>(_ value: T) throws { try base.encode(DocumentEncoding.form(of: value)) }

    mutating func encode(_ value: Bool) throws { try base.encode(value) }
    mutating func encode(_ value: String) throws { try base.encode(value) }
    mutating func encode(_ value: Double) throws { try base.encode(value) }
    mutating func encode(_ value: Float) throws { try base.encode(Double(value)) }
    mutating func encode(_ value: Int) throws { try base.encode(value) }
    mutating func encode(_ value: Int8) throws { try base.encode(value) }
    mutating func encode(_ value: Int16) throws { try base.encode(value) }
    mutating func encode(_ value: Int32) throws { try base.encode(value) }
    mutating func encode(_ value: Int64) throws { try base.encode(value) }
    mutating func encode(_ value: UInt) throws { try base.encode(value) }
    mutating func encode(_ value: UInt8) throws { try base.encode(value) }
    mutating func encode(_ value: UInt16) throws { try base.encode(value) }
    mutating func encode(_ value: UInt32) throws { try base.encode(value) }
    mutating func encode(_ value: UInt64) throws { try base.encode(value) }
  }
}
