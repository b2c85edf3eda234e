import MartletValues
import Synchronization

/// The numbers of one open database: what its writer, its readers and its plans have done.
///
/// Always true: names are stable, and each is reported once.
extension DatabaseFile {
  func counters() -> [EngineCounter] {
    writer.counters.values() + readCounters() + planCounters() + [
      EngineCounter("databases_open", 1, .gauge), EngineCounter("setups_open", Int64(scopes.count), .gauge),
    ]
  }

  private func readCounters() -> [EngineCounter] {
    let counters = parts.readCounters
    let pools = scopes.pools
    let now = configuration.clock()
    let age = pools.map { $0.oldestSnapshotAgeMs(now: now) }.max() ?? 0
    func sum(_ gauge: (ReaderPool) -> Int) -> Int64 { Int64(pools.reduce(0) { $0 &+ gauge($1) }) }
    return [
      EngineCounter("inline_snapshots", Self.read(counters.inlineSnapshots)),
      EngineCounter("inline_declines", Self.read(counters.inlineDeclines)),
      EngineCounter("pool_reads", Self.read(counters.poolReads)),
      EngineCounter("read_transactions", Self.read(counters.readTransactions)),
      EngineCounter("reads_put_back", Self.read(counters.putBack)),
      EngineCounter("stream_copies", Self.read(counters.copies)),
      EngineCounter("snapshot_evictions", Self.read(counters.evictions)),
      EngineCounter("connection_recoveries", Self.read(counters.recoveries.count)),
      EngineCounter("open_reads", sum(\.openReads), .gauge),
      EngineCounter("reader_connections_leased", sum(\.leasedCount), .gauge),
      EngineCounter("streams_paused", sum(\.pausedCount), .gauge),
      EngineCounter("read_queue_depth", sum(\.waitingCount), .gauge),
      EngineCounter("oldest_snapshot_age_ms", Int64(age), .maximum),
    ]
  }

  private func planCounters() -> [EngineCounter] {
    let counters = parts.plans.counters
    var sums = (executions: UInt64(0), errors: UInt64(0), rows: UInt64(0))
    let cached = parts.plans.plans
    for plan in cached {
      sums.executions &+= Self.read(plan.counters.executions)
      sums.errors &+= Self.read(plan.counters.errors)
      sums.rows &+= Self.read(plan.counters.rows)
    }
    return [
      EngineCounter("plan_hits", Self.read(counters.hits)), EngineCounter("plan_misses", Self.read(counters.misses)),
      EngineCounter("plan_decodes", Self.read(counters.decodes)),
      EngineCounter("plan_evictions", Self.read(counters.evictions)),
      EngineCounter("prepares", Self.read(counters.prepares)),
      EngineCounter("plans_cached", Int64(cached.count), .gauge),
      // Of the plans that are cached; those that were evicted took their counts with them.
      EngineCounter("statements", sums.executions), EngineCounter("statement_errors", sums.errors),
      EngineCounter("rows_returned", sums.rows),
    ]
  }

  func shapes() -> [ShapeStatistics] {
    parts.plans.plans.map { plan in
      ShapeStatistics(
        shape: plan.shape, database: name, sql: plan.sql, executions: Self.read(plan.counters.executions),
        errors: Self.read(plan.counters.errors), rows: Self.read(plan.counters.rows),
        microseconds: Self.read(plan.counters.nanoseconds) / 1_000)
    }
  }

  private static func read(_ counter: borrowing Atomic<UInt64>) -> UInt64 { counter.load(ordering: .relaxed) }
}
