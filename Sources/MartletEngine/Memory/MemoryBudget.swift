import MartletSQLite

/// The memory that this process may use for what others ask of it: requests, results, SQLite's values and caches.
///
/// Always true: there is one for the process, because there is one memory; it is the largest of the servers' claims.
/// Holders report in steps, so threads rarely contend for it.
package enum MemoryBudget {
  /// `Int.max` before the first server of the process says how much it may use.
  package static var bytes: Int { ProcessMemory.limitBytes }

  package static var shares: MemoryShares { MemoryShares(budgetBytes: ProcessMemory.limitBytes) }

  /// What one holder may have at this moment.
  package static var allowanceBytes: Int { shares.allowanceBytes(totalBytes: ProcessMemory.totalBytes) }

  /// What SQLite may take for one statement that begins at this moment; `Int.max` without a budget.
  package static var statementBytes: Int {
    bytes == .max ? .max : shares.statementBytes(totalBytes: ProcessMemory.totalBytes)
  }

  /// Whether large holders have to wait, so that it is better to take little at a time.
  package static var isTight: Bool { shares.isTight(totalBytes: ProcessMemory.totalBytes) }

  package static var totalBytes: Int { ProcessMemory.totalBytes }

  /// Whether connections that have nothing to do should let go of their page caches at once.
  package static var wantsSmallerCaches: Bool {
    shares.wantsSmallerCaches(sqliteBytes: ProcessMemory.sqliteBytes, totalBytes: ProcessMemory.totalBytes)
  }

  /// Gauges and totals, with stable names.
  package static var counters: [(name: String, value: Int64)] {
    [
      ("memory_budget_bytes", Int64(clamping: bytes == .max ? 0 : bytes)),
      ("memory_held_bytes", Int64(clamping: ProcessMemory.heldBytes)),
      ("memory_sqlite_bytes", Int64(clamping: ProcessMemory.sqliteBytes)),
      ("memory_sqlite_refusals", Int64(clamping: ProcessMemory.refusalCount)),
      ("temporary_file_bytes", Int64(clamping: TemporaryFiles.usedBytes)),
      ("temporary_file_refusals", Int64(clamping: TemporaryFiles.refusalCount)),
    ]
  }
}
