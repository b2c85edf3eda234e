internal import Foundation
internal import Logging
internal import MartletEngine
internal import MartletValues
internal import Synchronization

/// The log of requests that took long: who asked, the SQL without values, and SQLite's plan.
///
/// Always true: nothing that a client bound, or wrote into its SQL or its tree as a value, is logged, and nothing that
/// it wrote makes a line of its own; however many requests are slow, at most a few of them a second are logged, and the
/// number of the others. One plan is made at a time; where too many requests wait for theirs, a line is written
/// without.
final class SlowQueries: Sendable {
  struct Query: Sendable {
    var kind: RequestKind
    var nanoseconds: UInt64
    /// Of its first statements.
    var shapes: [ShapeID]
    /// How many it had.
    var statements: Int
    var error: String?
    var database: Database?
    /// Of its subject.
    var rules: TableRules?
    var metadata: Logger.Metadata
  }

  private struct State {
    var second: UInt64 = 0
    var logged = 0
    var suppressed = 0
  }

  /// Lines that wait for the thread that makes plans.
  private let waiting = Atomic<Int>(0)

  private let threshold: Atomic<UInt64>
  private let logger: Logger
  private let explain: @Sendable (Database?, ShapeID, TableRules?) -> ExplainedStatement?
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "martlet-slow", qos: .utility)

  static let shapesMax = 4
  private static let perSecondMax = 20

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

  /// What takes so long is logged; what takes no time at all too, if it is 0, and nothing if it is `UInt64.max`.
  var thresholdNanoseconds: UInt64 { threshold.load(ordering: .relaxed) }

  var isOn: Bool { thresholdNanoseconds != .max }

  /// In milliseconds; nil: nothing is logged.
  var thresholdMs: Int? { isOn ? Int(thresholdNanoseconds / 1_000_000) : nil }

  /// For the requests that end from now on. Of one that was on its way while nothing was logged the statements are not
  /// known, so it stands in no line.
  func take(thresholdMs: Int?) { threshold.store(Self.nanoseconds(thresholdMs), ordering: .relaxed) }

  private static func nanoseconds(_ ms: Int?) -> UInt64 {
    guard let ms else { return .max }
    let (product, overflow) = UInt64(max(0, ms)).multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : product
  }

  /// Returns at once: the plan is made, and the line written, on another thread.
  func note(_ query: Query) {
    let second = ServerClock.now.nanoseconds / 1_000_000_000
    let (isLogged, missed) = state.withLock { state in
      var missed = 0
      if state.second != second {
        missed = state.suppressed
        state = State(second: second)
      }
      guard state.logged < Self.perSecondMax else {
        state.suppressed += 1
        return (false, missed)
      }
      state.logged += 1
      return (true, missed)
    }
    guard isLogged else { return }
    let ahead = waiting.add(1, ordering: .relaxed).oldValue
    queue.async { [self] in
      defer { waiting.subtract(1, ordering: .relaxed) }
      if missed > 0 {
        logger.notice("More requests were slow than are logged", metadata: ["requests": .number(missed)])
      }
      write(query, withPlans: ahead < SlowQueryLimits.waitingMax)
    }
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
