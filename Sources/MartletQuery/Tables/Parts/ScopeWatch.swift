#if DEBUG
  import Foundation
  import Synchronization

  /// Ends a program in which a default scope waits for itself, with a sentence. Without it the program would hang.
  ///
  /// A `static let all` is made once, by the first who reads it. What needs the scope while it is made, on the same
  /// thread, waits for ever, and nothing but time tells that from a value that takes long to make. So this is in builds
  /// for debugging only, where a program meets its scopes first.
  ///
  /// Always true: each table is watched once. Time in which the process is stopped does not count, because naps do.
  final class ScopeWatch: Sendable {
    private static let tables = Mutex<Set<ObjectIdentifier>>([])
    private let isRead = Atomic(false)

    /// Begins to watch; nil if the table's scope was read before.
    init?<T: Table>(ofFirstReading table: T.Type) {
      guard Self.tables.withLock({ $0.insert(ObjectIdentifier(table)).inserted }) else { return nil }
      Thread.detachNewThread { [self] in
        for _ in 0..<QueryLimits.scopeNaps {
          if isRead.load(ordering: .acquiring) { return }
          Thread.sleep(forTimeInterval: QueryLimits.scopeNapSeconds)
        }
        guard !isRead.load(ordering: .acquiring) else { return }
        // The program ends because the thread that waits for itself never comes back to throw anything.
        fatalError(Self.sentence(of: T.tableName))
      }
    }

    /// The scope was read.
    func end() { isRead.store(true, ordering: .releasing) }

    private static func sentence(of table: String) -> String {
      "The default scope of '\(table)' waits for itself: its 'static let all' has a join, a count or a common table of "
        + "'\(table)', which needs the default scope that is being made. Say 'unscoped' behind the name of the table "
        + "wherever 'all' reads it once more."
    }
  }
#endif
