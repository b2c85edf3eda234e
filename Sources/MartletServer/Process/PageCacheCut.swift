internal import Logging
internal import MartletValues

/// How much less than its limit says the page cache of a connection has, because memory is short.
///
/// Always true: pure; there is none if the page cache is as large as was asked for.
struct PageCacheCut: Equatable {
  var configuredBytes: Int
  var bytes: Int
  /// The least budget of memory with which nothing would be cut.
  var memoryBytesNeeded: Int
  /// An operator asked for so much: what holds if nobody says anything is cut on any small machine.
  var isOfOperator: Bool

  /// `fitted`: the limits that were asked for, when they had been made to fit the budget.
  init?(asked: Limits, fitted: Limits) {
    guard fitted.pageCacheBytes < asked.pageCacheBytes else { return nil }
    configuredBytes = asked.pageCacheBytes
    bytes = fitted.pageCacheBytes
    let (needed, overflow) = configuredBytes.multipliedReportingOverflow(by: Limits.pageCacheBudgetDivisor)
    memoryBytesNeeded = overflow ? .max : needed
    isOfOperator = asked.pageCacheBytes > Limits().pageCacheBytes
  }

  var level: Logger.Level { isOfOperator ? .warning : .info }

  static let message: Logger.Message =
    "The page cache has at most a 64th of memory, which is less than was configured: raise memory, and restart"

  var metadata: Logger.Metadata {
    [
      "configured_bytes": .number(configuredBytes), "page_cache_bytes": .number(bytes),
      "memory_bytes_needed": .number(memoryBytesNeeded),
    ]
  }
}
