import MartletSQLite
import MartletValues

/// What bounds a program that opens a file by itself.
extension Limits {
  /// The limits of a file of this process. Nobody else shares the process's memory and time, so the bounds are SQLite's
  /// own, and what a program configures.
  init(ofFileWith configuration: Configuration) {
    self.init()
    // As in `Limits.swift`, for a file that only this process bounds.
    valueBytesMax = 1_000_000_000
    statementBytesMax = 64 << 20
    sqlBytesMax = 64 << 20
    nodesMax = 1_000_000
    listValuesMax = 100_000_000
    bulkRowsMax = 100_000_000
    parametersMax = SQLiteLimits.parameterNumberMax
    joinsMax = 63
    statementOperationsMax = 250_000_000
    longValueWorkMax = .max
    patternWorkMax = .max
    patternWriteWorkMax = .max
    compoundSelectsMax = 500
    functionArgumentsMax = 127
    likePatternBytesMax = 50_000
    triggerDepthMax = 1_000
    deadlineMaxMs = .max
    statementsPerConnectionMax = max(1, configuration.maximumStatementCount)
    pageCacheBytes = configuration.pageCacheBytes
    busyTimeoutMs = configuration.busyTimeoutMs
    functionGroupBytesMax = max(0, configuration.maximumGroupBytes)
  }
}
