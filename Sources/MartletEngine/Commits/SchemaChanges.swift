import MartletValues
import Synchronization

/// The changes of one database's schema, as its writer makes them and its readers meet them.
///
/// Always true: `count` grows with each commit that may have changed the schema, before the commit has its number; so a
/// connection that read the schema at some count need not look again while it is the same.
package final class SchemaChanges: Sendable {
  private let changes = Atomic<UInt64>(0)
  private let pace = Mutex(SchemaPace())

  init() {}

  var count: UInt64 { changes.load(ordering: .acquiring) }

  /// On the writer's thread: a statement that changes the schema has run for the session.
  func ran(for session: UInt64, at now: MonotonicTime) { pace.withLock { $0.changed(by: session, at: now) } }

  /// The session wanted to change the schema, and could not.
  func wants(_ session: UInt64, at now: MonotonicTime) { pace.withLock { $0.wanted(by: session, at: now) } }

  /// On the writer's thread, after a commit that holds such a statement.
  func committed() { changes.wrappingAdd(1, ordering: .releasing) }

  /// A connection has read the schema anew for the session, or for all, which took as much processor time.
  func wasRead(_ nanoseconds: UInt64, by session: UInt64?, at now: MonotonicTime) {
    pace.withLock { $0.wasRead(nanoseconds, by: session, at: now) }
  }

  /// The moment from which the schema may be changed.
  var freeAt: MonotonicTime { pace.withLock { $0.freeAt } }

  func isChanger(_ session: UInt64, at now: MonotonicTime) -> Bool {
    pace.withLock { $0.isChanger(session, at: now) }
  }
}
