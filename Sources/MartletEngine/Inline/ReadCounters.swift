import Synchronization

/// What the readers of one database did. Any thread adds to the numbers; they are not read as of one moment.
final class ReadCounters: Sendable {
  let recoveries: Recoveries
  /// Snapshots that event loops opened; reads inside them are counted by the plans.
  let inlineSnapshots = Atomic<UInt64>(0)
  /// Reads that an event loop gave to the pool.
  let inlineDeclines = Atomic<UInt64>(0)
  /// Reads that ran on the pool.
  let poolReads = Atomic<UInt64>(0)
  let readTransactions = Atomic<UInt64>(0)
  /// Reads that had to begin again among the long ones.
  let putBack = Atomic<UInt64>(0)
  /// Paused streams that went on from memory, so that others had their connection.
  let copies = Atomic<UInt64>(0)
  /// Streams and transactions that lost their snapshot to a limit.
  let evictions = Atomic<UInt64>(0)

  init(recoveries: Recoveries = Recoveries()) { self.recoveries = recoveries }
}
