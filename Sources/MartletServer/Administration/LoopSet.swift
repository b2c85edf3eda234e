internal import Foundation
internal import MartletEngine
internal import MartletThreads
internal import MartletValues
internal import Synchronization

/// All loops of a server: which of them takes the next connection, what they add up to, and what concerns all of them.
///
/// Always true: the list is complete before anybody connects; after the end it is empty, and so are its sums.
final class LoopSet: ServerWork {
  private let engine: Engine
  private let limits: Limits
  private let connectionsMax: Atomic<Int>
  private let startedAt = ServerClock.now
  /// Threads that do not come back now, and all that ever did not; the watchdog counts them.
  let stuckThreads = Atomic<Int>(0)
  let stuckThreadsTotal = Atomic<Int>(0)
  private let administrator = Administrator()
  private let inspector = Inspector()
  private let isUnfencing = Atomic<Bool>(false)
  private let shards = Mutex<[LoopShard]>([])
  private let audit: AuditLog

  init(engine: Engine, limits: Limits, audit: AuditLog = AuditLog()) {
    self.audit = audit
    self.engine = engine
    self.limits = limits
    defer { engine.whenBarredIsWanted { [weak self] name in self?.recover(name) } }
    defer { engine.whenFull { [weak self] names in self?.letGo(among: names) ?? false } }
    connectionsMax = Atomic(limits.connectionsMax)
  }

  /// The loops have started, or, with none, have ended.
  func set(_ loops: [LoopShard]) { shards.withLock { $0 = loops } }

  private var loops: [LoopShard] { shards.withLock { $0 } }

  /// The loop with the fewest connections, counted as having one more; nil if the server is full.
  func leastLoaded() -> LoopShard? {
    shards.withLock { shards in
      let loads = shards.map { $0.load.load(ordering: .relaxed) }
      guard loads.reduce(0, +) < connectionsMax.load(ordering: .relaxed) else { return nil }
      let chosen = shards.indices.min { loads[$0] < loads[$1] }.map { shards[$0] }
      chosen?.load.add(1, ordering: .relaxed)
      return chosen
    }
  }

  // MARK: - Sums

  var counters: [(name: String, value: Int64)] {
    ServerCounters.totals(of: loops.map(\.counters)) + MemoryBudget.counters + engine.counters() + audit.counters + [
      ("threads_stuck_now", Int64(stuckThreads.load(ordering: .relaxed))),
      ("threads_stuck", Int64(stuckThreadsTotal.load(ordering: .relaxed))),
      ("uptime_ms", Int64(ServerClock.now.milliseconds(since: startedAt))),
    ]
  }

  /// How long requests took, over all loops.
  var latencies: [LatencyCounts] {
    var sum = LatencyHistogram()
    for shard in loops { sum.add(shard.latencyBoard.latest) }
    return sum.counted
  }

  private func sessions(limit: Int) -> [SessionInfo] {
    guard limit > 0 else { return [] }
    let now = ServerClock.now
    let all = loops.flatMap { $0.sessions.all(now: now) }
    return Array(all.sorted { ($0.requests, $1.id) > ($1.requests, $0.id) }.prefix(limit))
  }

  func inspect(
    shapes: Int, sessions: Int, for asker: Asker, seenBy identity: Identity?,
    answer: @escaping @Sendable (Result<Inspection, RequestError>, Gate?) -> Void
  ) {
    inspector.inspect(
      shapes: min(shapes, limits.inspectedShapesMax), sessions: min(sessions, limits.inspectedSessionsMax), for: asker,
      seenBy: identity, make: { [self] in inspection(shapes: $0, sessions: $1) }, answer: answer)
  }

  private func inspection(shapes: Int, sessions: Int) -> Inspection {
    Inspection(
      counters: counters.map { Inspection.Counter(name: $0.name, value: $0.value) },
      shapes: engine.shapes(limit: shapes), latencies: latencies, sessions: self.sessions(limit: sessions))
  }

  // MARK: - The directory's databases

  func run(
    _ task: Administration, of subject: Subject, for asker: Asker, isListed: @escaping @Sendable (String) -> Bool,
    answer: @escaping @Sendable (Result<DatabaseList?, RequestError>) -> Void
  ) {
    administrator.run(task, of: subject, for: asker, on: engine, self, isListed: isListed, answer: answer)
  }

  /// The operator has changed limits, and who may do what. Connections beyond a smaller limit stay. Waits until each
  /// loop has told its sessions, so that the next request finds what is new; a loop that is stuck tells them later.
  /// Never on one of the loops.
  func reloaded(_ serving: ServingLimits) {
    connectionsMax.store(serving.connectionsMax, ordering: .relaxed)
    let told = Gate(count: loops.count)
    for shard in loops { shard.reloaded(serving, told) }
    told.wait(ms: AccessLimits.reloadMsMax)
  }

  /// Of these databases, the one that nobody has used for longest goes to sleep on all loops. False if each is in
  /// use, and if a loop does not say so in time. Not on a loop; blocks.
  func letGo(among names: [String]) -> Bool {
    let loops = loops
    var last: [String: MonotonicTime] = [:]
    var busy: Set<String> = []
    for loop in loops {
      guard let resting = loop.restingDatabases() else { return false }
      for (name, use) in resting {
        if let use { last[name] = max(use, last[name] ?? use) } else { busy.insert(name) }
      }
    }
    let wanted = Set(names).subtracting(busy)
    let candidates = last.filter { wanted.contains($0.key) }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    for candidate in candidates {
      var isAsleep = true
      for loop in loops where isAsleep {
        guard let sleeps = loop.sleep(databaseNamed: candidate.key) else { return false }
        isAsleep = sleeps
      }
      if isAsleep { return true }
    }
    return false
  }

  /// How many sessions have each database open.
  var sessionsByDatabase: [String: Int] {
    var counts: [String: Int] = [:]
    for shard in loops { shard.sessions.addCounts(to: &counts) }
    return counts
  }

  /// Tells everybody who has the database open that it goes, and why. Not on a loop; blocks until all have let go.
  func endSessions(ofDatabase name: String, because error: RequestError) {
    for shard in loops { shard.endSessions(ofDatabase: name, because: error) }
  }

  func unfence(_ name: String, deadline: MonotonicTime, token: RequestToken, sink: any ReplySink) {
    let isStarted = openAnew(
      name,
      by: { engine, name, release throws(RequestError) in
        try engine.unfence(named: name, deadline: deadline, release: release)
      }
    ) { error in
      sink.deliver(error.map { .failed($0) } ?? .completed(Completion()), to: token)
    }
    if !isStarted { sink.deliver(.failed(.maintenanceBusy), to: token) }
  }

  /// Somebody wants a database that could not be opened anew. Does nothing if an operator is at it.
  func recover(_ name: String) {
    let deadline = EngineConfiguration.systemClock().advanced(milliseconds: WorkLimits.recoveryMsMax)
    _ = openAnew(
      name,
      by: { engine, name, release throws(RequestError) in
        try engine.recover(name, deadline: deadline, release: release)
      }
    ) { _ in }
  }

  /// Has a database opened anew on a thread of its own, and gives it to the sessions that had it before. False if
  /// another one is being opened so.
  private func openAnew(
    _ name: String,
    by open: @escaping @Sendable (Engine, String, _ release: () -> Void) throws(RequestError) -> Void,
    _ tell: @escaping @Sendable (RequestError?) -> Void
  ) -> Bool {
    let isFree = isUnfencing.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    guard isFree else { return false }
    let shards = loops
    ThreadStarter.shared.start(named: "martlet-unfence") { [self] in
      let setups = Mutex<Set<DatabaseSetup>>([])
      do throws(RequestError) {
        try open(engine, name) {
          for shard in shards { setups.withLock { $0.formUnion(shard.detach(databaseNamed: name)) } }
        }
        for setup in setups.withLock({ $0 }) {
          let database = try engine.database(named: name, create: false, setup: setup)
          for shard in shards { shard.reattach(database) }
        }
        isUnfencing.store(false, ordering: .releasing)
        tell(nil)
      } catch {
        isUnfencing.store(false, ordering: .releasing)
        tell(error)
      }
    }
    return true
  }
}
