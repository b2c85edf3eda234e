/// Which of the server's counters may go down, and what each means in a few words.
///
/// Always true: a test compares the list with what a server counts.
enum ServerCounterNames {
  static func isGauge(_ name: String) -> Bool { gauges.contains(name) }

  /// Of the moment. What is not here only grows until the server ends.
  static let gauges: Set<String> = [
    "connections", "databases_open", "setups_open", "open_reads", "reader_connections_leased", "streams_paused",
    "read_queue_depth", "oldest_snapshot_age_ms", "plans_cached", "wal_bytes", "open_write_transactions",
    "write_queue_depth", "databases_fenced", "group_members_max", "statements", "statement_errors", "rows_returned",
    "memory_budget_bytes", "memory_held_bytes", "memory_sqlite_bytes", "threads_stuck_now", "uptime_ms",
  ]
}
