/// A dictionary that holds at most `capacity` values, of `bytesMax` bytes together, and drops the one that was used
/// longest ago.
///
/// Always true: `count` never exceeds `capacity`, and `bytes` never exceeds `bytesMax`, except for a single value that
/// is larger; a look-up and a removal take constant time, an insertion too, but for what has to go. Slots are linked
/// from the one used last (`first`) to the one used longest ago (`last`); free slots are linked through `next`.
public struct BoundedCache<Key: Hashable, Value> {
  @usableFromInline
  struct Slot {
    @usableFromInline var key: Key
    @usableFromInline var value: Value?
    @usableFromInline var previous: Int
    @usableFromInline var next: Int
    /// The round in which it was used last.
    @usableFromInline var usedIn: UInt32
    @usableFromInline var bytes: Int

    @inlinable
    init(key: Key, value: Value, bytes: Int, previous: Int, next: Int, usedIn: UInt32) {
      self.key = key
      self.value = value
      self.bytes = bytes
      self.previous = previous
      self.next = next
      self.usedIn = usedIn
    }
  }

  public let capacity: Int
  public let bytesMax: Int
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var indexes: [Key: Int] = [:]
  @usableFromInline var first = -1
  @usableFromInline var last = -1
  @usableFromInline var free = -1
  @usableFromInline var round: UInt32 = 0
  @usableFromInline var heldBytes = 0

  /// A cache for `capacity` values, at least one.
  public init(capacity: Int, bytesMax: Int = .max) {
    self.capacity = max(1, capacity)
    self.bytesMax = bytesMax
  }

  @inlinable public var count: Int { indexes.count }

  /// What the values count for together.
  @inlinable public var bytes: Int { heldBytes }

  /// The value for a key, which is then the one used last.
  @inlinable
  public mutating func value(for key: Key) -> Value? {
    // Most often it is the same as the last time.
    let isNewest = first >= 0 && slots[first].key == key
    guard let index = isNewest ? first : indexes[key] else { return nil }
    if index != first {
      unlink(index)
      linkFirst(index)
    }
    if slots[index].usedIn != round { slots[index].usedIn = round }
    return slots[index].value
  }

  /// Holds a value that counts for so many bytes; returns those that had to go, the key's former one among them.
  @inlinable
  @discardableResult
  public mutating func insert(_ value: Value, for key: Key, bytes size: Int = 0) -> [Value] {
    var dropped: [Value] = []
    if let former = remove(key) { dropped.append(former) }
    let size = max(0, size)
    while !indexes.isEmpty, indexes.count >= capacity || size > bytesMax - heldBytes {
      if let oldest = removeLast() { dropped.append(oldest) }
    }
    let slot = Slot(key: key, value: value, bytes: size, previous: -1, next: -1, usedIn: round)
    let index: Int
    if free >= 0 {
      index = free
      free = slots[index].next
      slots[index] = slot
    } else {
      index = slots.count
      slots.append(slot)
    }
    heldBytes += size
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

  /// Ends a round: drops what was not used in it, but for the `kept` values of `keptBytes` bytes together that were
  /// used last. Returns what it dropped.
  @discardableResult
  public mutating func endRound(keeping kept: Int, bytes keptBytes: Int = .max) -> [Value] {
    let ended = round
    round &+= 1
    return removeLast(while: { $0.usedIn != ended }, keeping: kept, keptBytes)
  }

  /// Drops all but the `kept` values of `keptBytes` bytes together that were used last.
  @discardableResult
  public mutating func shrink(to kept: Int, bytes keptBytes: Int = .max) -> [Value] {
    removeLast(while: { _ in true }, keeping: kept, keptBytes)
  }

  private mutating func removeLast(
    while isOld: (Slot) -> Bool, keeping kept: Int, _ keptBytes: Int
  ) -> [Value] {
    var dropped: [Value] = []
    while count > kept || heldBytes > keptBytes, last >= 0, isOld(slots[last]) {
      if let value = removeLast() { dropped.append(value) }
    }
    if slots.count > 4 * max(count, kept) { compact() }
    return dropped
  }

  /// Gives the memory of free slots back.
  private mutating func compact() {
    var index = last
    var small = BoundedCache(capacity: capacity, bytesMax: bytesMax)
    small.round = round
    while index >= 0 {
      let slot = slots[index]
      if let value = slot.value {
        small.insert(value, for: slot.key, bytes: slot.bytes)
        small.slots[small.first].usedIn = slot.usedIn
      }
      index = slot.previous
    }
    self = small
  }

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
    heldBytes -= slots[index].bytes
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
