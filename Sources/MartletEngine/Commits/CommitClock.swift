import MartletValues
import Synchronization

/// Numbers the commits of one database, and tells any thread the number of the last one with one load.
///
/// Always true: it grows by one per commit, after the commit is durable and before any reply to it leaves; so a
/// snapshot begun after reading a number holds that commit. Before the first commit of an opening it stands at a number
/// that is not below any that was told before.
package final class CommitClock: Sendable {
  /// Makes the fact durable that numbers up to this one may have been given. Throws what went wrong.
  typealias Record = @Sendable (_ through: UInt64) throws(RequestError) -> Void

  /// What changes of the schema cost the database's readers.
  let schema = SchemaChanges()
  private let count: Atomic<UInt64>
  private let state: Mutex<CommitSequence>
  private let record: Record?
  private let wallClock: @Sendable () -> UInt64

  /// `recorded`: the bound of a former opening. Without `record` only the clock keeps numbers growing over openings; it
  /// returns microseconds since 1970.
  init(recorded: UInt64 = 0, wallClock: @escaping @Sendable () -> UInt64 = { 0 }, record: Record?) {
    let sequence = CommitSequence(recorded: recorded)
    count = Atomic(sequence.last)
    state = Mutex(sequence)
    self.wallClock = wallClock
    self.record = record
  }

  package convenience init(wallClock: @escaping @Sendable () -> UInt64 = { 0 }) {
    self.init(wallClock: wallClock, record: nil)
  }

  package var sequence: UInt64 { count.load(ordering: .acquiring) }

  /// On the writer's thread, before each commit: makes sure that it has a number. Throws if that cannot be made
  /// durable; then nothing may be committed.
  func reserve() throws(RequestError) {
    guard let next = state.withLock({ $0.isExhausted ? $0.reservation(microseconds: wallClock()) : nil }) else {
      return
    }
    try record?(next.through)
    state.withLock { $0.reserved(next) }
  }

  /// A commit has become durable; returns its number.
  @discardableResult
  func advance() -> UInt64 {
    state.withLock { sequence in
      if record == nil, let next = sequence.reservation(microseconds: wallClock()) { sequence.reserved(next) }
      let number = sequence.advanced()
      count.store(number, ordering: .releasing)
      return number
    }
  }
}
