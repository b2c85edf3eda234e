import MartletAST
import MartletSQLite
package import MartletValues
import Synchronization

/// The plans of one database, from shape to SQL, shared by all threads.
///
/// Always true: bounded in plans and in bytes, the one used longest ago goes first; a plan that is cached costs no
/// decoding and no rendering, which `counters` shows.
package final class PlanCache: Sendable {
  package let counters = PlanCacheCounters()

  private struct State {
    var plans: BoundedCache<ShapeID, Plan>
    var rounds = CacheRounds()
  }

  private let limits: Limits
  private let classifier: RawClassifier?
  /// Programs that know nothing of each other use the same connections, so none may leave temporary objects there.
  private let sharesConnections: Bool
  private let state: Mutex<State>

  /// A cache for a database file. `path` is opened, for reading, when the first raw statement comes; if it is nil,
  /// the connections are one program's, and raw statements tell what they do when they are compiled to run.
  package convenience init(
    path: String?, limits: Limits, clock: @escaping @Sendable () -> MonotonicTime
  ) {
    self.init(path: path, files: nil, limits: limits, clock: clock)
  }

  init(
    path: String?, files: DatabaseFiles?, limits: Limits, clock: @escaping @Sendable () -> MonotonicTime
  ) {
    self.limits = limits
    sharesConnections = path != nil
    classifier = path.map { RawClassifier(path: $0, files: files, limits: limits, clock: clock) }
    state = Mutex(State(plans: BoundedCache(capacity: limits.plansMax, bytesMax: limits.planBytesMax)))
  }

  /// The plan for a shape, or for a statement's bytes, which become a plan. Plans are shared by all subjects, so
  /// whether this one may use it is asked each time.
  ///
  /// Raw text is judged by `classifier`, if the session's setup has one. Plans are shared by all setups, because
  /// neither their SQL nor whether it writes depends on what is temporary.
  ///
  /// Without `isPatient`, raw text stays unjudged if SQLite takes a while to read it. `allowance`: that of the event
  /// loop that asks; what is new to it is taken from there, and a look at what is known costs it nothing.
  ///
  /// Throws PERMISSION if the subject lacks one, UNPREPARED for a shape that is not cached, and what decoding and
  /// rendering say about bytes.
  func plan(
    for source: StatementSource, subject: Subject, classifier: RawClassifier?, isPatient: Bool = true,
    allowance: LoopAllowance? = nil
  ) throws(RequestError) -> Plan {
    let shape: ShapeID
    var bytes: [UInt8]?
    switch source {
    case .shape(let named): shape = named
    case .statement(let statement):
      shape = statement.withUnsafeBytes { ShapeID(hashing: $0) }
      bytes = statement
    }
    try subject.check(shape)
    if let known = cached(shape, subject) {
      try subject.check(known.needs)
      guard known.access == .raw else { return known }
      return try allowance.spend { () throws(RequestError) in try resolved(known, classifier, isPatient) }
    }
    guard let bytes else { throw .unprepared }
    return try allowance.spend { () throws(RequestError) in
      let made = try make(shape, from: bytes, for: subject)
      // Checked before it is kept, so that nobody fills the cache with statements that they may not run.
      try subject.check(made.needs)
      return try resolved(keep(made), classifier, isPatient)
    }
  }

  /// Whether a statement costs no more than a look: it is known, and so is whether it writes, or it will be refused.
  func isReady(_ source: StatementSource, for subject: Subject) -> Bool {
    let shape: ShapeID
    switch source {
    case .shape(let known): shape = known
    case .statement(let bytes): shape = bytes.withUnsafeBytes { ShapeID(hashing: $0) }
    }
    guard let plan = state.withLock({ $0.plans.value(for: subject.key(of: shape)) }), plan.isMade(for: subject) else {
      return !source.isStatement
    }
    return plan.access != .raw
  }

  /// The plan for a shape or a statement of the program that has the engine in its own process.
  package func plan(for source: StatementSource) throws(RequestError) -> Plan {
    try plan(for: source, subject: .program, classifier: nil)
  }

  /// Puts a plan that is in use elsewhere back among those used last. Returns the one that is cached under its key.
  @discardableResult
  func keep(_ plan: Plan) -> Plan {
    state.withLock { state in
      // Another thread may have made the same plan meanwhile; the first one stays, and with it its counters.
      if let present = state.plans.value(for: plan.key), present.rules == plan.rules { return present }
      countEvictions(state.plans.insert(plan, for: plan.key, bytes: plan.byteCount).count)
      return plan
    }
  }

  /// All plans, from the one used last to the one used longest ago.
  var plans: [Plan] { state.withLock { $0.plans.values } }

  /// The plan of a shape under these rules, if it is cached, whoever may use it.
  func known(_ shape: ShapeID, _ rules: TableRules? = nil) -> Plan? {
    let key = rules.map { Restriction(rules: $0).key(of: shape) } ?? shape
    let found = state.withLock { $0.plans.value(for: key) }
    return found?.rules == rules ? found : nil
  }

  /// The statement of a shape as others than its client may see it, without SQLite's plan; nil if it is not cached.
  func shown(_ shape: ShapeID) -> ExplainedStatement? {
    let plan = state.withLock { $0.plans.value(for: shape) }
    return plan.map { ExplainedStatement(sql: $0.shownSQL(limits), holdsText: $0.holdsRaw, plan: []) }
  }

  /// Drops plans that nobody has used for a while. Called from time to time.
  func tick(now: MonotonicTime) {
    // Freed after the lock is: thousands of plans take a while, and loops wait for it.
    _ = state.withLock { state -> [Plan] in
      guard state.rounds.isOver(now, limits) else { return [] }
      let dropped = state.plans.endRound(keeping: limits.idlePlansKept, bytes: limits.idlePlanBytesKept)
      countEvictions(dropped.count)
      return dropped
    }
  }

  /// Closes what the cache has open. Raw statements that come after cannot be told apart.
  func shutdown() { classifier?.close() }

  private func cached(_ shape: ShapeID, _ subject: Subject) -> Plan? {
    let key = subject.key(of: shape)
    let found = state.withLock { $0.plans.value(for: key) }
    let plan = found?.isMade(for: subject) == true ? found : nil
    if plan == nil {
      counters.misses.wrappingAdd(1, ordering: .relaxed)
    } else {
      counters.hits.wrappingAdd(1, ordering: .relaxed)
    }
    return plan
  }

  private func countEvictions(_ count: Int) { counters.evictions.wrappingAdd(UInt64(count), ordering: .relaxed) }

  private func make(_ shape: ShapeID, from bytes: [UInt8], for subject: Subject) throws(RequestError) -> Plan {
    counters.decodes.wrappingAdd(1, ordering: .relaxed)
    let tree = try ASTStatement.decode(bytes, limits: limits)
    if sharesConnections { try tree.checkLeavesTemporaryAlone() }
    var renderer = StatementRenderer(limits: limits).onThisLibrary
    renderer.rules = subject.restriction?.rules
    return Plan(shape: shape, bytes: bytes, rendered: try renderer.render(tree), restriction: subject.restriction)
  }

  private func resolved(
    _ plan: Plan, _ other: RawClassifier?, _ isPatient: Bool
  ) throws(RequestError) -> Plan {
    guard plan.access == .raw, let classifier = other ?? classifier else { return plan }
    if plan.complexity == .tooComplex { throw .tooComplex }
    if plan.needsPlanner(limits), !isPatient { return plan }
    switch classifier.judge(plan.sql, isPatient: isPatient) {
    case .readOnly(let isReadOnly):
      counters.prepares.wrappingAdd(1, ordering: .relaxed)
      plan.resolve(isReadOnly: isReadOnly)
    case .unknown: break
    case .tooComplex where !isPatient: plan.note(.slow)
    case .tooComplex:
      plan.note(.tooComplex)
      throw .tooComplex
    }
    return plan
  }
}

/// What the plan cache of a database and the statement caches keyed by its plans did. The numbers are not read as of
/// one moment.
package final class PlanCacheCounters: Sendable {
  /// Look-ups that found a plan, and that did not.
  let hits = Atomic<UInt64>(0)
  let misses = Atomic<UInt64>(0)
  /// Trees decoded and rendered.
  let decodes = Atomic<UInt64>(0)
  /// Statements compiled, on any connection.
  let prepares = Atomic<UInt64>(0)
  let evictions = Atomic<UInt64>(0)
}
