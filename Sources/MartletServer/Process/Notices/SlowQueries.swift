internal import Foundation
internal import Logging
internal import MartletEngine
internal import MartletValues
internal import Synchronization

/// The log of requests that took long: who asked, the SQL without values, and SQLite's plan.
///
/// Always true: nothing that a client bound, or wrote into its SQL or its tree as a value, is logged, and nothing that
/// it wrote makes a line of its own. However many requests are slow, at most a few of them a second are logged, and
/// none while too many lines wait to be written; the others are counted. One plan is made at a time; if too many
/// requests wait for theirs, a line is written without SQL and plan, and only names the shapes.
final class SlowQueries: Sendable {
  struct Query: Sendable {
    var kind: RequestKind
    var nanoseconds: UInt64
    /// The shapes of the request's first statements.
    var shapes: [ShapeID]
    /// How many statements the request had.
    var statements: Int
    var error: String?
    var database: Database?
    /// The subject's rules for tables.
    var rules: TableRules?
    var metadata: Logger.Metadata
  }

  /// Lines that wait for the thread that makes plans.
  private let waiting = Atomic<Int>(0)

  private let threshold: Atomic<UInt64>
  private let logger: Logger
  private let explain: @Sendable (Database?, ShapeID, TableRules?) -> ExplainedStatement?
  private let rate = Mutex(
    NoticeRate(linesMax: SlowQueryLimits.perSecondMax, intervalMs: SlowQueryLimits.intervalMs))
  private let queue = DispatchQueue(label: "martlet-slow", qos: .utility)

  /// `thresholdMs` nil: nothing is logged. `explain` stands in for the database in tests.
  init(
    thresholdMs: Int?, logger: Logger,
    explain: @escaping @Sendable (Database?, ShapeID, TableRules?) -> ExplainedStatement? = {
      $0?.explain($1, under: $2)
    }
  ) {
    threshold = Atomic(Self.nanoseconds(thresholdMs))
    self.explain = explain
    self.logger = logger
  }

  /// Requests that take at least this long are logged; 0: all of them; `UInt64.max`: none.
  var thresholdNanoseconds: UInt64 { threshold.load(ordering: .relaxed) }

  var isOn: Bool { thresholdNanoseconds != .max }

  /// The threshold in milliseconds; nil: nothing is logged.
  var thresholdMs: Int? { isOn ? Int(thresholdNanoseconds / 1_000_000) : nil }

  /// For the requests that end from now on. A request that began while nothing was logged is left out, because its
  /// statements are not known.
  func take(thresholdMs: Int?) { threshold.store(Self.nanoseconds(thresholdMs), ordering: .relaxed) }

  private static func nanoseconds(_ ms: Int?) -> UInt64 {
    guard let ms else { return .max }
    let (product, overflow) = UInt64(max(0, ms)).multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : product
  }

  /// Returns at once: the plan is made, and the line written, on another thread.
  func note(_ query: Query, now: MonotonicTime = ServerClock.now) {
    let hasRoom = hasRoom
    guard let missed = rate.withLock({ $0.arrived(now: now, hasRoom: hasRoom) }) else { return }
    let ahead = waiting.add(1, ordering: .relaxed).oldValue
    queue.async { [self] in
      defer { waiting.subtract(1, ordering: .relaxed) }
      tell(missed)
      write(query, withPlans: ahead < SlowQueryLimits.waitingMax)
    }
  }

  /// Time has passed: tells how many requests were left out, although no other one is slow.
  func ticked(now: MonotonicTime) {
    guard hasRoom else { return }
    let missed = rate.withLock { $0.ticked(now: now) }
    guard missed > 0 else { return }
    waiting.add(1, ordering: .relaxed)
    queue.async { [self] in
      defer { waiting.subtract(1, ordering: .relaxed) }
      tell(missed)
    }
  }

  /// The server ends, and nobody ticks any more.
  func ended() {
    let missed = rate.withLock { $0.takeLeftOut() }
    if missed > 0 { queue.async { [self] in tell(missed) } }
  }

  private var hasRoom: Bool { waiting.load(ordering: .relaxed) < SlowQueryLimits.linesMax }

  private func tell(_ missed: Int) {
    guard missed > 0 else { return }
    logger.notice("More requests were slow than are logged", metadata: ["requests": .number(missed)])
  }

  private func write(_ query: Query, withPlans: Bool) {
    var metadata = query.metadata
    metadata["kind"] = "\(query.kind.word)"
    metadata["ms"] = .number(query.nanoseconds / 1_000_000)
    if let error = query.error { metadata["error"] = "\(error)" }
    if query.statements > query.shapes.count { metadata["statements"] = .number(query.statements) }
    for (index, shape) in query.shapes.enumerated() {
      let number = query.shapes.count > 1 ? "_\(index + 1)" : ""
      metadata["shape" + number] = "\(shape)"
      guard withPlans, let explained = explain(query.database, shape, query.rules) else { continue }
      metadata["sql" + number] = "\(explained.loggedSQL)"
      if !explained.plan.isEmpty { metadata["plan" + number] = "\(explained.loggedPlan)" }
    }
    logger.notice("A request was slow", metadata: metadata)
  }
}
