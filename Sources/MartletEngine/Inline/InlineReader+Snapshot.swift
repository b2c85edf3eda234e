import MartletSQLite
import Synchronization

/// The transaction that the reads of a loop are in.
extension InlineReader {
  /// The snapshot that the reads of one event loop share, on the loop's own connection.
  ///
  /// Always true: used on one thread; whether it is open is what SQLite says, never what was asked for; while it is
  /// open it holds every commit up to its number.
  struct Snapshot {
    private(set) var isOpen = false
    /// The last commit that was numbered before it was taken.
    private(set) var sequence: UInt64 = 0

    private let connection: Connection
    private let counters: ReadCounters
    private let begin: Statement
    private let commit: Statement
    private let rollBack: Statement

    init(on connection: Connection, counters: ReadCounters) throws(SQLiteError) {
      self.connection = connection
      self.counters = counters
      begin = try connection.prepare(TransactionSQL.begin, for: .engine)
      commit = try connection.prepare(TransactionSQL.commit, for: .engine)
      rollBack = try connection.prepare(TransactionSQL.rollBack, for: .engine)
    }

    /// Makes the snapshot hold all commits that have a number by now. False if there is none now, so that the read is
    /// for the pool.
    @inline(__always)
    mutating func renew(_ commits: CommitClock) -> Bool {
      let latest = commits.sequence
      if isOpen && latest == sequence { return true }
      return open(latest)
    }

    private mutating func open(_ latest: UInt64) -> Bool {
      if isOpen { close() }
      if !connection.isAutocommit {
        close()
        counters.recoveries.recovered(connection.label, "a snapshot was open before one was to be taken")
      }
      // SQLite takes the snapshot at the first read that follows, so it holds at least what was numbered by now.
      let isBegun = (try? begin.step()) != nil
      begin.reset()
      guard isBegun, !connection.isAutocommit else {
        // An interrupted BEGIN may have opened its transaction.
        close()
        return false
      }
      isOpen = true
      sequence = latest
      counters.inlineSnapshots.wrappingAdd(1, ordering: .relaxed)
      return true
    }

    /// Ending a read transaction writes nothing, so it should not fail. If it does, the next call tries again.
    mutating func close() {
      if !connection.isAutocommit {
        _ = try? commit.step()
        commit.reset()
      }
      if !connection.isAutocommit {
        _ = try? rollBack.step()
        rollBack.reset()
      }
      isOpen = !connection.isAutocommit
    }
  }
}
