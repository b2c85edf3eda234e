import Foundation
import Synchronization

/// Ends a program in which a default scope waits for itself, with a sentence. Without it the program would hang.
///
/// A `static let all` is made once, by the first who reads it. What needs the scope while it is made, on the same
/// thread, waits for ever, and nothing but time tells that from a value that takes long to make. Making one is a matter
/// of microseconds, so that the time which ends a program is some million times as long.
///
/// Always true: each table is watched once, while its scope is read for the first time, and one thread watches all of
/// them. Time in which the process is stopped does not count, because naps do.
enum ScopeWatch {
  private struct Watched {
    var seen: Set<ObjectIdentifier> = []
    var naps: [ObjectIdentifier: (table: any Table.Type, count: Int)] = [:]
    var hasThread = false
  }

  private static let watched = Mutex(Watched())

  /// Begins to watch a table whose scope was not read before, and returns true; then `end` is to be called.
  static func begin(_ table: any Table.Type) -> Bool {
    let key = ObjectIdentifier(table)
    if ReadScopes.contains(key) { return false }
    let (isFirst, needsThread) = watched.withLock { watched in
      guard watched.seen.insert(key).inserted else { return (false, false) }
      watched.naps[key] = (table, 0)
      defer { watched.hasThread = true }
      return (true, !watched.hasThread)
    }
    if needsThread { Thread.detachNewThread(watch) }
    return isFirst
  }

  /// The scope was read.
  static func end(_ table: any Table.Type) {
    let key = ObjectIdentifier(table)
    watched.withLock { $0.naps[key] = nil }
    ReadScopes.insert(key)
  }

  private static func watch() {
    while true {
      Thread.sleep(forTimeInterval: QueryLimits.scopeNapSeconds)
      let waiting: (any Table.Type)?? = watched.withLock { watched in
        if watched.naps.isEmpty {
          watched.hasThread = false
          return nil
        }
        for key in watched.naps.keys { watched.naps[key]?.count += 1 }
        return .some(watched.naps.values.first { $0.count >= QueryLimits.scopeNaps }?.table)
      }
      guard let waiting else { return }
      // The program ends because the thread that waits for itself never comes back to throw anything.
      if let waiting { fatalError(sentence(of: waiting.tableName)) }
    }
  }

  private static func sentence(of table: String) -> String {
    "The default scope of '\(table)' waits for itself: its 'static let all' has a join, a count or a common table of "
      + "'\(table)', which needs the default scope that is being made. Say 'unscoped' behind the name of the table "
      + "wherever 'all' reads it once more."
  }
}

/// Tables whose scopes were read, so that reading one once more takes no lock.
///
/// Always true: a place holds a table that is watched no longer. Two tables that share a place drive each other out,
/// and are looked for behind the lock.
private enum ReadScopes {
  // Safe because the places are made once and are never freed.
  nonisolated(unsafe) private static let places = {
    let places = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: QueryLimits.readScopePlaces)
    for index in 0..<QueryLimits.readScopePlaces { (places + index).initialize(to: Atomic(0)) }
    return places
  }()

  private static func place(of key: ObjectIdentifier) -> Int {
    // The lowest bits of an address are zero.
    Int(bitPattern: UInt(bitPattern: key) >> 4) & (QueryLimits.readScopePlaces - 1)
  }

  static func contains(_ key: ObjectIdentifier) -> Bool {
    places[place(of: key)].load(ordering: .relaxed) == UInt(bitPattern: key)
  }

  static func insert(_ key: ObjectIdentifier) {
    places[place(of: key)].store(UInt(bitPattern: key), ordering: .relaxed)
  }
}
