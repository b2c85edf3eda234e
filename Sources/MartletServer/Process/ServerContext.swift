internal import Foundation
internal import Logging
internal import MartletEngine
internal import MartletLoop
internal import MartletProtocol
internal import MartletValues
internal import Synchronization

/// What all loops of a server read: engine, limits, greeting, log.
///
/// Always true: immutable after the start, but for the list of loops, which is complete before anybody connects.
final class ServerContext: Sendable {
  let limits: Limits
  private let access: AccessRules
  let engine: Engine
  let logger: Logger
  let greeting: HelloReply
  /// Threads that do not come back now, and all that ever did not.
  let stuckThreads = Atomic<Int>(0)
  let stuckThreadsTotal = Atomic<Int>(0)
  private let isUnfencing = Atomic<Bool>(false)
  let administrator = Administrator()
  let slowQueries: SlowQueries?
  let startedAt = LoopShard.now
  private let shards = Mutex<[LoopShard]>([])

  init(
    limits: Limits, engine: Engine, logger: Logger, access: AccessRules = AccessRules(), slowQueryMs: Int? = nil
  ) {
    self.limits = limits
    self.access = access
    self.engine = engine
    self.logger = logger
    slowQueries = slowQueryMs.map { SlowQueries(thresholdMs: $0, engine: engine, logger: logger) }
    greeting = HelloReply(
      server: Server.version, sqlite: Engine.sqliteVersion, frameBytesMax: UInt32(clamping: limits.frameBytesMax),
      requestsMax: UInt32(clamping: limits.requestsPerConnectionMax),
      creditBytesMax: UInt64(clamping: limits.creditMaxBytes),
      creditBytesDefault: UInt32(clamping: limits.creditDefaultBytes), countsRequired: true)
  }

  /// Who is at the other end of a socket, and what the operator lets it do.
  func subject(of peer: Peer, isPipe: Bool) -> Subject { access.subject(of: peer, isPipe: isPipe) }

  func setShards(_ loops: [LoopShard]) { shards.withLock { $0 = loops } }

  var counters: [(name: String, value: Int64)] {
    ServerCounters.totals(of: shards.withLock { $0.map(\.counters) }) + MemoryBudget.counters + engine.counters() + [
      ("threads_stuck_now", Int64(stuckThreads.load(ordering: .relaxed))),
      ("threads_stuck", Int64(stuckThreadsTotal.load(ordering: .relaxed))),
      ("uptime_ms", Int64(LoopShard.now.milliseconds(since: startedAt))),
    ]
  }

  /// How long requests took, over all loops.
  var latencies: [LatencyCounts] {
    var sum = LatencyHistogram()
    for shard in shards.withLock({ $0 }) { sum.add(shard.latencyBoard.latest) }
    return sum.counted
  }

  /// How many sessions have each database open.
  var sessionsByDatabase: [String: Int] {
    var counts: [String: Int] = [:]
    for shard in shards.withLock({ $0 }) { shard.sessions.addCounts(to: &counts) }
    return counts
  }

  private func sessions(limit: Int) -> [SessionInfo] {
    guard limit > 0 else { return [] }
    let now = LoopShard.now
    let all = shards.withLock { $0 }.flatMap { $0.sessions.all(now: now) }
    return Array(all.sorted { ($0.requests, $1.id) > ($1.requests, $0.id) }.prefix(limit))
  }

  /// Tells everybody who has the database open that it goes, and why. Not on a loop; blocks until all have let go.
  func endSessions(ofDatabase name: String, because error: RequestError) {
    for shard in shards.withLock({ $0 }) { shard.endSessions(ofDatabase: name, because: error) }
  }

  /// The loop with the fewest connections, counted as having one more; nil where the server is full.
  func leastLoaded() -> LoopShard? {
    shards.withLock { shards in
      let loads = shards.map { $0.load.load(ordering: .relaxed) }
      guard loads.reduce(0, +) < limits.connectionsMax else { return nil }
      let chosen = shards.indices.min { loads[$0] < loads[$1] }.map { shards[$0] }
      chosen?.load.add(1, ordering: .relaxed)
      return chosen
    }
  }

  /// Lets a fenced database take writes again, on a thread of its own; its sessions stay open.
  func unfence(_ name: String, deadline: MonotonicTime, token: RequestToken, sink: any ReplySink) {
    let isFree = isUnfencing.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    guard isFree else { return sink.deliver(.failed(.maintenanceBusy), to: token) }
    let shards = shards.withLock { $0 }
    Thread.detachNewThread { [self] in
      let setups = Mutex<Set<DatabaseSetup>>([])
      do throws(RequestError) {
        try engine.unfence(named: name, deadline: deadline) {
          for shard in shards { setups.withLock { $0.formUnion(shard.detach(databaseNamed: name)) } }
        }
        for setup in setups.withLock({ $0 }) {
          let database = try engine.database(named: name, create: false, setup: setup)
          for shard in shards { shard.reattach(database) }
        }
        isUnfencing.store(false, ordering: .releasing)
        sink.deliver(.completed(Completion()), to: token)
      } catch {
        isUnfencing.store(false, ordering: .releasing)
        sink.deliver(.failed(error), to: token)
      }
    }
  }

  func inspection(shapes: Int, sessions: Int) -> Inspection {
    Inspection(
      counters: counters.map { Inspection.Counter(name: $0.name, value: $0.value) },
      shapes: engine.shapes(limit: min(shapes, limits.inspectedShapesMax)), latencies: latencies,
      sessions: self.sessions(limit: min(sessions, limits.inspectedSessionsMax)))
  }
}
