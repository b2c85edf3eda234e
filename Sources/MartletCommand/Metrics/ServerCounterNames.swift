/// What each of the server's counters counts, and which of them may go down.
///
/// Always true: a test compares the names with what a server counts, and the words with docs/METRICS.md.
enum ServerCounterNames {
  static func isGauge(_ name: String) -> Bool { gauges.contains(name) }

  /// In a few words, which counters of one kind share.
  static func meaning(of name: String) -> String {
    let group = meanings.first { $0.names.contains { $0.hasSuffix("…") ? name.hasPrefix($0.dropLast()) : name == $0 } }
    return group?.words ?? ""
  }

  /// A name that ends in three dots stands for all that begin so.
  static let meanings: [(names: [String], words: String)] = [
    (["connections_accepted", "connections_refused", "closed_…"], "connections, and why they ended"),
    (
      ["identities_refused", "handshakes_failed"],
      "hellos of somebody who is not known here; connections whose TLS failed"
    ),
    (["quota_refusals"], "requests and connections that a role's quota refused or ended"),
    (
      ["audit_events", "audit_events_lost", "audit_write_failures"],
      "lines of the audit log, events that had no room there, writes that failed"
    ),
    (["frames_received", "frames_refused", "bytes_received", "bytes_sent"], "messages and bytes"),
    (["requests", "requests_inline", "rows_sent"], "requests, those answered on an event loop, rows in answers"),
    (
      ["memory_pauses", "memory_refusals", "memory_sqlite_refusals"],
      "clients that waited or were refused for want of memory"
    ),
    (["temporary_file_refusals"], "statements that were refused room for temporary files"),
    (
      ["write_requests", "write_rows", "write_bytes_returned", "commits"],
      "writes, the rows that their statements changed (also if that was rolled back), bytes of rows that they returned, "
        + "commits"
    ),
    (
      ["group_commits", "group_members", "group_size_…", "group_reruns"],
      "commits that writes shared, and how many did"
    ),
    (["writes_undone_for_others", "long_write_turns"], "long writes that let others pass"),
    (["checkpoints", "checkpoint_failures"], "copies of the log into the database"),
    (["fences", "file_faults"], "databases that stopped taking writes; of those, because of their files"),
    (["disk_refusals"], "writes that were refused because the disk was almost full"),
    (
      [
        "inline_snapshots", "inline_declines", "pool_reads", "read_transactions", "reads_put_back", "stream_copies",
        "snapshot_evictions",
      ],
      "reads"
    ),
    (["connection_recoveries"], "connections to SQLite that had to be put in order"),
    (["plan_hits", "plan_misses", "plan_decodes", "plan_evictions", "prepares"], "the plan cache"),
    (["threads_stuck"], "threads that did not come back in time"),
    (["connections", "databases_open", "setups_open", "uptime_ms"], "what is open now; how long the server has run"),
    (
      ["open_reads", "reader_connections_leased", "streams_paused", "read_queue_depth"],
      "reads that run, wait for their client, or wait for their turn"
    ),
    (
      ["write_queue_depth", "open_write_transactions", "group_members_max"],
      "writes that wait; the largest group so far"
    ),
    (["wal_bytes", "oldest_snapshot_age_ms"], "the logs, and the oldest read that keeps one"),
    (["databases_fenced", "threads_stuck_now"], "more than 0 is trouble"),
    (["plans_cached", "statements", "statement_errors", "rows_returned"], "of the plans that are cached now"),
    (["memory_budget_bytes", "memory_held_bytes", "memory_sqlite_bytes"], "memory"),
    (["temporary_file_bytes"], "what statements have in temporary files"),
  ]

  /// Counters of the moment. Any other only grows until the server ends.
  static let gauges: Set<String> = [
    "connections", "databases_open", "setups_open", "open_reads", "reader_connections_leased", "streams_paused",
    "read_queue_depth", "oldest_snapshot_age_ms", "plans_cached", "wal_bytes", "open_write_transactions",
    "write_queue_depth", "databases_fenced", "group_members_max", "statements", "statement_errors", "rows_returned",
    "memory_budget_bytes", "memory_held_bytes", "memory_sqlite_bytes", "temporary_file_bytes", "threads_stuck_now",
    "uptime_ms",
  ]
}
