import Synchronization

/// Dependencies by their keys: what `@Dependency` reads and `withDependencies` replaces.
///
/// Always true: a value of this type holds only what differs from the program's own dependencies, which live in one
/// place behind a lock.
public struct DependencyValues: Sendable {
  @TaskLocal static var current = DependencyValues()

  var changes: [ObjectIdentifier: any Sendable] = [:]

  /// No value of its own: each key has its default.
  public init() {}

  /// The value of a key, or its default.
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      if let value = changes[ObjectIdentifier(key)] as? Key.Value { return value }
      return DependencyStore.shared.value(of: key)
    }
    set { changes[ObjectIdentifier(key)] = newValue }
  }

  /// A key as an argument of a key path.
  struct KeyName<Key: DependencyKey>: Hashable, Sendable {}

  subscript<Key: DependencyKey>(_ name: KeyName<Key>) -> Key.Value { self[Key.self] }

  func merging(_ other: DependencyValues) -> DependencyValues {
    if changes.isEmpty { return other }
    var merged = self
    merged.changes.merge(other.changes) { $1 }
    return merged
  }
}

/// What the whole program shares.
final class DependencyStore: Sendable {
  static let shared = DependencyStore()

  private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

  func prepare(_ changes: [ObjectIdentifier: any Sendable]) {
    values.withLock { values in values.merge(changes) { $1 } }
  }

  /// The prepared value, or the key's own, which is made outside of the lock because it may read other dependencies.
  func value<Key: DependencyKey>(of key: Key.Type) -> Key.Value {
    let id = ObjectIdentifier(key)
    if let value = values.withLock({ $0[id] }) as? Key.Value { return value }
    let made = Key.liveValue
    return values.withLock { values in
      if let earlier = values[id] as? Key.Value { return earlier }
      values[id] = made
      return made
    }
  }
}
