/// The numbers of one open database: what its writer, its readers and its plans have done.
///
/// Always true: names are stable, and each is reported once.
import MartletAST
import Synchronization

extension Database {
  func counters() -> [EngineCounter] {
    writer.counters.values() + readCounters() + planCounters() + [EngineCounter("databases_open", 1, .gauge)]
  }

  private func readCounters() -> [EngineCounter] {
    let counters = pool.context.counters
    let age = pool.oldestSnapshotAgeMs(now: configuration.clock())
    return [
      EngineCounter("inline_snapshots", Self.read(counters.inlineSnapshots)),
      EngineCounter("inline_declines", Self.read(counters.inlineDeclines)),
      EngineCounter("pool_reads", Self.read(counters.poolReads)),
      EngineCounter("read_transactions", Self.read(counters.readTransactions)),
      EngineCounter("snapshot_evictions", Self.read(counters.evictions)),
      EngineCounter("open_reads", Int64(pool.openReads), .gauge),
      EngineCounter("reader_connections_leased", Int64(pool.leasedCount), .gauge),
      EngineCounter("read_queue_depth", Int64(pool.waitingCount), .gauge),
      EngineCounter("oldest_snapshot_age_ms", Int64(age), .maximum),
    ]
  }

  private func planCounters() -> [EngineCounter] {
    let counters = plans.counters
    var sums = (executions: UInt64(0), errors: UInt64(0), rows: UInt64(0))
    let cached = plans.plans
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
    plans.plans.map { plan in
      ShapeStatistics(
        shape: plan.shape, database: name, sql: plan.sql, executions: Self.read(plan.counters.executions),
        errors: Self.read(plan.counters.errors), rows: Self.read(plan.counters.rows),
        microseconds: Self.read(plan.counters.nanoseconds) / 1_000)
    }
  }

  private static func read(_ counter: borrowing Atomic<UInt64>) -> UInt64 { counter.load(ordering: .relaxed) }
}
