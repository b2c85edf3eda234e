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
    /// The round in which it was used last.
    @usableFromInline var usedIn: UInt32

    @inlinable
    init(key: Key, value: Value, previous: Int, next: Int, usedIn: UInt32) {
      self.key = key
      self.value = value
      self.previous = previous
      self.next = next
      self.usedIn = usedIn
    }
  }

  public let capacity: Int
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var indexes: [Key: Int] = [:]
  @usableFromInline var first = -1
  @usableFromInline var last = -1
  @usableFromInline var free = -1
  @usableFromInline var round: UInt32 = 0

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
    if slots[index].usedIn != round { slots[index].usedIn = round }
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
      slots[index].usedIn = round
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
      slots[index].usedIn = round
    } else {
      index = slots.count
      slots.append(Slot(key: key, value: value, previous: -1, next: -1, usedIn: round))
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

  /// Ends a round: drops what was not used in it, but for the `kept` values that were used last. Gives what it dropped.
  @discardableResult
  public mutating func endRound(keeping kept: Int) -> [Value] {
    let ended = round
    round &+= 1
    return removeLast(while: { $0.usedIn != ended }, keeping: kept)
  }

  /// Drops all but the `kept` values that were used last.
  @discardableResult
  public mutating func shrink(to kept: Int) -> [Value] { removeLast(while: { _ in true }, keeping: kept) }

  private mutating func removeLast(while isOld: (Slot) -> Bool, keeping kept: Int) -> [Value] {
    var dropped: [Value] = []
    while count > kept, last >= 0, isOld(slots[last]) {
      if let value = removeLast() { dropped.append(value) }
    }
    if slots.count > 4 * max(count, kept) { compact() }
    return dropped
  }

  /// Gives the memory of free slots back.
  private mutating func compact() {
    var index = last
    var small = BoundedCache(capacity: capacity)
    small.round = round
    while index >= 0 {
      let slot = slots[index]
      if let value = slot.value {
        small.insert(value, for: slot.key)
        small.slots[small.first].usedIn = slot.usedIn
      }
      index = slot.previous
    }
    self = small
  }

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
