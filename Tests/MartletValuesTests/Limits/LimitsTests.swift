/// A server starts with limits that mean something and do not contradict one another.
import MartletValues
import Testing

@Suite struct LimitsTests {
  static var fields: [(name: String, path: WritableKeyPath<Limits, Int>)] {
    [
      ("frameBytesMax", \.frameBytesMax),
      ("frameBeforeHelloBytesMax", \.frameBeforeHelloBytesMax),
      ("decodedBytesMax", \.decodedBytesMax),
      ("connectionsMax", \.connectionsMax),
      ("requestsPerConnectionMax", \.requestsPerConnectionMax),
      ("transactionsPerConnectionMax", \.transactionsPerConnectionMax),
      ("helloDeadlineMs", \.helloDeadlineMs), ("openDeadlineMs", \.openDeadlineMs),
      ("handshakesMax", \.handshakesMax),
      ("handshakesPerSecondMax", \.handshakesPerSecondMax),
      ("frameCompletionDeadlineMs", \.frameCompletionDeadlineMs),
      ("connectionIdleMs", \.connectionIdleMs),
      ("outputPauseBytes", \.outputPauseBytes),
      ("outputStallMs", \.outputStallMs),
      ("shutdownDrainMs", \.shutdownDrainMs),
      ("watchdogMs", \.watchdogMs),
      ("shutdownCloseMs", \.shutdownCloseMs),
      ("lingerMs", \.lingerMs),
      ("sessionTickMs", \.sessionTickMs),
      ("inspectedShapesMax", \.inspectedShapesMax),
      ("inspectedSessionsMax", \.inspectedSessionsMax),
      ("memoryBudgetBytes", \.memoryBudgetBytes),
      ("memoryPauseMs", \.memoryPauseMs),
      ("idleCacheMs", \.idleCacheMs),
      ("idleReaderMs", \.idleReaderMs),
      ("idleReadersKept", \.idleReadersKept),
      ("inlineIdleCacheMs", \.inlineIdleCacheMs),
      ("cacheRoundMs", \.cacheRoundMs),
      ("idlePlansKept", \.idlePlansKept),
      ("idlePlanBytesKept", \.idlePlanBytesKept),
      ("idleStatementsKept", \.idleStatementsKept),
      ("idleStatementBytesKept", \.idleStatementBytesKept),
      ("statementBytesMax", \.statementBytesMax),
      ("nestingMax", \.nestingMax),
      ("nodesMax", \.nodesMax),
      ("listValuesMax", \.listValuesMax),
      ("listColumnsMax", \.listColumnsMax),
      ("bulkRowsMax", \.bulkRowsMax),
      ("parametersMax", \.parametersMax),
      ("joinsMax", \.joinsMax),
      ("resultColumnsMax", \.resultColumnsMax),
      ("sqlBytesMax", \.sqlBytesMax),
      ("valueBytesMax", \.valueBytesMax),
      ("batchStepsMax", \.batchStepsMax),
      ("setupStatementsMax", \.setupStatementsMax),
      ("setupBytesMax", \.setupBytesMax),
      ("longValueWorkMax", \.longValueWorkMax),
      ("expressionDepthMax", \.expressionDepthMax),
      ("compoundSelectsMax", \.compoundSelectsMax),
      ("statementOperationsMax", \.statementOperationsMax),
      ("functionArgumentsMax", \.functionArgumentsMax),
      ("functionGroupBytesMax", \.functionGroupBytesMax),
      ("triggerDepthMax", \.triggerDepthMax),
      ("likePatternBytesMax", \.likePatternBytesMax),
      ("patternWorkMax", \.patternWorkMax),
      ("patternWriteWorkMax", \.patternWriteWorkMax),
      ("compileMsMax", \.compileMsMax),
      ("compileWriteMsMax", \.compileWriteMsMax),
      ("schemaObjectsMax", \.schemaObjectsMax), ("schemaBytesMax", \.schemaBytesMax),
      ("rowBatchBytes", \.rowBatchBytes),
      ("creditDefaultBytes", \.creditDefaultBytes),
      ("creditMaxBytes", \.creditMaxBytes),
      ("returningBytesMax", \.returningBytesMax),
      ("deadlineDefaultMs", \.deadlineDefaultMs),
      ("deadlineMaxMs", \.deadlineMaxMs),
      ("writeTimeMaxMs", \.writeTimeMaxMs),
      ("writeSliceMs", \.writeSliceMs),
      ("longWriteTurnMs", \.longWriteTurnMs),
      ("longWriteTurnMaxMs", \.longWriteTurnMaxMs),
      ("longWriteSavedMs", \.longWriteSavedMs),
      ("longWriteSharePercent", \.longWriteSharePercent),
      ("transactionIdleMs", \.transactionIdleMs),
      ("transactionTotalMs", \.transactionTotalMs),
      ("transactionContendedIdleMs", \.transactionContendedIdleMs),
      ("transactionContendedIdleMinMs", \.transactionContendedIdleMinMs),
      ("transactionContendedTotalMs", \.transactionContendedTotalMs),
      ("pausedStreamMs", \.pausedStreamMs),
      ("databasesInDirectoryMax", \.databasesInDirectoryMax),
      ("databasesOpenMax", \.databasesOpenMax),
      ("databaseIdleMs", \.databaseIdleMs),
      ("readerConnectionsMax", \.readerConnectionsMax),
      ("readerThreads", \.readerThreads),
      ("heavyReadsMax", \.heavyReadsMax),
      ("streamCopyBytesMax", \.streamCopyBytesMax),
      ("streamCopiesBytesMax", \.streamCopiesBytesMax),
      ("setupsPerDatabaseMax", \.setupsPerDatabaseMax),
      ("setupIdleMs", \.setupIdleMs),
      ("setupReaderConnectionsMax", \.setupReaderConnectionsMax),
      ("inlineStepsMax", \.inlineStepsMax),
      ("loopTurnMicroseconds", \.loopTurnMicroseconds),
      ("loopNewShapesPercent", \.loopNewShapesPercent),
      ("loopNewShapesSavedMicroseconds", \.loopNewShapesSavedMicroseconds),
      ("inlineSnapshotMs", \.inlineSnapshotMs),
      ("progressSteps", \.progressSteps),
      ("inlineMicrosecondsMax", \.inlineMicrosecondsMax),
      ("inlineStopMicroseconds", \.inlineStopMicroseconds),
      ("inlineArgumentBytesMax", \.inlineArgumentBytesMax),
      ("inlineValueBytesMax", \.inlineValueBytesMax),
      ("inlineStatementBytesMax", \.inlineStatementBytesMax),
      ("inlineListValuesMax", \.inlineListValuesMax),
      ("busyTimeoutMs", \.busyTimeoutMs),
      ("readQueueMax", \.readQueueMax),
      ("plansMax", \.plansMax),
      ("planQueueMax", \.planQueueMax),
      ("planBytesMax", \.planBytesMax),
      ("statementsPerConnectionMax", \.statementsPerConnectionMax),
      ("statementBytesPerConnectionMax", \.statementBytesPerConnectionMax),
      ("writeQueueMax", \.writeQueueMax),
      ("groupMembersMax", \.groupMembersMax),
      ("groupBytesMax", \.groupBytesMax),
      ("commitTablesMax", \.commitTablesMax),
      ("walCheckpointBytes", \.walCheckpointBytes),
      ("walBytesMax", \.walBytesMax),
      ("pageCacheBytes", \.pageCacheBytes),
      ("inlinePageCacheBytes", \.inlinePageCacheBytes),
      ("diskFreeBytesMin", \.diskFreeBytesMin), ("temporaryBytesMax", \.temporaryBytesMax),
    ]
  }

  /// Nothing to wait for, to cache or to collect; no budget but what there is.
  static let mayBeZero: Set = [
    "memoryBudgetBytes", "shutdownDrainMs", "shutdownCloseMs", "busyTimeoutMs", "pageCacheBytes",
    "inlinePageCacheBytes",
    "functionGroupBytesMax",
  ]

  @Test func `no more than those may be 0`() {
    for (name, path) in Self.fields {
      var limits = Limits()
      limits[keyPath: path] = 0
      #expect((limits.check() == nil) == Self.mayBeZero.contains(name), "\(name)")
    }
  }

  @Test func `those that nobody changed hold`() {
    #expect(Limits().check() == nil)
    for bytes in [64 << 20, 256 << 20, 4 << 30] {
      var limits = Limits()
      limits.fit(memoryBudgetBytes: bytes)
      #expect(limits.check() == nil, "a budget of \(bytes)")
    }
  }

  @Test func `a row that can be stored fits a frame of rows, and limits that let one grow beyond it are refused`() {
    var limits = Limits()
    #expect(limits.rowBytesMax >= limits.valueBytesMax + 8 * (limits.resultColumnsMax + 1))
    limits.valueBytesMax = limits.rowBytesMax
    #expect(limits.check() == "valueBytesMax must leave room for a row of it in frameBytesMax")
  }

  @Test func `temporary files leave half of the room that there is, and have a mebibyte at least`() {
    for (free, wanted) in [
      (UInt64(0), 1 << 20), (3 << 20, 3 << 19), (4 << 30, 2 << 30), (1 << 40, Limits().temporaryBytesMax),
      (.max, Limits().temporaryBytesMax),
    ] {
      var limits = Limits()
      limits.fit(freeForTemporaryFiles: free)
      #expect(limits.temporaryBytesMax == wanted && limits.check() == nil, "\(free)")
    }
  }

  @Test func `every number is checked, and there is no other`() {
    #expect(Mirror(reflecting: Limits()).children.compactMap(\.label) == Self.fields.map(\.name))
    for (name, path) in Self.fields {
      for number in [0, -1, Int.min, Int.max] where number != 0 || !Self.mayBeZero.contains(name) {
        var limits = Limits()
        limits[keyPath: path] = number
        #expect(limits.check()?.contains(name) == true, "\(name) = \(number): \(limits.check() ?? "taken")")
      }
    }
  }
}
