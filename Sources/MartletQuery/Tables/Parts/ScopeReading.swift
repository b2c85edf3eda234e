import Foundation

/// A table whose default scope a thread is reading.
///
/// Always true: a thread's readings are linked from the innermost outwards, and each lives on the stack of the call
/// that reads.
private struct ScopeReading {
  let table: ObjectIdentifier
  let outer: UnsafePointer<ScopeReading>?

  /// Under what each thread keeps its innermost reading.
  static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key, nil)
    precondition(code == 0, "The process has no thread-specific key left (pthread_key_create returned \(code)).")
    return key
  }()

  static var innermost: UnsafePointer<ScopeReading>? {
    // Safe because nothing else is ever stored under the key.
    UnsafePointer(pthread_getspecific(key)?.assumingMemoryBound(to: ScopeReading.self))
  }

  /// True if the thread reads the scope of the table already.
  static func isReading(_ table: ObjectIdentifier) -> Bool {
    var reading = innermost
    while let one = reading {
      if one.pointee.table == table { return true }
      reading = one.pointee.outer
    }
    return false
  }
}

extension Table {
  /// The clauses of its default scope; nil if it has none. A scope that is made of a query which needs the scope first
  /// would be read for ever: such a query is refused when it is built.
  static var scopeParts: SelectParts? {
    let table = ObjectIdentifier(Self.self)
    if ScopeReading.isReading(table) { return refusedScope }
    let outer = ScopeReading.innermost
    let reading = ScopeReading(table: table, outer: outer)
    let isWatched = ScopeWatch.begin(Self.self)
    defer { if isWatched { ScopeWatch.end(Self.self) } }
    return withUnsafePointer(to: reading) { pointer in
      // Safe because the thread forgets the pointer before the call ends, and nobody writes through it.
      pthread_setspecific(ScopeReading.key, pointer)
      defer { pthread_setspecific(ScopeReading.key, outer) }
      return defaultScope.parts?.withScopesOfQueries
    }
  }

  private static var refusedScope: SelectParts {
    let reason =
      "The default scope of '\(tableName)' reads '\(tableName)' by its default scope, which would never end. Say "
      + "'unscoped' in 'all', behind the name of the table, wherever it reads the table once more."
    var parts = SelectParts()
    parts.predicates = [.bind(.invalid(QueryBindingFailure(reason)))]
    return parts
  }
}
