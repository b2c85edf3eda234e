internal import Logging
internal import MartletEngine
internal import MartletValues
internal import Synchronization

/// Limits that change while the server runs.
///
/// Always true: what has begun ends under the limits that it began with; there are never more connections than the
/// system grants open files for.
extension Server {
  /// Takes limits into force that fit each other.
  func take(_ wanted: Limits) {
    var serving = ServingLimits(wanted)
    serving.connectionsMax = connectionsGranted(of: serving.connectionsMax)
    if serving.memoryBudgetBytes == 0 { serving.memoryBudgetBytes = MachineMemory.current.budgetBytes }
    memory.change(toBytes: serving.memoryBudgetBytes)
    limitsInForce.withLock { $0 = serving }
    context.engine.take(serving)
    loops.reloaded(serving)
  }

  /// Fewer than are wanted if the system grants open files for no more.
  private func connectionsGranted(of connections: Int) -> Int {
    // What the start shared out has room already.
    guard connections > configuration.limits.connectionsMax else { return connections }
    var limits = configuration.limits
    limits.connectionsMax = connections
    let (loops, addresses) = (shards.count, configuration.listen.count)
    let wanted = DescriptorPlan.wanted(by: limits, loops: loops, addresses: addresses)
    guard let (_, granted) = ProcessSetup.raiseDescriptorLimit(to: wanted), granted < wanted else { return connections }
    let room = DescriptorPlan.connections(granted: granted, limits: limits, loops: loops, addresses: addresses)
    let most = max(configuration.limits.connectionsMax, min(connections, room))
    context.logger.warning(
      "The limit on open files allows fewer connections than were configured: raise it, and restart",
      metadata: ["limit": .number(granted), "wanted": .number(wanted), "connections": .number(most)])
    return most
  }

  /// Says which parts of a configuration a reload does not take, if they differ from those of the start, and others
  /// that are known to differ.
  func noteWhatStays(of wanted: ServerConfiguration, and otherKeys: [String]) {
    let (limits, asked) = (wanted.limits, askedLimits)
    let parts: [(String, Bool)] = [
      ("listen", wanted.listen != configuration.listen), ("insecure", wanted.isInsecure != configuration.isInsecure),
      ("data", wanted.directory != configuration.directory), ("loops", wanted.loops != configuration.loops),
      ("socket-mode", wanted.socketMode != configuration.socketMode),
      ("page-checksums", wanted.makesPageChecksums != configuration.makesPageChecksums),
      ("key-file", wanted.keyFile != configuration.keyFile),
      ("ready-file", wanted.readyFile != configuration.readyFile),
      ("wal-mib", limits.walBytesMax != asked.walBytesMax),
      ("page-cache-mib", limits.pageCacheBytes != asked.pageCacheBytes),
      ("temporary-mib", limits.temporaryBytesMax != asked.temporaryBytesMax),
      ("schema-objects", limits.schemaObjectsMax != asked.schemaObjectsMax),
    ]
    let changed = parts.filter(\.1).map(\.0) + otherKeys
    guard !changed.isEmpty else { return }
    context.logger.warning(
      "Something of the configuration stays as it was: it is taken at a restart",
      metadata: ["keys": "\(changed.joined(separator: " "))"])
  }
}
