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
      return DependencyStore.shared.value(of: key, in: saidContext)
    }
    set { changes[ObjectIdentifier(key)] = newValue }
  }

  /// A key as an argument of a key path.
  struct KeyName<Key: DependencyKey>: Hashable, Sendable {}

  subscript<Key: DependencyKey>(_ name: KeyName<Key>) -> Key.Value { self[Key.self] }

  /// The context that was said here; nil for the program's.
  private var saidContext: DependencyContext? { changes[ObjectIdentifier(ContextKey.self)] as? DependencyContext }

  func merging(_ other: DependencyValues) -> DependencyValues {
    if changes.isEmpty { return other }
    var merged = self
    merged.changes.merge(other.changes) { $1 }
    return merged
  }
}

/// What the whole program shares.
///
/// Always true: what was prepared comes before what keys say; a key's own value is made once for each context.
final class DependencyStore: Sendable {
  static let shared = DependencyStore()

  private struct Values {
    var prepared: [ObjectIdentifier: any Sendable] = [:]
    var made: [DependencyContext: [ObjectIdentifier: any Sendable]] = [:]
  }

  private let values = Mutex(Values())

  func prepare(_ changes: [ObjectIdentifier: any Sendable]) {
    values.withLock { values in values.prepared.merge(changes) { $1 } }
  }

  /// The prepared value, or the key's own for the context that was said or is the program's. It is made outside of the
  /// lock because it may read other dependencies.
  func value<Key: DependencyKey>(of key: Key.Type, in said: DependencyContext?) -> Key.Value {
    let id = ObjectIdentifier(key)
    let (known, context) = values.withLock { values -> (Key.Value?, DependencyContext) in
      let prepared = values.prepared[ObjectIdentifier(ContextKey.self)] as? DependencyContext
      let context = said ?? prepared ?? .current
      return ((values.prepared[id] ?? values.made[context]?[id]) as? Key.Value, context)
    }
    if let known { return known }
    let made = Key.value(in: context)
    return values.withLock { values in
      if let earlier = values.made[context]?[id] as? Key.Value { return earlier }
      values.made[context, default: [:]][id] = made
      return made
    }
  }
}
