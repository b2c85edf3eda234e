import MartletValues
import Synchronization

/// The scopes of one database by their setups: made when a session comes with a new setup, closed when they are idle.
///
/// Always true: the empty setup's scope is there from the beginning to the end; one that a session uses is not closed.
/// Connections are bounded for all setups together, so nobody is refused because others have setups: a connection that
/// another setup had is prepared anew.
final class SetupScopes: Sendable {
  private struct State {
    var scopes: [ShapeID: SetupScope] = [:]
    var isClosed = false
  }

  let empty: SetupScope
  /// For the sessions of all setups.
  private let prepared: ReaderPool
  private let classifiers: OpenClassifiers
  private let parts: DatabaseParts
  private let state = Mutex(State())

  init(parts: DatabaseParts) {
    self.parts = parts
    empty = SetupScope(pool: Self.pool(parts, connectionsMax: parts.limits.readerConnectionsMax), parts: parts)
    prepared = Self.pool(parts, connectionsMax: parts.limits.setupReaderConnectionsMax)
    classifiers = OpenClassifiers(most: parts.limits.setupsPerDatabaseMax)
  }

  private static func pool(_ parts: DatabaseParts, connectionsMax: Int) -> ReaderPool {
    ReaderPool(
      path: parts.path, files: parts.files, limits: parts.limits, limitsInForce: parts.limitsInForce,
      clock: parts.clock, commits: parts.commitClock, plans: parts.plans, workers: parts.workers,
      counters: parts.readCounters, log: parts.log, connectionsMax: connectionsMax)
  }

  /// The scope of a setup, with a lease that the caller gives back, and the ids of those that were closed to make room
  /// for it.
  ///
  /// Throws what is wrong with the setup, PERMISSION if the subject may not have it, and MEMORY if there is no room
  /// for one more.
  func scope(for setup: DatabaseSetup, subject: Subject) throws(RequestError) -> (SetupScope, closed: [ShapeID]) {
    if setup.isEmpty {
      empty.leases.take()
      return (empty, [])
    }
    let known = state.withLock { state in
      state.scopes[setup.id]?.leases.take()
      return state.scopes[setup.id]
    }
    if let known {
      do throws(RequestError) { try known.script.check(subject) } catch {
        known.leases.giveBack()
        throw error
      }
      known.noteUse(at: parts.clock())
      return (known, [])
    }
    let script = try SetupScript(setup, limits: parts.limits)
    try script.check(subject)
    let made = try SetupScope(script, of: subject, pool: prepared, classifiers: classifiers, parts: parts)
    let admission = state.withLock { Self.admit(made, to: &$0, most: parts.limits.setupsPerDatabaseMax) }
    switch admission {
    case .admitted(let dropped):
      let ids = dropped.map { [$0.script.id] } ?? []
      dropped?.close()
      prepared.close(setups: ids)
      return (made, ids)
    case .present(let present):
      // Another session came with the same setup meanwhile.
      made.close()
      return (present, [])
    case .refused(let error):
      made.close()
      throw error
    }
  }

  private enum Admission {
    case admitted(dropped: SetupScope?)
    case present(SetupScope)
    case refused(RequestError)
  }

  private static func admit(_ made: SetupScope, to state: inout State, most: Int) -> Admission {
    if state.isClosed { return .refused(.shuttingDown) }
    if let present = state.scopes[made.script.id] {
      present.leases.take()
      return .present(present)
    }
    // Scopes that nobody has are kept for a while, since their programs may come back.
    let dropped = state.scopes.count >= most ? removeIdle(from: &state, since: .distantFuture) : nil
    made.leases.take()
    state.scopes[made.script.id] = made
    return .admitted(dropped: dropped)
  }

  /// Takes out the scope that has been idle for longest, if one has been since `since` or earlier.
  private static func removeIdle(from state: inout State, since: MonotonicTime) -> SetupScope? {
    let candidates = state.scopes.values.filter { $0.leases.isFree && $0.idleSince <= since }
    guard let chosen = candidates.min(by: { $0.idleSince < $1.idleSince }) else { return nil }
    return state.scopes.removeValue(forKey: chosen.script.id)
  }

  // MARK: - For all of them

  /// Ends reads that are over a limit of time.
  func tick(now: MonotonicTime, isMemoryShort: Bool) {
    for pool in pools { pool.tick(now: now, isMemoryShort: isMemoryShort) }
  }

  /// Adds the scopes that nobody has.
  func addIdle(to setups: inout IdleSetups) {
    state.withLock { state in
      for scope in state.scopes.values where scope.leases.isFree {
        setups.add(bytes: scope.script.byteCount, since: scope.idleSince)
      }
    }
  }

  /// Closes the scopes that nobody has had since `since` or for longer, and returns their ids.
  func closeIdle(since: MonotonicTime) -> [ShapeID] {
    var closed: [ShapeID] = []
    while let scope = state.withLock({ Self.removeIdle(from: &$0, since: since) }) {
      closed.append(scope.script.id)
      scope.close()
    }
    if !closed.isEmpty { prepared.close(setups: closed) }
    return closed
  }

  /// The log is over its limit: ends the snapshots during which it has grown too much.
  func logGrew(to bytes: Int) {
    for pool in pools { pool.context.snapshots.logGrew(to: bytes) }
  }

  /// The log is to be copied as a whole: ends the snapshots from before `writtenBytes` had ever been written to it.
  func logLost(writtenBytes: UInt64) {
    for pool in pools { pool.context.snapshots.logLost(writtenBytes: writtenBytes) }
  }

  var pools: [ReaderPool] { [empty.pool, prepared] }

  /// How many setups are known, beside the empty one.
  var count: Int { state.withLock { $0.scopes.count } }

  /// Ends all reads and closes all readers. Blocks until that is done.
  func close() {
    let scopes = state.withLock { state in
      state.isClosed = true
      defer { state.scopes = [:] }
      return Array(state.scopes.values)
    }
    for scope in scopes { scope.close() }
    for pool in pools { pool.shutdown() }
  }
}
