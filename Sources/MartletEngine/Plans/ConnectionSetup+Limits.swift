package import MartletSQLite
package import MartletValues

/// What a server's limits mean for one of its connections.
///
/// Always true: SQLite's own limits are never below what the engine lets through, so an error names the engine's limit.
extension ConnectionSetup {
  package init(limits: Limits) {
    self.init()
    valueBytesMax = limits.valueBytesMax
    sqlBytesMax = limits.sqlBytesMax
    columnsMax = max(limits.resultColumnsMax, 1)
    parametersMax = limits.parametersMax
    pageCacheBytes = limits.pageCacheBytes
    progressSteps = limits.progressSteps
    journalBytesMax = limits.logBytesKept
    expressionDepthMax = limits.expressionDepthMax
    compoundSelectsMax = limits.compoundSelectsMax
    operationsMax = limits.statementOperationsMax
    functionArgumentsMax = limits.functionArgumentsMax
    triggerDepthMax = limits.triggerDepthMax
    likePatternBytesMax = limits.likePatternBytesMax
    patternWorkMax = limits.patternWorkMax
    patternWriteWorkMax = limits.patternWriteWorkMax
    compileMicrosecondsMax = limits.compileMsMax * 1_000
    compileWriteMicrosecondsMax = limits.compileWriteMsMax * 1_000
    busyTimeoutMs = limits.busyTimeoutMs
  }
}

extension Limits {
  /// A log that had become longer is cut: to nothing when it has been copied, or if a reader uses it then, to this when
  /// it begins anew.
  var logBytesKept: Int { walBytesMax / 4 }
}
