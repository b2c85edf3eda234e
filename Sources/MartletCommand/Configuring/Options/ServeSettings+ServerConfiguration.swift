import Logging
import MartletServer
import MartletValues

/// What a server is started with.
extension ServeSettings {
  func serverConfiguration() -> ServerConfiguration {
    var configuration = ServerConfiguration(
      directory: data ?? Self.standardData, loops: loops ?? 0, limits: serverLimits(),
      logger: Logger(label: "martlet"), readyFile: readyFile)
    configuration.denied = deny ?? []
    configuration.deniedOverTCP = denyTCP ?? []
    configuration.socketMode = socketMode ?? configuration.socketMode
    configuration.makesPageChecksums = pageChecksums ?? true
    configuration.keyFile = keyFile
    configuration.slowQueryMs = slowQueryMs
    configuration.isInsecure = isInsecure ?? false
    configuration.listen = listen ?? configuration.listen
    return configuration
  }

  private func serverLimits() -> Limits {
    var limits = Limits()
    limits.connectionsMax = limit(.connectionsMax)
    limits.helloDeadlineMs = limit(.helloDeadlineMs)
    limits.deadlineDefaultMs = limit(.deadlineMs)
    limits.deadlineMaxMs = limit(.deadlineMaxMs)
    limits.shutdownDrainMs = limit(.drainMs)
    limits.walBytesMax = limit(.walMib) << 20
    limits.walCheckpointBytes = min(limits.walCheckpointBytes, limits.walBytesMax / 4)
    // What names no deadline is a write, too, so the default must fit.
    limits.writeTimeMaxMs = min(max(limit(.writeTimeMaxMs), limits.deadlineDefaultMs), limits.deadlineMaxMs)
    limits.longWriteTurnMaxMs = min(limits.longWriteTurnMaxMs, limits.writeTimeMaxMs)
    limits.longWriteTurnMs = min(limits.longWriteTurnMs, limits.longWriteTurnMaxMs)
    limits.writeSliceMs = min(limits.writeSliceMs, limits.longWriteTurnMs)
    limits.transactionTotalMs = limit(.transactionMs)
    limits.transactionIdleMs = min(limits.transactionIdleMs, limits.transactionTotalMs)
    limits.pageCacheBytes = limit(.pageCacheMib) << 20
    limits.temporaryBytesMax = limit(.temporaryMib) << 20
    limits.schemaObjectsMax = limit(.schemaObjects)
    limits.memoryBudgetBytes = memory ?? 0
    return limits
  }
}
