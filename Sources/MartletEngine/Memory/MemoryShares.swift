/// How a budget of memory is shared: what one holder may have, given what all have.
///
/// Always true: a holder's share shrinks as the others' use grows, so that there is room left however many come; the
/// last fifth of the budget is for small holders alone.
package struct MemoryShares: Sendable, Equatable {
  package let budgetBytes: Int

  package init(budgetBytes: Int) { self.budgetBytes = budgetBytes }

  /// What one holder may have while all together have `totalBytes`: an eighth of what is left for large ones.
  ///
  /// Alone a holder comes to a ninth of that, eight holders to a half together, and each that comes later finds an
  /// eighth of the rest. The same holds for small holders and the last fifth, of which one may have a 256th.
  package func allowanceBytes(totalBytes: Int) -> Int {
    let left = max(0, largeBytes - totalBytes)
    let rest = max(0, budgetBytes - totalBytes)
    return max(
      EngineLimits.memoryShareBytesMin, left / EngineLimits.memoryLargeParts,
      min(EngineLimits.memorySmallBytes, rest / EngineLimits.memorySmallParts))
  }

  /// What SQLite may take in large pieces for one statement that begins now: half of what is left for large holders, so
  /// that each of several finds something, and together they leave the last fifth.
  package func statementBytes(totalBytes: Int) -> Int {
    max(EngineLimits.statementMemoryBytesMin, (largeBytes - min(totalBytes, largeBytes)) / 2)
  }

  /// What large holders may have together.
  private var largeBytes: Int { budgetBytes / 5 * 4 }

  /// Whether large holders have to wait.
  package func isTight(totalBytes: Int) -> Bool { totalBytes > largeBytes / 8 * 7 }

  /// Whether SQLite should give up pages that it only keeps for later.
  package func wantsSmallerCaches(sqliteBytes: Int, totalBytes: Int) -> Bool {
    sqliteBytes > budgetBytes / 2 || (sqliteBytes > budgetBytes / 8 && totalBytes > budgetBytes / 5 * 3)
  }
}
