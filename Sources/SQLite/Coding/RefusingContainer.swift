/// The container for a value that cannot be columns of a row: an array, a single value, a container inside of another.
///
/// Always true: the first thing that it encodes throws, with what to do.
struct RefusingContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let codingPath: [any CodingKey] = []
  let count = 0

  static let refusal = QueryError.unexpectedValue(
    "Only a type whose keys are columns can be a row. Give the type properties, or make it a Value.")

  func encodeNil() throws { throw Self.refusal }
  func encode<T: Encodable>(_ value: T) throws { throw Self.refusal }

  func nestedContainer<Key: CodingKey>(keyedBy keyType: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RefusingKeyedContainer<Key>())
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { RefusingEncoder() }
}

struct RefusingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let codingPath: [any CodingKey] = []

  func encodeNil(forKey key: Key) throws { throw RefusingContainer.refusal }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw RefusingContainer.refusal }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(RefusingKeyedContainer<Nested>())
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { RefusingContainer() }
  func superEncoder() -> any Encoder { RefusingEncoder() }
  func superEncoder(forKey key: Key) -> any Encoder { RefusingEncoder() }
}

struct RefusingEncoder: Encoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RefusingKeyedContainer<Key>())
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer() }
  func singleValueContainer() -> any SingleValueEncodingContainer { RefusingContainer() }
}
