/// A dictionary that holds at most `capacity` values and drops the one that was used longest ago.
///
/// Always true: `count` never exceeds `capacity`; a look-up, an insertion and a removal take constant time. Slots are
/// linked from the one used last (`first`) to the one used longest ago (`last`); free slots are linked through `next`.
public struct BoundedCache<Key: Hashable, Value> {
  @usableFromInline
  struct Slot {
    @usableFromInline var key: Key
    @usableFromInline var value: Value?
    @usableFromInline var previous: Int
    @usableFromInline var next: Int

    @inlinable
    init(key: Key, value: Value, previous: Int, next: Int) {
      self.key = key
      self.value = value
      self.previous = previous
      self.next = next
    }
  }

  public let capacity: Int
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var indexes: [Key: Int] = [:]
  @usableFromInline var first = -1
  @usableFromInline var last = -1
  @usableFromInline var free = -1

  /// A cache for `capacity` values, at least one.
  public init(capacity: Int) { self.capacity = max(1, capacity) }

  @inlinable public var count: Int { indexes.count }

  /// The value for a key, which is then the one used last.
  @inlinable
  public mutating func value(for key: Key) -> Value? {
    guard let index = indexes[key] else { return nil }
    if index != first {
      unlink(index)
      linkFirst(index)
    }
    return slots[index].value
  }

  /// The value for a key, without counting as a use.
  @inlinable
  public func peek(_ key: Key) -> Value? {
    guard let index = indexes[key] else { return nil }
    return slots[index].value
  }

  /// Holds a value; gives back the one that had to go, or the key's former one.
  @inlinable
  @discardableResult
  public mutating func insert(_ value: Value, for key: Key) -> Value? {
    if let index = indexes[key] {
      let former = slots[index].value
      slots[index].value = value
      if index != first {
        unlink(index)
        linkFirst(index)
      }
      return former
    }
    var dropped: Value?
    if indexes.count >= capacity { dropped = removeSlot(last) }
    let index: Int
    if free >= 0 {
      index = free
      free = slots[index].next
      slots[index].key = key
      slots[index].value = value
    } else {
      index = slots.count
      slots.append(Slot(key: key, value: value, previous: -1, next: -1))
    }
    indexes[key] = index
    linkFirst(index)
    return dropped
  }

  @inlinable
  @discardableResult
  public mutating func remove(_ key: Key) -> Value? {
    guard let index = indexes[key] else { return nil }
    return removeSlot(index)
  }

  /// Drops the value that was used longest ago.
  @inlinable
  public mutating func removeLast() -> Value? { last >= 0 ? removeSlot(last) : nil }

  public mutating func removeAll() { self = BoundedCache(capacity: capacity) }

  /// All values, from the one used last to the one used longest ago.
  public var values: [Value] {
    var found: [Value] = []
    var index = first
    while index >= 0 {
      if let value = slots[index].value { found.append(value) }
      index = slots[index].next
    }
    return found
  }

  // MARK: - Links

  @inlinable
  mutating func removeSlot(_ index: Int) -> Value? {
    unlink(index)
    indexes.removeValue(forKey: slots[index].key)
    let value = slots[index].value
    slots[index].value = nil
    slots[index].next = free
    free = index
    return value
  }

  @inlinable
  mutating func unlink(_ index: Int) {
    let previous = slots[index].previous
    let next = slots[index].next
    if previous >= 0 { slots[previous].next = next } else { first = next }
    if next >= 0 { slots[next].previous = previous } else { last = previous }
  }

  @inlinable
  mutating func linkFirst(_ index: Int) {
    slots[index].previous = -1
    slots[index].next = first
    if first >= 0 { slots[first].previous = index } else { last = index }
    first = index
  }
}
